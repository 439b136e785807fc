import { isGrid, isScalars, type Tree } from "./json.ts";
import { viewer_limits } from "./limits.ts";

/** `name = [1, 2]`, `name = [[1, 2], [3, 4]]`; between brackets there is no other list that has a name. */
const assigned = /\b([A-Za-z_]\w*)\s*=\s*(\[(?:[^[\]=]|\[[^[\]=]*\])*\])/g;

/** The lists that texts of a question give a name: a model can hold its data itself. */
export function literalsIn(texts: readonly string[]): Tree {
  const literals = texts.flatMap((text) =>
    [...text.matchAll(assigned)].flatMap(([, name = "", list = ""]): [string, unknown][] => {
      const value = readList(list);
      return isScalars(value) || isGrid(value) ? [[name, value]] : [];
    }),
  );
  return Object.fromEntries(literals.slice(0, viewer_limits.literals_max));
}

/** A list as MiniZinc or Python writes it; undefined for one that is computed, or has a comment in it. */
function readList(list: string): unknown {
  const rows = list.startsWith("[|") && list.endsWith("|]") ? list.slice(2, -2).split("|") : undefined;
  const json = rows ? `[${rows.map((row) => `[${row}]`).join(",")}]` : list;
  try {
    return JSON.parse(json.replaceAll("'", '"').replace(/,(\s*\])/g, "$1"));
  } catch {
    return undefined;
  }
}
