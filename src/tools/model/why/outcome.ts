import { undecided } from "../../../kernel/verdict.ts";
import type { Outcome, SolveContext, SolveVerdict, Why } from "../language.ts";
import { explain, type Part, type WhyQuestion } from "./explain.ts";

/** Prepares a language's data for an explanation, or returns a sentence that says why none is possible. */
export type WhyQuestionOf = (
  about: Why["about"],
) => Omit<WhyQuestion, "about"> | string | Promise<Omit<WhyQuestion, "about"> | string>;

/** Adds an explanation to the outcome, if the call asks for one. Raises `cancelled`. */
export async function explained(
  outcome: Outcome,
  { options, deadline, progress }: SolveContext,
  whyQuestionOf: WhyQuestionOf,
): Promise<Outcome> {
  // For a plan, the only question is what violates it.
  if (options.why !== true || (options.plan && outcome.verdict.kind !== "unsat")) return outcome;
  const about = subjectOf(outcome.verdict);
  if (about === undefined) return withWarning(outcome, nothingToExplain(outcome.verdict));
  const why_question = await whyQuestionOf(about);
  if (typeof why_question === "string") return withWarning(outcome, why_question);
  progress(about === "unsat" ? "finding out what to drop" : "finding out what prevents a better objective");
  const why = await explain({ ...why_question, about }, deadline);
  return why === "refuted" ? withoutProof(outcome) : { ...outcome, why };
}

/** Returns the indices of the parts that the verdict reports as conflicting. */
export function knownAmong(parts: readonly Part[], verdict: SolveVerdict): number[] | undefined {
  const named = verdict.kind === "unsat" ? verdict.core?.items : undefined;
  const isNamed = ({ place }: Part) =>
    named?.some(
      ({ item, line, cases }) =>
        item === place.item &&
        line === place.line &&
        (place.cases?.every((each) => cases?.includes(each) ?? true) ?? true),
    );
  return named && parts.flatMap((part, index) => (isNamed(part) ? [index] : []));
}

/** Returns what can be explained about a verdict; only proved results can be. */
function subjectOf(verdict: SolveVerdict): Why["about"] | undefined {
  if (verdict.kind === "unsat") return "unsat";
  return verdict.kind === "sat" && verdict.best?.proved === true ? "optimum" : undefined;
}

function nothingToExplain(verdict: SolveVerdict): string {
  if (verdict.kind !== "sat") return "why: nothing was proved, so there is nothing to explain.";
  if (verdict.best) return "why: this value is not proved optimal, so there is nothing to explain; raise timeout_ms.";
  return "why explains an unsat or an optimum, and this model is satisfiable and has no objective. Add an objective, or the constraint that you expect to be impossible; backbone says what holds in all solutions.";
}

/** Withdraws the verdict, since the search found a solution that the verdict excludes. */
function withoutProof(outcome: Outcome): Outcome {
  const { verdict } = outcome;
  if (verdict.kind === "sat" && verdict.best) {
    const best = { ...verdict.best, proved: false };
    return withWarning({ ...outcome, verdict: { ...verdict, best } }, better_found);
  }
  const { unconfirmed: _, confirmed_by: __, ...rest } = outcome;
  return { ...rest, verdict: undecided("unconfirmed", solution_found) };
}

const better_found = "why: a better objective value was found, so this value is not optimal.";
const solution_found = "it was reported unsat, but the search for an explanation found a solution";

function withWarning(outcome: Outcome, warning: string): Outcome {
  return { ...outcome, warnings: [...outcome.warnings, warning] };
}
