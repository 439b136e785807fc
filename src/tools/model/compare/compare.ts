import { Fault } from "../../../kernel/fault.ts";
import type { Values } from "../language.ts";
import { canCompare, flat, formOf, keyOf, kindOf } from "./form.ts";
import type { Listed, Solutions } from "./side.ts";

/** A name in the first model, and the corresponding name in the second. */
export type Pair = readonly [string, string];

/** A solution of one model that the other model excludes, or that is optimal in only one of them. */
export interface Difference {
  readonly kind: "solution" | "optimum";
  /** The model that has the solution. */
  readonly side: 0 | 1;
  readonly row: Listed;
  /** The other model's optimum. */
  readonly other?: Listed | undefined;
}

export interface Comparison {
  readonly pairs: readonly Pair[];
  readonly differences: readonly Difference[];
  /** Whether the list of differences in these names is complete. */
  readonly is_complete: boolean;
  /**
   * Whether some solutions of a model differ only in names that are not compared. Nothing is then proved about those
   * names.
   */
  readonly hides_some: boolean;
}

/**
 * Compares the solutions of both models by the corresponding names. Raises `invalid_argument` if there are no such
 * names.
 */
export function compared(both: readonly [Solutions, Solutions], pairs: readonly Pair[]): Comparison {
  expectNames(both, pairs);
  const flattened = pairs.map((pair) => isFlattened(both, pair));
  const tables = [tableOf(both[0], 0, pairs, flattened), tableOf(both[1], 1, pairs, flattened)] as const;
  const differences = ([0, 1] as const).flatMap((side) => differencesOf(both, tables, side));
  const hides_some = tables.some((table, side) => table.size < (both[side]?.rows.length ?? 0));
  const is_complete = !hides_some && both.every(({ is_all, taken }) => is_all && !taken);
  return { pairs, differences, is_complete, hides_some };
}

type Table = ReadonlyMap<string, Listed>;

/**
 * Indexes the solutions by their compared values. Of several solutions that differ only in other values, an optimal one
 * is kept.
 */
function tableOf({ rows }: Solutions, side: 0 | 1, pairs: readonly Pair[], flattened: readonly boolean[]): Table {
  const keyed = rows.map(({ values }) =>
    pairs
      .map((pair, i) => keyOf(flattened[i] ? flat(formOf(values[pair[side]])) : formOf(values[pair[side]])))
      .join(";"),
  );
  const table = new Map<string, Listed>();
  rows.forEach((row, i) => {
    const key = keyed[i] ?? "";
    if (row.is_best || !table.has(key)) table.set(key, row);
  });
  return table;
}

function differencesOf(
  both: readonly [Solutions, Solutions],
  tables: readonly [Table, Table],
  side: 0 | 1,
): Difference[] {
  const other = side === 0 ? 1 : 0;
  const rows = [...tables[side]];
  // If the other model's list is complete, it has no solutions but the listed ones.
  const missing = both[other].is_all ? rows.find(([key]) => !tables[other].has(key)) : undefined;
  const worse = rows.find(([key, row]) => {
    const same = tables[other].get(key);
    return row.is_best && same !== undefined && isWorse(both[other], same);
  });
  return [
    ...(missing ? [{ kind: "solution" as const, side, row: missing[1] }] : []),
    ...(worse ? [{ kind: "optimum" as const, side, row: worse[1], other: tables[other].get(worse[0]) }] : []),
  ];
}

/**
 * Whether a solution is proved not to be optimal. Another solution with the same compared values may be optimal; only
 * complete lists rule that out.
 */
function isWorse({ best, is_all }: Solutions, row: Listed): boolean {
  return best?.proved === true && is_all && !row.is_best;
}

function expectNames(both: readonly [Solutions, Solutions], pairs: readonly Pair[]): void {
  const [own, other] = both.map(({ over }) => over.join(", ") || "no values");
  const names = `The first model has ${own}; the second one has ${other}.`;
  const steps = [
    'give pairs as names: {"name in the first": "name in the second"}',
    "export corresponding values under the same name in both models",
  ];
  const [none] = pairs.filter((pair) => pair.some((name, side) => !both[side]?.over.includes(name)));
  if (none)
    throw new Fault(
      "invalid_argument",
      `${none.join(" and ")} can't be compared: one of them is not chosen by a solver. ${names}`,
      steps,
    );
  if (pairs.length === 0)
    throw new Fault("invalid_argument", `The two models have no values with the same name. ${names}`, steps);
}

/** Whether two values correspond only as flat lists. Raises `invalid_argument` if they do not correspond. */
function isFlattened(both: readonly [Solutions, Solutions], pair: Pair): boolean {
  const samples = both.map(({ rows: [row] }, side) => sampleOf(row?.values, pair[side]));
  const kinds = samples.map(kindOf);
  const is_exact = both.every(({ rows }, side) =>
    rows.every(({ values }) => !kindOf(sampleOf(values, pair[side])).includes("other")),
  );
  if (is_exact && canCompare(kinds[0] ?? "", kinds[1] ?? "")) return false;
  const flattened = samples.map(flat);
  const lengths = flattened.map((each) => (Array.isArray(each) ? each.length : 1));
  const flat_kinds = flattened.map(kindOf);
  if (is_exact && lengths[0] === lengths[1] && canCompare(flat_kinds[0] ?? "", flat_kinds[1] ?? "")) return true;
  throw new Fault(
    "invalid_argument",
    `${pair.join(" and ")} do not correspond: one is a ${kinds[0]}, the other a ${kinds[1]}.`,
    ["export the value in the same form in both models", "or remove it from names"],
  );
}

function sampleOf(values: Values | undefined, name: string | undefined) {
  return formOf(values && name !== undefined ? values[name] : undefined);
}
