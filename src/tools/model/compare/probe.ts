import { isObject } from "../../../kernel/arguments.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { ToolContext } from "../../../kernel/tool.ts";
import type { Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { Difference, Pair } from "./compare.ts";
import { isSame, type Listed, type Side, type Solutions, solved } from "./side.ts";

type Both<Each> = readonly [Each, Each];

/**
 * Tests solutions of these models in the other one, for models with too many solutions to list. A difference is claimed
 * only if one model excludes the other's solution, and each model accepts its own solution in the same form. Raises
 * `cancelled`.
 */
export async function probed(
  sides: Both<Side>,
  both: Both<Solutions>,
  pairs: readonly Pair[],
  context: ToolContext,
  open_sides: readonly (0 | 1)[],
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const [i, side] of open_sides.entries()) {
    const deadline = context.deadline.atMost(context.deadline.left_ms / (open_sides.length - i));
    const found = await probedBy(sides, both, pairs, side === 0 ? 1 : 0, { ...context, deadline });
    differences.push(...found);
  }
  return differences;
}

async function probedBy(
  sides: Both<Side>,
  both: Both<Solutions>,
  pairs: readonly Pair[],
  other: 0 | 1,
  context: ToolContext,
): Promise<Difference[]> {
  const side = other === 0 ? 1 : 0;
  const [sample] = both[other].rows;
  if (!sample || both[other].is_printed) return [];
  for (const row of both[side].rows.slice(0, model_limits.probed_max)) {
    const values = translated(row.values, sample.values, pairs, side);
    if (!values || context.deadline.is_over) return [];
    const reply = await planned(sides[other], values, context);
    if (reply === undefined) return [];
    const kind = differenceOf(reply, row, both[other]);
    if (kind === undefined) continue;
    // Values that a program prints are its own, whatever its solver chooses.
    const own = both[side].is_printed
      ? { possible: true }
      : await planned(sides[side], named(row.values, pairs, side), context);
    const control = await planned(sides[other], named(sample.values, pairs, other), context);
    if (!own?.possible || !control?.possible) return [];
    const instead = kind === "optimum" ? { other: { values, objective: reply.objective, is_best: false } } : {};
    return [{ kind, side, row, ...instead }];
  }
  return [];
}

interface Reply {
  readonly possible: boolean;
  readonly objective?: unknown;
  readonly proved?: boolean | undefined;
}

/** Returns the kind of difference that the other model's reply to a solution shows; undefined if it shows none. */
function differenceOf(reply: Reply, row: Listed, { best }: Solutions): Difference["kind"] | undefined {
  if (!reply.possible) return "solution";
  if (best?.proved !== true || reply.proved !== true || !row.is_best || best.value === null) return undefined;
  return isSame(reply.objective, best.value) ? undefined : "optimum";
}

/** Asks whether a model has a solution with these values. Returns undefined if this was not decided. */
async function planned(side: Side, plan: Values, context: ToolContext): Promise<Reply | undefined> {
  try {
    const { all_answer } = await solved(side, { plan, names: Object.keys(plan) }, context);
    return all_answer?.kind === "plan" && all_answer.left_out.length === 0 ? all_answer : undefined;
  } catch (error) {
    // The other model can't represent the values, or its engine ran out of time: nothing is known.
    if (error instanceof Fault && error.code !== "cancelled") return undefined;
    throw error;
  }
}

function named(values: Values, pairs: readonly Pair[], side: 0 | 1): Values {
  return Object.fromEntries(pairs.map((pair) => [pair[side], values[pair[side]]]));
}

/** Returns a solution's values under the other model's names, in the form of one of the other model's solutions. */
function translated(values: Values, sample: Values, pairs: readonly Pair[], side: 0 | 1): Values | undefined {
  const entries = pairs.map((pair): [string, unknown] => {
    const there = pair[side === 0 ? 1 : 0];
    return [there, inFormOf(values[pair[side]], sample[there])];
  });
  return entries.every(([, each]) => each !== undefined) ? Object.fromEntries(entries) : undefined;
}

function inFormOf(value: unknown, sample: unknown): unknown {
  if (Array.isArray(sample) || isObject(sample)) {
    if (!Array.isArray(value) && !isObject(value)) return undefined;
    const elements = elementsOf(value);
    const samples = elementsOf(sample);
    const made = elements.map(([, each], i) => inFormOf(each, (samples[i] ?? samples[0] ?? [0, each])[1]));
    if (made.includes(undefined)) return undefined;
    if (Array.isArray(sample)) return made;
    return made.length === samples.length ? Object.fromEntries(samples.map(([key], i) => [key, made[i]])) : undefined;
  }
  if (Array.isArray(value) || isObject(value)) return undefined;
  if (typeof sample === "boolean") return Number(value) === 1 ? true : Number(value) === 0 ? false : undefined;
  return typeof value === "boolean" ? Number(value) : value;
}

/** Returns the elements of a list or an object, sorted by key. */
function elementsOf(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => Number(a) - Number(b) || (a < b ? -1 : 1));
}
