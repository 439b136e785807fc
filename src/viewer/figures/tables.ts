import * as z from "zod/mini";
import { isScalar, isScalars, type Scalar, type Tree, treeOf } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import type { Grid, Path } from "./figure.ts";

/** The index names of arrays: one list per dimension. */
export const IndexNames = z.record(z.string(), z.array(z.array(z.string())));
export type IndexNames = Readonly<Record<string, readonly (readonly string[])[]>>;

/** A single value, with the answer's value that contains it and its indices in that value. */
interface Entry {
  readonly of: string;
  readonly path: readonly string[];
  readonly place: Path;
  readonly value: Scalar;
}

/**
 * Finds the values that form tables, for texts and pages. The first index selects the row, and the second the column.
 * Further indices become the cell's text if all values are 0 or 1; otherwise, there is a separate table for each first
 * index.
 */
export function tablesOf(values: Tree, index_names: IndexNames = {}): readonly Grid[] {
  const single = Object.entries(values).filter(([, value]) => isScalar(value));
  const others = Object.entries(values).flatMap(([name, value]) => {
    const tree = treeOf(value);
    const rows = tree && equalRows(Object.values(tree));
    if (rows) {
      const places = Object.entries(tree).map(([key, row]) =>
        Array.isArray(row) ? row.map((_, i) => [name, key, i]) : [],
      );
      return [{ ...plain, title: name, uses: [name], cells: rows, row_labels: Object.keys(tree), places }];
    }
    if (tree && Object.values(tree).every(isScalar)) {
      const [table, ...more] = familyTables(Object.entries(tree), [name]);
      const is_whole = table?.uses.length === Object.keys(tree).length && more.length === 0;
      return is_whole ? [{ ...table, title: name, uses: [name] }] : [];
    }
    const entries = (tree || index_names[name]) && entriesOf(value, [name], index_names[name]);
    const is_even = entries?.every(({ path }) => path.length === entries[0]?.path.length);
    return entries && is_even ? tablesIn(entries, name, true) : [];
  });
  return [...others, ...familyTables(single)];
}

const plain = { kind: "grid", look: "plain" } as const;

/**
 * Returns rows if all have the same length; each is a list, a string of signs and numbers such as `5 3 . 7`, or a
 * string of characters such as `LL..N`. Other strings are ordinary text, which stays whole.
 */
function equalRows(all: readonly unknown[]): readonly (readonly Scalar[])[] | undefined {
  const is_board = all.some((each) => typeof each === "string" && each.includes(".."));
  const rows = all.map((each) => {
    if (typeof each !== "string") return isScalars(each) ? each : [];
    const words = each.trim().split(/\s+/);
    if (words.length > 2) return words.every((word) => /^(?:.|-?\d+)$/u.test(word)) ? words : [];
    return is_board && !/[\p{Ll}\s]/u.test(each) ? [...each] : [];
  });
  const [first = []] = rows;
  return first.length > 1 && rows.length > 1 && rows.every(({ length }) => length === first.length) ? rows : undefined;
}

/** Lists the single values in nested lists and objects; undefined if an index has no name, or a part is empty. */
function entriesOf(
  value: unknown,
  place: Path,
  [own, ...others]: IndexNames[string] = [],
  path: readonly string[] = [],
): readonly Entry[] | undefined {
  if (isScalar(value)) return [{ of: String(place[0]), path, place, value }];
  const keys = Array.isArray(value) ? own : Object.keys(Object(value));
  const parts: readonly unknown[] = Object.values(Object(value));
  if (path.length >= viewer_limits.indices_max || parts.length === 0 || keys?.length !== parts.length) return undefined;
  const inside = parts.map((each, i) => {
    const key = keys[i] ?? "";
    return entriesOf(each, [...place, Array.isArray(value) ? i : key], others, [...path, key]);
  });
  return inside.every((each) => each) ? inside.flatMap((each) => each ?? []) : undefined;
}

const index = /[^_\s[\](){},'"]+/g;

/**
 * Builds tables from single values whose names differ only in their indices: `x[3,5]`, `shift_Anna_Fri_late`,
 * `Anna_2026-12-01_L`.
 */
function familyTables(values: readonly (readonly [string, unknown])[], inside: Path = []): Grid[] {
  if (values.length > viewer_limits.list_max) return [];
  const named = values.flatMap(([of, value]) => {
    const [head = ""] = /^[^[(]*(?=[[(])/.exec(of) ?? [];
    const path = of.slice(head.length).match(index) ?? [];
    const form = `${head}${of.slice(head.length).replaceAll(index, "*")}`;
    return isScalar(value) && path.length <= viewer_limits.indices_max
      ? [{ of, form, path, place: [...inside, of], value }]
      : [];
  });
  const families = grouped(named, ({ form }) => form);
  const tables = families.flatMap((all) => tablesIn(withoutStrangers(all), all[0]?.form ?? ""));
  // If there are fewer values, lines are just as readable.
  return tables.filter(({ uses, cells }) => cells.length > 1 && uses.length >= viewer_limits.family_min);
}

/**
 * Removes names that share no part with any other name, since they have a different meaning, such as min_total_hours
 * beside Anna_Mon_late.
 */
function withoutStrangers(entries: readonly Entry[]): readonly Entry[] {
  const by = (entries[0]?.path ?? []).map((_, at) => grouped(entries, ({ path }) => path[at] ?? ""));
  const alone = new Set(by.flatMap((groups) => groups.flatMap((group) => (group.length < 2 ? group : []))));
  return entries.filter((entry) => !alone.has(entry));
}

/**
 * Builds the tables for entries with the same name pattern. An index that is the same in all entries becomes part of
 * the pattern. The paths in nested objects are certainly indices, unlike the parts of names.
 */
function tablesIn(entries: readonly Entry[], form: string, is_nested = false): Grid[] {
  const by = (entries[0]?.path ?? []).map((_, at) => grouped(entries, ({ path }) => path[at] ?? ""));
  const same = by.findIndex(({ length }) => length === 1);
  const is_deep = by.length > 2 && !entries.every(isSwitch);
  if (by.length < 2 || !(same >= 0 || is_deep)) return by.length === 0 ? [] : tableOf(entries, form, is_nested);
  const at = Math.max(0, same);
  return (by[at] ?? []).flatMap((part) => {
    let star = 0;
    const label = part[0]?.path[at] ?? "";
    const named = form.replaceAll("*", (sign) => (star++ === at ? label : sign));
    const rest = part.map((entry) => ({ ...entry, path: entry.path.toSpliced(at, 1) }));
    return tablesIn(rest, named === form ? `${form}[${label}]` : named, is_nested);
  });
}

function grouped<Each>(all: readonly Each[], keyOf: (each: Each) => string): Each[][] {
  const groups = new Map<string, Each[]>();
  for (const each of all) {
    const key = keyOf(each);
    groups.set(key, groups.get(key) ?? []);
    groups.get(key)?.push(each);
  }
  return [...groups.values()];
}

function isSwitch({ value }: Entry): boolean {
  return typeof value === "boolean" || value === 0 || value === 1;
}

/** Lists entries in rows: the indices, then the value. */
function listOf(entries: readonly Entry[], title: string): Grid[] {
  const row_labels = entries.map(({ path: [first = ""] }) => first);
  const cells = entries.map(({ path, value }) => [...path.slice(1), value]);
  const places = entries.map(({ path, place }) => [...path.slice(1).map(() => undefined), place]);
  return [{ ...plain, title, uses: [...new Set(entries.map(({ of }) => of))], row_labels, cells, places }];
}

/** Builds the table for the entries. If it would be mostly empty, nested entries are listed, and others are left out. */
function tableOf(entries: readonly Entry[], form: string, is_nested: boolean): Grid[] {
  const depth = entries[0]?.path.length ?? 0;
  const at = (entry: Entry, index: number) => entry.path[index - (depth === 1 ? 1 : 0)] ?? "";
  const [rows, columns] = [sort(entries.map((each) => at(each, 0))), sort(entries.map((each) => at(each, 1)))];
  const [row_at, column_at] = [rows, columns].map((names) => new Map(names.map((name, i) => [name, i])));
  const is_binary = entries.every(isSwitch);
  const cells = new Map<number, Scalar>();
  const places = new Map<number, Path>();
  for (const entry of entries) {
    const place = (row_at?.get(at(entry, 0)) ?? 0) * columns.length + (column_at?.get(at(entry, 1)) ?? 0);
    const is_off = depth > 1 && is_binary && Number(entry.value) === 0;
    const texts = [cells.get(place) ?? "", is_off ? "" : entry.path.slice(2).join(" ")].filter((text) => text !== "");
    if (depth <= 2) places.set(place, entry.place);
    cells.set(place, depth > 2 ? texts.join(", ") : is_off ? "" : entry.value);
  }
  const cells_max = cells.size * (is_nested ? 8 : 2);
  if (rows.length * columns.length > cells_max) return is_nested ? listOf(entries, form) : [];
  // A missing value is an empty cell, unlike the value null.
  const cellOf = (cell: Scalar = "") => cell;
  const common = depth > 1 ? commonPart(columns) : "";
  const table = {
    ...{ ...plain, title: form, uses: [...new Set(entries.map(({ of }) => of))] },
    column_labels: columns.map((name) => name.slice(common.length)),
    ...(depth > 1 && { row_labels: rows, corner: common === "" ? "" : `${common}…` }),
    cells: rows.map((_, y) => columns.map((_, x) => cellOf(cells.get(y * columns.length + x)))),
    places: rows.map((_, y) => columns.map((_, x) => places.get(y * columns.length + x))),
  };
  return [table];
}

/** Returns the distinct names of an index; numbers are sorted by size. */
function sort(names: readonly string[]): readonly string[] {
  const different = [...new Set(names)];
  return different.every((each) => /^-?\d+$/.test(each)) ? different.sort((a, b) => Number(a) - Number(b)) : different;
}

/**
 * Returns the column names' common prefix up to a separator, as in the days of a month; the prefix is shown only once.
 */
function commonPart(names: readonly string[]): string {
  const [first = ""] = names;
  const end = [...first].findIndex((sign, i) => names.some((name) => name[i] !== sign));
  return first.slice(0, Math.max(0, end)).replace(/[^-_ /:.]*$/, "");
}
