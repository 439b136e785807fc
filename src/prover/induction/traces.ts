/** Runs loops on concrete values. Candidates for invariants are read from these runs before they are proved. */

import type { TimeBudget } from "../ask/time_budget.ts";
import { type Concrete, evaluator, Valueless } from "../logic/evaluate.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Loop } from "../run/parts.ts";

/** Loops that run together. Each continues for as long as it can, whatever the others do. */
export interface Group {
  readonly members: readonly Member[];
  readonly inner: readonly Group[];
}

export interface Member {
  readonly loop: Loop;
  /** The condition that the loop takes another step, in an iteration of the loops around it. */
  readonly runs: Term;
}

/** The values of all symbols when an iteration of a group begins, or after the last one. */
export type Snapshot = ReadonlyMap<Term, Concrete>;

export interface Trace {
  readonly snapshots: Snapshot[];
  /** Pairs of snapshots, taken before and after one step. */
  readonly steps: [Snapshot, Snapshot][];
}

export type Traces = Map<Group, Trace>;

const iterations_max = 60;

/** Runs groups one after the other. Returns false if a group did not end or a term has no value. */
export async function runGroups(
  groups: readonly Group[],
  values: Map<Term, Concrete>,
  traces: Traces,
  budget: TimeBudget,
): Promise<boolean> {
  try {
    return await runAll(groups, values, traces, budget);
  } catch (error) {
    if (error instanceof Valueless) return false;
    throw error;
  }
}

async function runAll(
  groups: readonly Group[],
  values: Map<Term, Concrete>,
  traces: Traces,
  budget: TimeBudget,
): Promise<boolean> {
  for (const group of groups) if (!(await runGroup(group, values, traces, budget))) return false;
  return true;
}

async function runGroup(
  group: Group,
  values: Map<Term, Concrete>,
  traces: Traces,
  budget: TimeBudget,
): Promise<boolean> {
  const trace = traces.get(group);
  const before = evaluator(values);
  for (const { loop } of group.members) for (const { symbol, first } of loop.cells) values.set(symbol, before(first));
  let last: Snapshot | undefined;
  for (let i = 0; i < iterations_max; i++) {
    budget.check();
    const now = evaluator(values);
    const snapshot = new Map(values);
    trace?.snapshots.push(snapshot);
    if (last) trace?.steps.push([last, snapshot]);
    last = snapshot;
    const running = group.members.filter(({ runs }) => now(runs) === true);
    if (running.length === 0) {
      for (const each of group.inner) enter(each, values);
      return true;
    }
    if (!(await runAll(group.inner, values, traces, budget))) return false;
    const after = evaluator(values);
    const next = running.flatMap(({ loop }) =>
      loop.cells.map(({ symbol, next }): [Term, Concrete] => [symbol, after(next)]),
    );
    for (const [symbol, value] of next) values.set(symbol, value);
  }
  return false;
}

/** Sets the variables of inner loops that no iteration reached to the values with which they would begin. */
function enter({ members, inner }: Group, values: Map<Term, Concrete>): void {
  const read = evaluator(values);
  for (const { loop } of members)
    for (const { symbol, first } of loop.cells) if (!values.has(symbol)) values.set(symbol, read(first));
  for (const each of inner) enter(each, values);
}

/** Makes a separate group of each loop. */
export function separate(t: Terms, loops: readonly Loop[], condition: Term): Group[] {
  return loops.map((loop) => {
    const runs = t.and(condition, loop.entry, loop.running);
    return { members: [{ loop, runs }], inner: separate(t, loop.inner, runs) };
  });
}

/** Returns all groups, including inner ones. */
export function allGroups(groups: readonly Group[]): Group[] {
  return groups.flatMap((group) => [group, ...allGroups(group.inner)]);
}
