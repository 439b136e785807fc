import type { Type } from "../../../../../engines/minizinc/read.ts";
import { isObject } from "../../../../../kernel/arguments.ts";
import { Fault } from "../../../../../kernel/fault.ts";
import type { Data } from "./data.ts";

type Row = Readonly<Record<string, unknown>>;
type Tables = ReadonlyMap<string, readonly Row[]>;

/** Returns the data entries that are tables: lists of rows, each of which is an object with the same columns. */
export function tablesIn(data: Data): Tables {
  return new Map(Object.entries(data).flatMap(([name, value]) => (isTable(value) ? [[name, value] as const] : [])));
}

function isTable(value: unknown): value is readonly Row[] {
  if (!Array.isArray(value)) return false;
  const [first] = value;
  if (!isObject(first) || Array.isArray(first)) return false;
  const columns = Object.keys(first).join("\n");
  return value.every((row) => isObject(row) && Object.keys(row).join("\n") === columns);
}

/**
 * Adds the members of these enums to the data: the values of a column, or of the first column in the table with the
 * enum's name.
 */
export function withEnums(data: Data, enums: readonly string[]): Data {
  if (enums.length === 0) return data;
  const tables = tablesIn(data);
  const found = enums
    .filter((name) => !Object.hasOwn(data, name) || tables.has(name))
    .flatMap((name) => {
      const members = membersFor(name, tables);
      return members ? [[name, [...new Set(members.all)]] as const] : [];
    });
  return { ...data, ...Object.fromEntries(found) };
}

/**
 * Adds parameters derived from tables to the data. For a table staff, `staff_hours` is a column, also available as
 * `hours` if no other table has that column. `n_staff` is the number of rows, and `staff` itself, as a set, contains
 * the row numbers. Columns are also available in whole units under additional names, such as `opens_minutes`. Raises
 * `input_rejected` for a name that fits several columns, and for a column indexed by an enum from a column with
 * duplicate values.
 */
export function withColumns(data: Data, types: Readonly<Record<string, Type>>): Data {
  const tables = tablesIn(data);
  if (tables.size === 0) return data;
  const taken = Object.entries(types).flatMap(([name, type]): (readonly [string, unknown])[] => {
    if (Object.hasOwn(data, name) && !(tables.has(name) && type.dim === 0)) return [];
    const column = type.dim === 0 ? undefined : columnFor(name, tables)?.all;
    if (column) expectMembers(name, type, column.length, { data, tables });
    const value = type.dim === 0 ? sizeFor(name, type, tables) : column;
    return value === undefined ? [] : [[name, value]];
  });
  const others = Object.entries(data).filter(([name]) => !tables.has(name) || Object.hasOwn(types, name));
  return Object.fromEntries([...others, ...taken]);
}

/** Returns the declarations with which a model can use this name of a table or of a column; undefined for other names. */
export function declarationsFor(name: string, data: Data): string | undefined {
  const tables = tablesIn(data);
  const table = [...tables.keys()].find((each) => plainName(each) === plainName(name));
  if (table !== undefined) return name === table ? `set of int: ${name};` : `enum ${name};`;
  const column = columnFor(name, tables);
  if (!column) return undefined;
  const { all } = column;
  const kinds = new Set(all.filter((each) => each !== null).map((each) => typeof each));
  const number = all.every((each) => each === null || Number.isInteger(each)) ? "int" : "float";
  const type = kinds.has("string") ? "string" : kinds.has("boolean") ? "bool" : number;
  return `set of int: ${column.table}; array[${column.table}] of ${all.includes(null) ? "opt " : ""}${type}: ${name};`;
}

/** Returns the number of rows in a table, or the set of row numbers. */
function sizeFor(name: string, type: Type, tables: Tables): unknown {
  for (const [table, rows] of tables) {
    const [plain, wanted] = [plainName(table), plainName(name)];
    const is_count = [`n${plain}`, `num${plain}`, `${plain}count`, `number_of_${plain}`]
      .map(plainName)
      .includes(wanted);
    if (!type.set && type.type === "int" && is_count) return rows.length;
    if (type.set && type.enum_type === undefined && wanted === plain) return { set: [[1, rows.length]] };
  }
  return undefined;
}

/** A name for a column in a model: the column's own name, or the name of the same column in whole units. */
interface NamedColumn {
  readonly table: string;
  readonly name: string;
  values(): readonly unknown[] | undefined;
}

function columnsOf([table, rows]: readonly [string, readonly Row[]]): NamedColumn[] {
  return Object.keys(rows[0] ?? {}).flatMap((column) => {
    const values = () => rows.map((row) => row[column]);
    const units = Object.entries(column_units).map(([name, unit]) => ({
      ...{ table, name: `${column}_${name}` },
      values: () => inUnits(values(), unit),
    }));
    return [{ table, name: column, values }, ...units];
  });
}

/** A column that matches a name. */
interface Found {
  readonly table: string;
  readonly column: string;
  readonly all: readonly unknown[];
}

/** Finds the column whose values are the members of an enum with this name. */
function membersFor(name: string, tables: Tables): Found | undefined {
  return columnFor(name, tables) ?? keysOf(name, tables);
}

/**
 * Checks an enum's members. Each duplicate value becomes only one member, so a column indexed by the enum would be
 * longer than the enum.
 */
function expectMembers(
  name: string,
  { dims: [index = ""], enum_type, optional, type }: Type,
  rows: number,
  { data, tables }: { readonly data: Data; readonly tables: Tables },
): void {
  const members = Object.hasOwn(data, index) ? data[index] : undefined;
  if (!Array.isArray(members) || members.length === rows) return;
  const found = membersFor(index, tables);
  const twice = found?.all.find((value, row) => found.all.indexOf(value) !== row);
  if (found?.all.length !== rows || twice === undefined) return;
  const { table, column, all } = found;
  const places = all.flatMap((value, row) => (value === twice ? [row + 1] : []));
  const declared = `${optional ? "opt " : ""}${enum_type ?? type}`;
  throw new Fault(
    "input_rejected",
    `The enum ${index} consists of the distinct values of column ${column} of ${table}, which contains ${JSON.stringify(twice)} in rows ${places.slice(0, 3).join(", ")}. So ${index} has ${members.length} members, but ${name} has ${rows} values.`,
    [
      `number the rows instead: \`set of int: ${table};\` and \`array[${table}] of ${declared}: ${name};\``,
      "or remove the repeated rows from the file",
    ],
  );
}

/** Finds the column that a name refers to. */
function columnFor(name: string, tables: Tables): Found | undefined {
  const wanted = plainName(name);
  const columns = [...tables].flatMap(columnsOf);
  const whole = columns.filter((each) => plainName(`${each.table}_${each.name}`) === wanted);
  const fitting = whole.length > 0 ? whole : columns.filter((each) => plainName(each.name) === wanted);
  const found = fitting.flatMap(({ table, name: column, values }) => {
    const all = values();
    return all ? [{ table, column, all }] : [];
  });
  const [first, second] = found;
  if (first && second)
    throw new Fault(
      "input_rejected",
      `${name} can be a column of ${found.map(({ table }) => table).join(" and of ")}.`,
      [`call the parameter ${first.table}_${first.column} or ${second.table}_${second.column}`],
    );
  return first;
}

/** Finds the first column of the table with this name. */
function keysOf(name: string, tables: Tables): Found | undefined {
  const [table, rows] = [...tables].find(([each]) => plainName(each) === plainName(name)) ?? [];
  const [column] = Object.keys(rows?.[0] ?? {});
  return table && rows && column !== undefined ? { table, column, all: rows.map((row) => row[column]) } : undefined;
}

/** Normalises a name for comparison, ignoring case and word separators. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\W_]/g, "");
}

const time_form = /^(\d{1,4}):(\d{2})$/;
const date_form = /^\d{4}-\d{2}-\d{2}$/;
const day_ms = 86_400_000;

/** Converts a value to whole units; undefined if that is impossible. */
type InUnits = (value: unknown) => number | undefined;

/**
 * The columns derived from a table's columns, by the suffix of their names: MiniZinc can't compute with texts such as
 * `08:30`, and proves nothing that depends on decimals in floating point.
 */
export const column_units: Readonly<Record<string, InUnits>> = {
  minutes: (value) => {
    const [, hours, minutes] = time_form.exec(String(value)) ?? [];
    return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
  },
  days: (value) => {
    const date = new Date(date_form.test(String(value)) ? String(value) : Number.NaN);
    // The 30th of February would become a day in March.
    const is_day = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(String(value));
    return is_day ? date.getTime() / day_ms : undefined;
  },
  tenths: shifted(1),
  hundredths: shifted(2),
  thousandths: shifted(3),
};

/** An exact conversion by a power of ten; undefined for a number that has more decimals or no exact form. */
function shifted(places: number): InUnits {
  return (value) => {
    const [, sign = "", whole, decimals = ""] =
      (typeof value === "number" && /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))) || [];
    if (whole === undefined || decimals.length > places) return undefined;
    const units = Number(`${sign}${whole}${decimals.padEnd(places, "0")}`);
    return Number.isSafeInteger(units) ? units : undefined;
  };
}

/** A column in these units, with missing values kept; undefined if a value has no such units. */
export function inUnits(values: readonly unknown[], unit: InUnits): (number | null)[] | undefined {
  const units = values.map((value) => (value === null ? null : unit(value)));
  return units.every((each) => each !== undefined) ? units : undefined;
}
