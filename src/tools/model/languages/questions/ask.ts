import type { Outcome } from "../../language.ts";
import { type AllAnswer, listedIn, noAnswer } from "./answer.ts";
import { expectObjective, type Question } from "./question.ts";

/**
 * The outcome with the answer to a question about all solutions: of a model with an objective, about the optimal ones.
 * The engine is asked only where the model has a solution. Raises `invalid_argument` for a ranking without an objective.
 */
export async function withAnswer(
  outcome: Outcome,
  question: Question,
  ask: () => Promise<AllAnswer>,
): Promise<Outcome> {
  const { verdict } = outcome;
  if (verdict.kind === "unsat") {
    const is_plain = question.kind === "count" && verdict.under === undefined;
    return is_plain ? { ...outcome, all_answer: none } : outcome;
  }
  if (verdict.kind === "undecided") return { ...outcome, all_answer: noAnswer(question, "the model was not solved") };
  expectObjective(question, verdict.best !== undefined);
  const all_answer = verdict.best?.proved === false ? noAnswer(question, not_proved) : withFirst(question, await ask());
  const solutions = listedIn(all_answer);
  const answered = { ...outcome, verdict: solutions ? { ...verdict, solutions } : verdict, all_answer };
  return question.check ? { ...answered, ...uncovered(outcome, question) } : answered;
}

/** A count of a model that has a solution: it is one at least, wherever counting ended. */
function withFirst(question: Question, answer: AllAnswer): AllAnswer {
  if (answer.kind !== "count" || answer.number !== "0") return answer;
  return answer.exact
    ? noAnswer(question, "the engine that counts found no solution, and the model has one")
    : { ...answer, number: "1" };
}

/** What `check` leaves open: a second engine confirms an unsat or an optimum, and no question about all solutions. */
function uncovered(
  { verdict, warnings }: Outcome,
  { kind }: Question,
): Pick<Outcome, "unconfirmed"> | Pick<Outcome, "warnings"> {
  if (verdict.kind !== "sat" || !verdict.best?.proved)
    return { unconfirmed: `check confirms an unsat and an optimum, not the answer to ${kind}` };
  return { warnings: [...warnings, `check is about the optimum; the answer to ${kind} is that of one engine.`] };
}

const not_proved = "the optimum is not proved, and the solutions of a model with an objective are the optimal ones";

const none: AllAnswer = {
  kind: "count",
  over: [],
  left_out: [],
  number: "0",
  exact: true,
  method: "the proof of unsat",
};
