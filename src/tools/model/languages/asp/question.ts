import type { ClingoAnswer, Witness } from "../../../../engines/clingo/read.ts";
import { Fault } from "../../../../kernel/fault.ts";
import { limitReached } from "../../../../kernel/verdict.ts";
import type { Outcome, SolveOptions, SolveVerdict } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { answerSet } from "./answer_sets.ts";
import type { Turn } from "./objective.ts";

/** The question that is asked about a program's answer sets. */
export interface Asked {
  readonly reasoning: "models" | "brave" | "cautious";
  /** The number of requested answer sets, which must be optimal if there are costs. */
  readonly models: number;
  readonly all: boolean;
}

/** Reads the question from a call's options. Raises `invalid_argument` for mutually exclusive options. */
export function askedFor({ reasoning = "models", max_models, all_solutions = false }: SolveOptions): Asked {
  if (reasoning !== "models" && (max_models !== undefined || all_solutions)) {
    throw new Fault(
      "invalid_argument",
      `reasoning "${reasoning}" covers all answer sets and gives one list of atoms.`,
      ["leave max_models and all_solutions out", 'leave reasoning out (or send "models") to see answer sets'],
    );
  }
  return { reasoning, models: max_models ?? (all_solutions ? model_limits.solutions_max : 1), all: all_solutions };
}

/**
 * Returns the clingo options. Without a number, clingo searches for one answer set, or for an optimal one if there are
 * costs. If several answer sets are requested, they differ in their shown atoms, and all are optimal. Consequences are
 * correct only if the search space is exhausted and, if there are costs, the optimal costs are found first (`optN`).
 */
export function argsOf({ reasoning, models }: Asked): string[] {
  if (reasoning !== "models") return ["--opt-mode=optN", `--enum-mode=${reasoning}`, "--models=0"];
  return models === 1 ? [] : ["--opt-mode=optN", "--project=show", `--models=${models}`];
}

type Sat = Extract<ClingoAnswer, { kind: "sat" }>;

/**
 * Adds the missing costs for a program whose objective was removed by grounding because none of its atoms can hold:
 * each answer set costs 0, but clingo reports no cost. Returns undefined for any other answer.
 */
export function withZeroCosts(answer: ClingoAnswer): Sat | undefined {
  if (answer.kind !== "sat" || answer.witness.costs.length > 0) return undefined;
  const costed = (witness: Witness): Witness => ({ ...witness, costs: [0] });
  return { ...answer, witness: costed(answer.witness), witnesses: answer.witnesses.map(costed), optimum: true };
}

/** Builds the verdict from the witnesses of a satisfiable program. */
export function solutionOf(
  answer: Sat,
  asked: Asked,
  turn: Turn,
): Pick<Outcome, "verdict" | "statistics" | "warnings"> {
  const { witness, search, statistics } = answer;
  const warnings = remarkOn(answer, asked, witness.costs.length > 0);
  const limit = search === "exhausted" || search === "enough" ? undefined : search;
  // Consequences concern all answer sets, so they are unknown if a limit ended the search.
  if (limit && asked.reasoning !== "models") return { verdict: limitReached(limit), statistics, warnings };
  return {
    verdict: foundIn(answer, asked, turn),
    statistics: { ...statistics, exhausted: search === "exhausted" },
    warnings,
  };
}

/** What the atoms that clingo returns say about all answer sets. */
const consequences = {
  brave: (which: string) =>
    `each of these atoms holds in some ${which}answer set; all of them together need not be an answer set`,
  cautious: (which: string) => `these atoms hold in every ${which}answer set; alone they need not be an answer set`,
} as const;

function foundIn({ witness, witnesses, optimum }: Sat, asked: Asked, turn: Turn): SolveVerdict {
  const { atoms } = witness;
  const costs = turn(witness.costs);
  const has_costs = costs.length > 0;
  const several = asked.reasoning === "models" && asked.models > 1 && (!has_costs || optimum);
  return {
    kind: "sat",
    witness: { values: answerSet(atoms) },
    ...(asked.reasoning !== "models" && { of_all: consequences[asked.reasoning](has_costs ? "best " : "") }),
    ...(has_costs && { best: { value: costs.length > 1 ? costs : costs[0], proved: optimum } }),
    ...(several && {
      solutions: distinct(witnesses, witness)
        .slice(0, asked.models)
        .map((each) => answerSet(each.atoms)),
    }),
  };
}

/**
 * Returns the answer sets with the same costs as the last one, without repetitions: clingo lists the optimal one twice,
 * before and after the proof.
 */
export function distinct(witnesses: readonly Witness[], last: Witness): Witness[] {
  const costs = last.costs.join();
  const best = witnesses.filter((witness) => witness.costs.join() === costs);
  return [...new Map(best.map((witness) => [witness.atoms.join(" "), witness])).values()];
}

function remarkOn({ search, optimum }: Sat, { reasoning, models, all }: Asked, has_costs: boolean): string[] {
  if (search === "enough") {
    return all ? [`Only the first ${models} answer sets were requested; there may be more.`] : [];
  }
  if (search === "exhausted")
    return all && !(has_costs && !optimum)
      ? [`These are all ${has_costs ? "best " : ""}answer sets, distinguished by the shown atoms.`]
      : [];
  const limit = { time: "time limit", memory: "memory limit", output: "output limit" }[search];
  if (reasoning !== "models")
    return [
      `The ${limit} was reached before all answer sets were enumerated: the ${reasoning} consequences are not known.`,
    ];
  if (has_costs && !optimum)
    return [`The ${limit} was reached: this is the best answer set found so far; it is not proved optimal.`];
  return models > 1 ? [`The ${limit} was reached: there may be more answer sets than these.`] : [];
}
