import { isGrid, isScalars, type Tree } from "./json.ts";
import { viewer_limits } from "./limits.ts";

/** Matches `name = [1, 2]` and `name = [[1, 2], [3, 4]]`, where the brackets contain no other named list. */
const assigned = /\b([A-Za-z_]\w*)\s*=\s*(\[(?:[^[\]=]|\[[^[\]=]*\])*\])/g;

/** Extracts the named lists from a question's texts, since a model can contain its own data. */
export function literalsIn(texts: readonly string[]): Tree {
  const literals = texts.flatMap((text) =>
    [...text.matchAll(assigned)].flatMap(([, name = "", list = ""]): [string, unknown][] => {
      const value = readList(list);
      return isScalars(value) || isGrid(value) ? [[name, value]] : [];
    }),
  );
  return Object.fromEntries(literals.slice(0, viewer_limits.literals_max));
}

/** Reads a list in the syntax of MiniZinc or Python; undefined if the list is computed or contains a comment. */
function readList(list: string): unknown {
  const rows = list.startsWith("[|") && list.endsWith("|]") ? list.slice(2, -2).split("|") : undefined;
  const json = rows ? `[${rows.map((row) => `[${row}]`).join(",")}]` : list;
  try {
    return JSON.parse(json.replaceAll("'", '"').replace(/,(\s*\])/g, "$1"));
  } catch {
    return undefined;
  }
}
