import type { Values } from "../../language.ts";
import type { AllAnswer } from "./answer.ts";
import type { Question } from "./question.ts";

/** One solution: its displayed form, and the text of each leaf, by which solutions are distinguished. */
export interface Row {
  readonly values: Values;
  readonly leaves: readonly string[];
  readonly cost?: unknown;
}

/** The result of a step: a solution, the fact that none exists, or the reason why this was not decided. */
export type Step = { readonly row: Row; readonly proved: boolean } | "none" | { readonly open: string };

/**
 * The solutions of a model, for languages that find each one by solving the model again with more constraints. A leaf
 * is one named value.
 */
export interface Space {
  readonly over: readonly string[];
  readonly left_out: readonly string[];
  readonly paths: readonly string[];
  readonly method: string;
  /** Converts a leaf to a value. */
  value(leaf: string): unknown;
  /**
   * Lists different solutions, up to a maximum number. Also returns whether these are all solutions, and the reason if
   * the search ended early.
   */
  list(
    limit: number,
    share?: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly is_whole: boolean; readonly reason: string }>;
  /**
   * Finds a solution in which at least `count` of these leaves differ from the row. If `count` is more than one, it has
   * only a share of the time.
   */
  other(row: Row, at: readonly number[], count: number): Promise<Step>;
  /** Lists all solutions with their costs, best first, if one search can do so within a share of the time. */
  ranked?(share: number): Promise<readonly Row[] | undefined>;
  /** Finds the best solution other than the given ones. */
  best(without: readonly Row[]): Promise<Step>;
  /**
   * Finds the solution with the largest minimum distance to the given ones, at least 1; leaves time to find `more`
   * others.
   */
  farthest(rows: readonly Row[], more: number): Promise<Step>;
}

/** Answers a question by requesting one solution after another, starting from the given first one. */
export async function drive(question: Question, space: Space, first: Row): Promise<AllAnswer> {
  const { over, left_out, method } = space;
  const scope = { over: [...over], left_out: [...left_out] };
  if (space.paths.length === 0) return { kind: "nothing", asked: question.kind, ...scope, reason: nothing_to_tell };
  switch (question.kind) {
    case "count": {
      const { rows, is_whole, reason } = await space.list(question.limit);
      const different = new Set(rows.map(({ leaves }) => leaves.join("\n"))).size;
      const number = String(Math.max(1, different));
      return is_whole
        ? { kind: "count", ...scope, number, exact: true, method }
        : { kind: "count", ...scope, number, exact: false, method, reason };
    }
    case "backbone":
      return { kind: "backbone", ...scope, ...(await backbone(space, first)) };
    case "k_best":
      return { kind: "k_best", ...scope, ...(await ranking(space, first, question.limit)) };
    case "diverse":
      return { kind: "diverse", ...scope, ...(await diverse(space, first, question.limit)) };
    case "plan":
      return { kind: "nothing", asked: "plan", ...scope, reason: "it is asked with the plan as constraints" };
    default:
      return question.kind satisfies never;
  }
}

const nothing_to_tell = "none of the named values can be compared";

type Answer<Kind extends AllAnswer["kind"]> = Omit<Extract<AllAnswer, { kind: Kind }>, "kind" | "over" | "left_out">;

async function backbone(space: Space, first: Row): Promise<Answer<"backbone">> {
  let left = space.paths.map((_, i) => i);
  let reason: string | undefined;
  // One solution can reveal many leaves that can change. Therefore, more and more leaves are required to change at
  // once, as long as such a solution exists.
  let at_once = 1;
  let able = 1;
  let at_most = left.length;
  while (left.length > 0) {
    at_once = Math.min(at_once, at_most, left.length);
    const step = await space.other(first, left, at_once);
    if (at_once > 1 && (step === "none" || "open" in step)) {
      able = Math.min(able, Math.floor(at_once / 2));
      at_most = step === "none" ? at_once - 1 : Math.floor(at_once / 2);
      at_once = able;
      continue;
    }
    if (step === "none") break;
    if ("open" in step) {
      reason = step.open;
      break;
    }
    const same = left.filter((i) => step.row.leaves[i] === first.leaves[i]);
    // Without this check, an engine that repeats a solution would be asked forever.
    if (same.length === left.length) {
      reason = "the engine returned a solution that was excluded";
      break;
    }
    left = same;
    able = at_once;
    at_once = at_most < space.paths.length ? Math.ceil((able + at_most) / 2) : 2 * able;
  }
  const path = (i: number) => space.paths[i] ?? "";
  const backbone_paths = new Set(left);
  const free = space.paths.filter((_, i) => !backbone_paths.has(i));
  if (reason !== undefined) return { fixed: [], free, undecided: left.map(path), reason };
  return {
    fixed: left.map((i): [string, unknown] => [path(i), space.value(first.leaves[i] ?? "null")]),
    free,
    undecided: [],
  };
}

async function ranking(space: Space, first: Row, count: number): Promise<Answer<"k_best">> {
  const listed = await space.ranked?.(share_of_list);
  // A list that lacks the known solution is incomplete.
  const known = listed?.some((each) => distance(each, first) === 0) ? listed : undefined;
  const best = async (rows: readonly Row[]): Promise<Step> => {
    if (!known) return space.best(rows);
    const row = known[rows.length];
    return row ? { row, proved: true } : "none";
  };
  const rows: Row[] = [];
  const ended = (proved: number, is_all: boolean, has_tie: boolean | null, reason?: string) => ({
    solutions: rows.map(({ values }) => values),
    objectives: rows.map(({ cost }) => cost),
    proved,
    is_all,
    has_tie,
    ...(reason !== undefined && { reason }),
  });
  while (rows.length <= count) {
    const step = await best(rows);
    if (step === "none") return ended(rows.length, true, false);
    if ("open" in step) return ended(rows.length, false, null, step.open);
    if (rows.length === count) {
      // A non-integer cost is not known exactly, so equality can't be decided.
      const is_exact = typeof step.row.cost !== "number" || Number.isInteger(step.row.cost);
      const is_equal = step.row.cost === rows.at(-1)?.cost;
      return ended(rows.length, false, !is_exact ? null : is_equal ? true : step.proved ? false : null);
    }
    rows.push(step.row);
    if (!step.proved)
      return ended(rows.length - 1, false, null, "the last one is not proved to be the best of the rest");
  }
  return ended(rows.length, false, null);
}

/** The share of the time for listing a few solutions in one run; if these are all solutions, no other run is needed. */
const share_of_list = 0.25;

async function diverse(space: Space, first: Row, count: number): Promise<Answer<"diverse">> {
  const listed = await space.list(count, share_of_list);
  // A list that lacks the known solution is incomplete.
  const has_first = listed.rows.some((each) => distance(each, first) === 0);
  const known = listed.is_whole && has_first ? among(listed.rows) : undefined;
  const rows = [first];
  const distances: number[] = [];
  const farthest: boolean[] = [];
  const ended = (is_all: boolean, reason?: string) => ({
    ...{ solutions: rows.map(({ values }) => values), distances, farthest, is_all },
    ...(reason !== undefined && { reason }),
  });
  while (rows.length < count) {
    const step = await (known ?? space).farthest(rows, count - rows.length);
    if (step === "none") return ended(true);
    if ("open" in step) return ended(false, step.open);
    distances.push(Math.min(...rows.map((each) => distance(each, step.row))));
    farthest.push(step.proved);
    rows.push(step.row);
  }
  if ((await known?.farthest(rows, 0)) === "none") return ended(true);
  return ended(false, farthest.every(Boolean) ? undefined : "not all of them are proved to be the most different");
}

/** Creates a space in which all solutions are known. */
function among(all: readonly Row[]): Pick<Space, "farthest"> {
  const least = (row: Row, rows: readonly Row[]) => Math.min(...rows.map((each) => distance(each, row)));
  return {
    async farthest(rows) {
      const far = all.toSorted((one, other) => least(other, rows) - least(one, rows))[0];
      return far && least(far, rows) > 0 ? { row: far, proved: true } : "none";
    },
  };
}

function distance(one: Row, other: Row): number {
  return one.leaves.filter((leaf, i) => leaf !== other.leaves[i]).length;
}
