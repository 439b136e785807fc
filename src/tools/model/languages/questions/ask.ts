import { undecided } from "../../../../kernel/verdict.ts";
import type { Outcome, SolveVerdict } from "../../language.ts";
import { type AllAnswer, listedIn, noAnswer } from "./answer.ts";
import { expectObjective, type Question } from "./question.ts";

/**
 * Adds the answer to a question about all solutions to an outcome. If the model has an objective, the question is about
 * the optimal solutions. The engine is asked only if the model has a solution. Raises `invalid_argument` for a ranking
 * without an objective.
 */
export async function withAnswer(
  outcome: Outcome,
  question: Question,
  ask: () => Promise<AllAnswer>,
): Promise<Outcome> {
  const { verdict } = outcome;
  if (verdict.kind === "unsat") {
    if (verdict.under !== undefined) return outcome;
    if (question.kind === "plan")
      return { ...outcome, all_answer: { kind: "plan", ...unseen(question), possible: false } };
    return question.kind === "count" ? { ...outcome, all_answer: none } : outcome;
  }
  if (verdict.kind === "undecided") return { ...outcome, all_answer: noAnswer(question, "the model was not solved") };
  expectObjective(question, verdict.best !== undefined);
  const all_answer =
    verdict.best?.proved === false && question.kind !== "plan"
      ? noAnswer(question, not_proved)
      : withFirst(question, await ask());
  if (question.kind === "plan") return withPlan(outcome, all_answer);
  const solutions = listedIn(all_answer);
  const answered = { ...outcome, verdict: solutions ? { ...verdict, solutions } : verdict, all_answer };
  return question.check ? { ...answered, ...uncovered(outcome, question) } : answered;
}

/** Makes a count at least one if the model is known to have a solution, wherever counting ended. */
function withFirst(question: Question, answer: AllAnswer): AllAnswer {
  if (answer.kind !== "count" || answer.number !== "0") return answer;
  return answer.exact
    ? noAnswer(question, "the counting engine found no solution, but the model has one")
    : { ...answer, number: "1" };
}

/**
 * Says what `check` does not cover: a second engine confirms an unsat or an optimum, but no answer about all solutions.
 */
function uncovered(
  { verdict, warnings }: Outcome,
  { kind }: Question,
): Pick<Outcome, "unconfirmed"> | Pick<Outcome, "warnings"> {
  if (verdict.kind !== "sat" || !verdict.best?.proved)
    return { unconfirmed: `check confirms an unsat and an optimum, not the answer to ${kind}` };
  return { warnings: [...warnings, `check covers only the optimum; the answer to ${kind} comes from one engine.`] };
}

/** Replaces the outcome for the model alone with the outcome for the model with a plan. */
function withPlan(outcome: Outcome, answer: AllAnswer): Outcome {
  const { verdict } = outcome;
  const known = verdict.kind === "sat" ? verdict.best : undefined;
  const common = { statistics: outcome.statistics, output: [], warnings: outcome.warnings, engine: outcome.engine };
  if (answer.kind !== "plan")
    return {
      ...common,
      verdict: undecided("incomplete", answer.reason ?? "the plan was not compared"),
      all_answer: answer,
    };
  const best = known && { best: { value: known.value, proved: known.proved === true } };
  const { values = {}, objective, proved = false, changes } = answer;
  const of_few = changes && { among: few_changes };
  const found: SolveVerdict = {
    kind: "sat",
    witness: { values },
    ...(known && { best: { value: objective ?? null, proved, ...of_few } }),
  };
  return { ...common, verdict: answer.possible ? found : { kind: "unsat" }, all_answer: { ...answer, ...best } };
}

/** Returns the names in a plan for a model without a solution, in which case nothing is compared. */
function unseen({ plan, keep }: Question): { readonly over: string[]; readonly left_out: string[] } {
  return { over: Object.keys({ ...keep?.values, ...plan }), left_out: [] };
}

/** If a plan is kept, the objective is the best only among these solutions. */
export const few_changes = "with as few changes";

const not_proved = "the optimum is not proved, and the solutions of a model with an objective are the optimal ones";

const none: AllAnswer = {
  kind: "count",
  over: [],
  left_out: [],
  number: "0",
  exact: true,
  method: "the proof of unsat",
};
