import type { Outcome } from "../../language.ts";
import { expectObjective, type Question } from "./question.ts";
import { listedIn, type Told, untold } from "./told.ts";

/**
 * The outcome with the answer to a question about all solutions: of a model with an objective, about the optimal ones.
 * The engine is asked only where the model has a solution. Raises `invalid_argument` for a ranking without an objective.
 */
export async function withAnswer(outcome: Outcome, question: Question, ask: () => Promise<Told>): Promise<Outcome> {
  const { verdict } = outcome;
  if (verdict.kind === "unsat") {
    const is_plain = question.kind === "count" && verdict.under === undefined;
    return is_plain ? { ...outcome, told: none } : outcome;
  }
  if (verdict.kind === "undecided") return { ...outcome, told: untold(question, "the model was not solved") };
  expectObjective(question, verdict.best !== undefined);
  const told = verdict.best?.proved === false ? untold(question, not_proved) : await ask();
  const solutions = listedIn(told);
  return { ...outcome, verdict: solutions ? { ...verdict, solutions } : verdict, told };
}

const not_proved = "the optimum is not proved, and the solutions of a model with an objective are the optimal ones";

const none: Told = { kind: "count", over: [], left_out: [], number: "0", exact: true, method: "the proof of unsat" };
