import { DOUBT_REASONS, type Doubt, type DoubtReason } from "../../../../evidence/flatzinc/trust.ts";
import { placed } from "../../../../evidence/minizinc/tokens.ts";
import type { Position } from "../../../../kernel/fault.ts";
import type { Limit } from "../../../../kernel/verdict.ts";

/** For each reason for doubt: why a solver's claims are not accepted, and what to do instead. */
const ways_on: Readonly<Record<DoubtReason, { readonly because: string; readonly instead: string }>> = {
  [DOUBT_REASONS.reach]: {
    because: "can't compute with all numbers of the model",
    instead: "Give all variables small bounds, or try another solver",
  },
  [DOUBT_REASONS.float]: {
    because: "computes with rounded floats and can lose solutions",
    instead:
      "Scale to integers (cents instead of 0.01, grams instead of 0.001), which are exact; or write the model in z3, whose reals are exact",
  },
  [DOUBT_REASONS.compiler]: {
    because: "received the compiled model, in which MiniZinc's compiler computed parameters with rounded floats",
    instead:
      "Write integers instead of decimals (cents instead of 0.01, tenths instead of 0.1), which are exact: for a table, declare array of int: pay_hundredths instead of pay; or write the model in z3, whose reals are exact",
  },
  [DOUBT_REASONS.remainder]: {
    because: "treats remainders of negative numbers as non-negative",
    instead: 'Use solver "gecode"',
  },
  [DOUBT_REASONS.library]: {
    because: "received a compiled model in which its library had lost values",
    instead:
      'Use another solver: "gecode", or "chuffed" for powers; keep bases and divisors away from 0 by their domains',
  },
  [DOUBT_REASONS.unmeasured]: {
    because: "was not tested on all constraints of the model",
    instead: "Use another solver, or write these constraints with sums, comparisons and table",
  },
  [DOUBT_REASONS.misstated]: {
    because: "received an incorrect compiled model from MiniZinc's library",
    instead:
      "Write its meaning with forall, sum and table; or keep indices and divisors within their defined range; or write occurs(o) /\\ deopt(o) >= 3 for not (o < 3) of an optional o, and o default 0 for a bare deopt(o)",
  },
  [DOUBT_REASONS.engine]: {
    because: "was wrong on models like this one",
    instead: "Add check: true to ask another solver, or name another solver",
  },
  [DOUBT_REASONS.restricted]: {
    because: "searched only where the solve item's annotations allow",
    instead: "Remove on_restart: then the verdict is about the whole model",
  },
};

/** Recommends a solver for reals, and states its limits; its claims are as good as any solver's if Z3 confirms them. */
const for_sums =
  '; or use solver "highs", which is quick if reals are only added and compared (no product of two variables, one solution, < as <= with a small distance), and whose claims Z3 then checks';

/** Explains why a solver's claim is not accepted, and suggests the next step. */
export function doubtNote(
  doubt: readonly Doubt[],
  solver: string,
  others: readonly string[],
  position?: Position,
): string {
  const reason = doubt[0]?.reason ?? DOUBT_REASONS.reach;
  const { because, instead } = ways_on[reason];
  const whats = doubt.filter((each) => each.reason === reason).map((each) => each.what);
  const what = listed(whats);
  const names = reason === DOUBT_REASONS.reach && others.length > 0 ? ` (${others.join(", ")})` : "";
  const sums = reason === DOUBT_REASONS.float && others.includes("highs") ? for_sums : "";
  return `${position ? placed(position) : ""}The solver's claim is not trusted: ${solver} ${because} (${what}). ${instead}${names}${sums}.`;
}

/**
 * Lists the first few doubts. Variables that the compiler introduced are listed only if there is nothing else, and
 * without their names.
 */
export function listed(doubt: readonly string[]): string {
  const own = doubt.filter((each) => !each.startsWith("X_INTRODUCED"));
  const plain = doubt.map((each) => each.replace(/^X_INTRODUCED\w*/, "a sum or product of variables"));
  return [...new Set(own.length > 0 ? own : plain)].slice(0, 3).join(", ");
}

/** The remark used if none of MiniZinc's solvers can be rerun with fewer constraints. */
export const no_conflict_note =
  "The conflicting constraints were not searched for; to find them, delete items one by one and solve again.";

/** States which limit ended the search, and suggests the next step towards a better solution. */
export function limitNote(limit: Limit, optimises: boolean, step: string): string {
  const name = `${limit} limit`;
  if (!optimises) return `The ${name} was reached: there may be more solutions.`;
  return `The ${name} was reached: this is the best solution found so far; better ones may exist. ${step}`;
}

/**
 * Suggests the next step after a search that reached its limit: to use a solver that did not run, the most suitable
 * first.
 */
export function nextStep(others: readonly string[], uses_floats: boolean): string {
  if (others.length === 0)
    return `All solvers that suit the model ran: raise timeout_ms, or ${uses_floats ? for_floats : for_whole_numbers}.`;
  return `Another solver might do better: ${others.map((each) => `"${each}"`).join(", ")}.`;
}

const for_whole_numbers =
  "write it in the language cpmpy, whose CP-SAT is often quicker on schedules, routes and rosters";
const for_floats =
  "scale the reals to whole numbers with small bounds, which more solvers take; or write it in the language z3, whose reals are exact";

/** The statistics that show how hard the model was; solvers report about twenty more. */
const shown_statistics: ReadonlySet<string> = new Set([
  "variables",
  "nodes",
  "failures",
  "restarts",
  "nSolutions",
  "objectiveBound",
  "solveTime",
]);

/** Returns the statistics to show in an answer: those that are useful to a reader. */
export function shownStatistics(all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => shown_statistics.has(name)));
}
