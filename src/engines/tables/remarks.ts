import type { Cell, Column, Table } from "./table.ts";

/** The maximum number of rows listed in a remark. */
const rows_named_max = 3;
const never_negative =
  /^(?:duration|time|hours|minutes|days|length|size|weight|demand|capacity|quantity|qty|amount|count|stock|price|cost)s?$|_(?:hours|minutes|days|cost|weight|demand|capacity|qty)$/i;
const begins = /^(?:(.*_)?)(start|begin|from|open|opens|release|earliest)(_.*)?$/i;
const ends = /^(?:(.*_)?)(end|finish|to|until|close|closes|due|deadline|latest)(_.*)?$/i;

/** Finds what looks wrong in a table: duplicate rows, negative amounts, and end times before start times. */
export function suspicions({ summary: { rows, columns }, values }: Table): string[] {
  const nameOf = (at: number) => columns[at]?.name ?? "";
  return [
    ...repeated(rows, values),
    ...columns.flatMap(({ name, least }, at) =>
      never_negative.test(name) && typeof least === "number" && least < 0
        ? [`${name} is negative in ${rowsNamed(values[at] ?? [], (value) => typeof value === "number" && value < 0)}.`]
        : [],
    ),
    ...spans(columns).flatMap(([first, second]) =>
      backwards(nameOf(first), nameOf(second), values[first] ?? [], values[second] ?? []),
    ),
  ];
}

/** Finds the pairs of columns that contain the start and the end of the same thing. */
function spans(columns: readonly Column[]): [number, number][] {
  const finished = columns.flatMap(({ name }, at) => {
    const end = ends.exec(name);
    return end ? [{ end, at }] : [];
  });
  return columns.flatMap(({ name }, first): [number, number][] => {
    const begin = begins.exec(name);
    if (!begin) return [];
    return finished.flatMap(({ end, at }) => (begin[1] === end[1] && begin[3] === end[3] ? [[first, at]] : []));
  });
}

function backwards(name: string, other: string, from: readonly Cell[], to: readonly Cell[]): string[] {
  const isBackwards = (row: number) => {
    const [a, b] = [from[row] ?? null, to[row] ?? null];
    return a !== null && b !== null && typeof a === typeof b && b < a;
  };
  const rows = from.flatMap((_, row) => (isBackwards(row) ? [row] : []));
  return rows.length === 0 ? [] : [`${other} is before ${name} in ${listed(rows)}.`];
}

function repeated(rows: number, values: readonly (readonly Cell[])[]): string[] {
  const seen = new Map<string, number>();
  const twice: string[] = [];
  for (let row = 0; row < rows; row++) {
    const key = JSON.stringify(values.map((column) => column[row]));
    const first = seen.get(key);
    if (first === undefined) seen.set(key, row);
    else twice.push(`row ${row + 1} repeats row ${first + 1}`);
  }
  if (twice.length === 0) return [];
  const more = twice.length - rows_named_max;
  return [`Equal rows: ${twice.slice(0, rows_named_max).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

function rowsNamed(values: readonly Cell[], test: (value: Cell) => boolean): string {
  return listed(values.flatMap((value, row) => (test(value) ? [row] : [])));
}

function listed(rows: readonly number[]): string {
  const first = rows.slice(0, rows_named_max).map((row) => row + 1);
  const more = rows.length > first.length ? ` and ${rows.length - first.length} more` : "";
  return `${rows.length === 1 ? "row" : "rows"} ${first.join(", ")}${more}`;
}
