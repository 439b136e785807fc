/** Finds inputs that might refute a claim, from runs on random inputs and from a solver. */

import type { Queries } from "./ask/queries.ts";
import type { TimeBudget } from "./ask/time_budget.ts";
import type { Refutation } from "./claims.ts";
import type { RecursiveCall } from "./induction/recursion.ts";
import { allGroups, type Group, runGroups, type Traces } from "./induction/traces.ts";
import { bind, concrete, type PythonValue, randomInputs, termsToTell } from "./inputs.ts";
import { isPlace } from "./logic/differences.ts";
import { type Concrete, readValue } from "./logic/evaluate.ts";
import { inOrder, symbolsIn, type Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import { emptyOf, holds, lengthsOf } from "./states.ts";
import type { Argument, Summary } from "./summary.ts";

const samples_max = 60;
const telling_max = 8;
/** The maximum lengths of shown inputs. Short inputs are tried first. */
const items_listed = [5, 20] as const;
/** The number of positions at which a run looks for a difference between lists. */
const places_tried_max = 5;

/**
 * Runs the loops on concrete inputs, to observe them and perhaps to find an input that refutes the claim immediately.
 */
export async function sample(
  { t, args, excluded, refutations, calls }: Attempt,
  groups: readonly Group[],
  budget: TimeBudget,
) {
  const traces: Traces = new Map(allGroups(groups).map((group) => [group, { snapshots: [], steps: [] }]));
  const runs: Map<Term, Concrete>[] = [];
  const source = { below: randomBelow(), telling: tellingNumbers(refutations, groups) };
  // A refutation at a position within a loop depends on the state there, not on the final state.
  const ends = refutations.filter(({ place }) => !place || groups.length === 0).map(({ when }) => when);
  for (let i = 0; i < samples_max; i++) {
    budget.check();
    const drawn = randomInputs(args, source);
    const inputs = i % 3 === 2 ? drawn.map(ascending) : drawn;
    const values = new Map(args.flatMap((arg, k) => bind(t, arg, inputs[k] ?? { type: "none" }) ?? []));
    const own: Traces = new Map([...traces.keys()].map((group) => [group, { snapshots: [], steps: [] }]));
    if (!(await runGroups(groups, values, own, budget)) || !holds(values, [t.not(excluded)])) continue;
    const happens = () => ends.some((when) => holdsSomewhere(t, [values], [when]));
    if (calls.length === 0 && happens()) return { traces, runs, refuted_by: inputs };
    runs.push(values);
    for (const [group, { snapshots, steps }] of own) {
      traces.get(group)?.snapshots.push(...snapshots);
      traces.get(group)?.steps.push(...steps);
    }
  }
  return { traces, runs, refuted_by: undefined };
}

/** Sorts a list of integers. Many preconditions require sorted lists, and random lists rarely are. */
function ascending(value: PythonValue): PythonValue {
  if (value.type !== "list") return value;
  const numbers = value.items.flatMap((item) => (item.type === "int" ? [BigInt(item.value)] : []));
  if (numbers.length < value.items.length) return value;
  const items = numbers
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .map((each) => ({ type: "int" as const, value: String(each) }));
  return { type: "list", items };
}

/** Finds a small input that satisfies all assertions. */
export async function smallCounterexample(
  queries: Queries,
  attempt: Attempt,
  asserted: readonly Term[],
): Promise<readonly PythonValue[] | undefined> {
  for (const items_max of items_listed) {
    const inputs = await smallInputs(queries, attempt, asserted, items_max);
    if (inputs) return inputs;
  }
  return undefined;
}

async function smallInputs(
  queries: Queries,
  { t, args }: Attempt,
  asserted: readonly Term[],
  items_max: number,
): Promise<readonly PythonValue[] | undefined> {
  const plains = args.flatMap((arg) => arg.plains);
  const tags = args.flatMap(({ tag }) => tag ?? []);
  const terms = [...tags, ...plains.flatMap((plain) => termsToTell(t, plain, items_max))];
  const lengths = plains.flatMap((plain) => lengthsOf(plain)).map((length) => t.le(length, t.int(BigInt(items_max))));
  const verdict = await queries.values([...asserted, ...lengths], terms);
  if (verdict.kind !== "sat") return undefined;
  const texts = verdict.witness;
  const values = new Map(
    terms.flatMap((term, i): [Term, Concrete][] => {
      const value = readValue(texts[i] ?? "");
      return [[term, value ?? emptyOf(term.sort)]];
    }),
  );
  const read = (term: Term) => values.get(term) ?? term.value;
  const inputs = args.map(({ tag, plains: own }) => {
    const plain = own[tag ? Number(read(tag) ?? 0) : 0];
    return plain && concrete(t, plain, read);
  });
  const present = inputs.flatMap((each): PythonValue[] => (each ? [each] : []));
  return present.length === args.length ? present : undefined;
}

/** Returns the numbers that occur in the terms of a claim and its loops. Random values would rarely hit them. */
function tellingNumbers(refutations: readonly Refutation[], groups: readonly Group[]): bigint[] {
  const loops = allGroups(groups).flatMap(({ members }) => members.map(({ loop }) => loop));
  const steps = loops.flatMap(({ cells, running }) => [running, ...cells.map(({ next }) => next)]);
  const numbers = inOrder([...refutations.map(({ when }) => when), ...steps]).flatMap(({ value }) =>
    typeof value === "bigint" && (value > 1n || value < -1n) ? [value, -value] : [],
  );
  return [...new Set(numbers)].filter((each) => each > 0n).slice(0, telling_max);
}

/** Returns these values once for each of the first positions, taken as the position where lists differ. */
function placed(values: ReadonlyMap<Term, Concrete>, places: readonly Term[]): ReadonlyMap<Term, Concrete>[] {
  if (places.length === 0) return [values];
  const at = Array.from({ length: places_tried_max }, (_, i) => BigInt(i));
  return at.map((i) => new Map([...values, ...places.map((place): [Term, Concrete] => [place, i])]));
}

/** Whether one of these runs makes all terms true, at some position where lists can differ. */
export function holdsSomewhere(
  t: Terms,
  runs: readonly ReadonlyMap<Term, Concrete>[],
  terms: readonly Term[],
): boolean {
  const places = [...symbolsIn(terms)].filter((each) => isPlace(t, each));
  return runs.some((values) => placed(values, places).some((each) => holds(each, terms)));
}

/** Returns a random number generator that yields the same numbers in every proof, so that a proof can be repeated. */
function randomBelow(): (bound: number) => number {
  let state = 0x2545f491;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** The terms and facts of one attempt at a proof. */
export interface Attempt {
  readonly t: Terms;
  readonly args: readonly Argument[];
  readonly summaries: readonly Summary[];
  readonly facts: readonly Term[];
  readonly refutations: readonly Refutation[];
  readonly excluded: Term;
  readonly assumes: readonly string[];
  /** The recursive calls that were assumed to satisfy the claim. */
  readonly calls: readonly RecursiveCall[];
}
