/** Proves that loops terminate, by their form or by a non-negative number that every iteration decreases. */
import { unless } from "../../kernel/unless.ts";
import { evaluator, Valueless } from "../logic/evaluate.ts";
import { INT, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Loop } from "../run/parts.ts";
import { allGroups, type Group, type Member, type Trace } from "./traces.ts";

const ranks_tried_max = 6;

/** Proves facts that hold at the start of every iteration of a loop. */
interface Steps {
  everyStep(group: Group, member: Member, goal: Term): Promise<boolean>;
}

export type Ending =
  /** Every loop terminates on every input. */
  | "all"
  /** The compared loops make the same number of steps: both terminate, or neither does. */
  | "together"
  /** It is not known whether this loop terminates. */
  | { readonly unended: Loop };

export async function ending(
  t: Terms,
  invariants: Steps,
  groups: readonly Group[],
  scalars: readonly Term[],
  traces: ReadonlyMap<Group, Trace>,
): Promise<Ending> {
  let together = false;
  for (const group of allGroups(groups)) {
    const ends = await Promise.all(group.members.map((member) => member.loop.left !== undefined));
    for (const [i, member] of group.members.entries()) {
      if (!ends[i]) ends[i] = await hasRank(t, invariants, group, member, scalars, traces.get(group));
    }
    if (ends.every(Boolean)) continue;
    const open = group.members.find((_, i) => !ends[i]);
    if (open && !(await inStep(invariants, group))) return { unended: open.loop };
    if (!ends.some(Boolean)) together = true;
  }
  return together ? "together" : "all";
}

/** Whether a group's members always step together. */
async function inStep(invariants: Steps, group: Group): Promise<boolean> {
  const [a, b] = group.members;
  if (!a || !b) return false;
  return (await invariants.everyStep(group, a, b.runs)) && (await invariants.everyStep(group, b, a.runs));
}

async function hasRank(
  t: Terms,
  invariants: Steps,
  group: Group,
  member: Member,
  scalars: readonly Term[],
  trace: Trace | undefined,
): Promise<boolean> {
  const { loop } = member;
  const next = new Map(loop.cells.map(({ symbol, next: after }): [Term, Term] => [symbol, after]));
  // The last step need not decrease the number.
  const goes_on = t.replace(loop.running, next);
  const decreases = (rank: Term) => t.implies(goes_on, t.and(t.le(t.zero, rank), t.lt(t.replace(rank, next), rank)));
  let count = 0;
  for (const rank of ranksOf(t, member, scalars)) {
    if (!fallsIn(t, trace, member, rank)) continue;
    if (++count > ranks_tried_max) return false;
    if (await invariants.everyStep(group, member, decreases(rank))) return true;
  }
  return false;
}

/**
 * Returns the numbers to try: the gaps in the loop's condition, and the variables with their differences, sums and
 * absolute values.
 */
function ranksOf(t: Terms, { loop }: Member, scalars: readonly Term[]): Set<Term> {
  const parts = loop.running.op === "and" ? loop.running.args : [loop.running];
  const gaps = parts.flatMap((part) => (part.op === "<=" && part.args[1] ? [part.args[1]] : []));
  // If the loop runs while one of several gaps is open, each gap closes in its own steps.
  const either = parts.flatMap((part) =>
    part.op === "or" ? [part.args.flatMap(({ op, args }) => (op === "<=" ? (args[1] ?? []) : []))] : [],
  );
  const rests = either.map((each) => each.reduce((sum: Term, gap) => t.add(sum, t.add(gap, t.one)), t.zero));
  const own = loop.cells.map(({ symbol }) => symbol).filter(({ sort }) => sort === INT);
  const ints = [...own, ...scalars.filter(({ sort }) => sort === INT)];
  const differences = own.flatMap((a) => ints.flatMap((b) => (a === b ? [] : [t.sub(a, b), t.sub(b, a)])));
  const absolute = own.map((a) => t.ite(t.lt(a, t.zero), t.neg(a), a));
  const sums = own.flatMap((a, i) => own.slice(i + 1).map((b) => t.add(a, b)));
  return new Set([...gaps, ...rests, ...own, ...differences, ...absolute, ...sums]);
}

/** Whether a number decreased and was not negative in each observed step. */
function fallsIn(t: Terms, trace: Trace | undefined, { runs }: Member, rank: Term): boolean {
  if (!trace || trace.steps.length === 0) return false;
  return (
    unless(Valueless, () => {
      return trace.steps.slice(0, 200).every(([before, after]) => {
        const [x, y] = [evaluator(before), evaluator(after)];
        if (x(runs) !== true || y(runs) !== true) return true;
        return x(t.le(t.zero, rank)) === true && Number(y(rank)) < Number(x(rank));
      });
    }) ?? false
  );
}
