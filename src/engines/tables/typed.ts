import { engine_limits } from "../limits.ts";
import type { Grid } from "./csv.ts";
import { type Cell, type Column, FileRefused, type Table } from "./table.ts";

type Raw = Grid[number][number];
type Kind = "int" | "decimal" | "comma" | "bool" | "time" | "text" | DateForm;
type DateForm = "yyyy-mm-dd" | "d.m.yyyy" | "a/b/yyyy";

const date_forms: readonly string[] = ["yyyy-mm-dd", "d.m.yyyy", "a/b/yyyy"];
/** The maximum number of digits in a number; longer numbers are exact only as text. */
const digits_exact = 15;
const examples_max = 3;
/** If at least this share of a column's values are numbers, a remark lists its texts. */
const numbers_share = 0.6;
const rows_named_max = 3;
const names_named_max = 3;
/** Matches ambiguous numbers: 1,234 can contain a thousands separator or a decimal comma. */
const grouped = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Determines the types of a table's columns; remarks state what was guessed. Raises `FileRefused`. */
export function typed(grid: Grid, name: string): Table {
  const rows = grid.filter((row) => row.some((cell) => cell !== null));
  const [head] = rows;
  if (!head) throw new FileRefused(`${name} has no rows.`, ["use a file with a header and rows"]);
  const has_header = head.some((cell) => typeof cell === "string" && kindOf(cell) === "text");
  const body = has_header ? rows.slice(1) : rows;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width > engine_limits.table_columns_max)
    throw new FileRefused(
      `${name} has ${width} columns; a table can have at most ${engine_limits.table_columns_max}.`,
      ["write one row for each value, with columns for its indices"],
    );
  const { names, remarks } = namesOf(has_header ? head : [], width);
  if (!has_header) remarks.unshift("The first row is data, not a header: the columns are numbered.");
  const ragged = body.findIndex((row) => row.length > head.length);
  if (ragged >= 0)
    remarks.push(`Row ${ragged + 1} has ${body[ragged]?.length ?? 0} cells, but the header has ${head.length}.`);
  const columns = names.map((column, at) => {
    const cells = body.map((row) => row[at] ?? null);
    const { type, values, remark } = columnOf(cells, column, name);
    if (remark !== undefined) remarks.push(remark);
    return { column: summaryOf(column, type, values), values };
  });
  return {
    summary: { rows: body.length, columns: columns.map(({ column }) => column), remarks },
    values: columns.map(({ values }) => values),
  };
}

/** Chooses the columns' names, which are all different. */
function namesOf(head: Grid[number], width: number): { names: string[]; remarks: string[] } {
  const remarks: string[] = [];
  const names: string[] = [];
  const taken = new Set<string>();
  const written = Array.from({ length: width }, (_, at) => String(head[at] ?? "").trim() || `column_${at + 1}`);
  // In an object, keys that are integers come first, which would change the order of the columns.
  const moves = Object.keys(Object.fromEntries(written.map((each) => [each, 0]))).some((key, i) => key !== written[i]);
  const numbers = moves ? written.filter((each) => /^\d+$/.test(each)) : [];
  if (numbers.length > 0)
    remarks.push(
      `The names of the columns ${namedOf(numbers)} are numbers: here they are prefixed with _, such as _${numbers[0]}.`,
    );
  for (const each of written) {
    const own = numbers.length > 0 && /^\d+$/.test(each) ? `_${each}` : each;
    let name = own;
    for (let count = 2; taken.has(name); count++) name = `${own}_${count}`;
    if (name !== own) remarks.push(`Two columns are called ${own}: the later one is called ${name} here.`);
    taken.add(name);
    names.push(name);
  }
  return { names, remarks };
}

function namedOf(names: readonly string[]): string {
  return `${names.slice(0, names_named_max).join(", ")}${names.length > names_named_max ? ", …" : ""}`;
}

interface Typed {
  readonly type: Column["type"];
  readonly values: Cell[];
  readonly remark?: string;
}

function columnOf(cells: readonly Raw[], column: string, file: string): Typed {
  const kinds = cells.map((cell) => (cell === null ? undefined : kindOf(cell)));
  const present = new Set(kinds.filter((each) => each !== undefined));
  const values = (read: (cell: Raw, kind: Kind) => Cell) =>
    cells.map((cell, row) => (kinds[row] === undefined ? null : read(cell, kinds[row])));
  const only = (...allowed: Kind[]) => [...present].every((each) => allowed.includes(each));
  if (present.size === 0) return { type: "empty", values: values(() => null) };
  if (only("int")) return { type: "int", values: values(numberOf) };
  if (only("int", "decimal")) return { type: "decimal", values: values(numberOf) };
  if (only("int", "comma") && cells.every((cell, row) => kinds[row] !== "comma" || grouped.test(String(cell))))
    return {
      type: "text",
      values: values(String),
      remark: `The numbers in ${column} are kept as text: it is not clear whether the comma is a decimal or a thousands separator.`,
    };
  if (only("int", "comma"))
    return { type: "decimal", values: values(numberOf), remark: `In ${column}, the comma is the decimal separator.` };
  if (only("bool")) return { type: "bool", values: values((cell) => String(cell).toLowerCase() === "true") };
  if (only("time")) return { type: "time", values: values(String) };
  if ([...present].every((each) => date_forms.includes(each))) return dates(cells, kinds, { column, file });
  const is_number = (kind: Kind | undefined) => kind === "int" || kind === "decimal";
  const numbers = kinds.filter(is_number).length;
  const filled = kinds.filter((each) => each !== undefined).length;
  if (numbers < numbers_share * filled) return { type: "text", values: values(String) };
  const texts = kinds.flatMap((kind, row) => (kind !== undefined && !is_number(kind) ? [row] : []));
  const named = texts.slice(0, rows_named_max).map((row) => `row ${row + 1} has ${JSON.stringify(cells[row])}`);
  return {
    type: "mixed",
    values: values((cell, kind) => (is_number(kind) ? numberOf(cell) : String(cell))),
    remark: `${column} has numbers and ${texts.length} other ${texts.length === 1 ? "value" : "values"}: ${named.join(", ")}.`,
  };
}

/** Converts dates to the form `2026-11-29`. Raises `FileRefused` for a column with several date formats. */
function dates(
  cells: readonly Raw[],
  kinds: readonly (Kind | undefined)[],
  { column, file }: { readonly column: string; readonly file: string },
): Typed {
  const rows = cells.flatMap((cell, row) => (cell === null ? [] : [{ text: String(cell), row, kind: kinds[row] }]));
  const slashed = rows.filter(({ kind }) => kind === "a/b/yyyy");
  const day_first = slashed.find(({ text }) => partsOf(text)[0] > 12);
  const month_first = slashed.find(({ text }) => partsOf(text)[1] > 12);
  const forms = new Map(rows.map((each) => [each.kind, each] as const));
  const differing = forms.size > 1 ? [...forms.values()] : day_first && month_first ? [day_first, month_first] : [];
  if (differing.length > 1)
    throw new FileRefused(
      `Column ${column} of ${file} has dates of different forms: ${differing.map(({ text, row }) => `row ${row + 1} has ${text}`).join(", ")}.`,
      ["write all dates in the column in one format, preferably 2026-11-29"],
    );
  if (slashed.length > 0 && !day_first && !month_first)
    return {
      type: "text",
      values: cells.map((cell) => (cell === null ? null : String(cell))),
      remark: `The dates in ${column} are kept as text: it is not clear whether the day or the month comes first.`,
    };
  const iso = (cell: Raw) => (cell === null ? null : isoOf(String(cell), month_first !== undefined));
  return { type: "date", values: cells.map(iso) };
}

function partsOf(text: string): [number, number, number] {
  const [a = 0, b = 0, c = 0] = text.split(/[-./T ]/).map(Number);
  return [a, b, c];
}

function isoOf(text: string, month_first: boolean): string {
  if (/^\d{4}-/.test(text)) return text.replace(" ", "T");
  const [a, b, year] = partsOf(text);
  const [day, month] = month_first ? [b, a] : [a, b];
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function kindOf(cell: Exclude<Raw, null>): Kind {
  if (typeof cell === "boolean") return "bool";
  if (typeof cell === "number") return Number.isInteger(cell) ? "int" : "decimal";
  if (/^[-+]?(?:0|[1-9]\d*)$/.test(cell)) return cell.replace(/\D/g, "").length <= digits_exact ? "int" : "text";
  if (/^[-+]?(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?\d+[eE][-+]?\d+$/.test(cell))
    return Math.abs(Number(cell)) < 10 ** digits_exact ? "decimal" : "text";
  if (/^[-+]?\d+,\d+$/.test(cell)) return "comma";
  if (/^(?:true|false)$/i.test(cell)) return "bool";
  if (/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/.test(cell)) return "yyyy-mm-dd";
  if (/^\d{1,2}\.\d{1,2}\.\d{4}$/.test(cell)) return "d.m.yyyy";
  if (/^\d{1,2}\/\d{1,2}\/\d{4}$/.test(cell)) return "a/b/yyyy";
  return /^\d{1,4}:\d{2}(?::\d{2})?$/.test(cell) ? "time" : "text";
}

function numberOf(cell: Raw): number {
  return Number(String(cell).replace(",", "."));
}

function summaryOf(name: string, type: Column["type"], values: readonly Cell[]): Column {
  const filled = values.filter((each) => each !== null);
  const distinct = new Set(filled);
  const is_ordered = type === "int" || type === "decimal" || type === "date";
  const ends = is_ordered ? endsOf(filled) : undefined;
  return {
    name,
    type,
    missing: values.length - filled.length,
    distinct: distinct.size,
    examples: [...distinct].slice(0, examples_max),
    ...ends,
  };
}

function endsOf(values: readonly Cell[]): Pick<Column, "least" | "greatest"> {
  const [first, ...rest] = values.filter((each) => typeof each === "number" || typeof each === "string");
  if (first === undefined) return {};
  return {
    least: rest.reduce((least, each) => (each < least ? each : least), first),
    greatest: rest.reduce((most, each) => (each > most ? each : most), first),
  };
}
