import type { Solution } from "../../../../../engines/minizinc/read.ts";
import { doubtsOn } from "../../../../../evidence/flatzinc/trust.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import type { Term } from "../../../../../kernel/evidence.ts";
import type { Account } from "../explain/terms.ts";
import { model_file } from "../faults.ts";
import type { Model } from "../model.ts";
import { ask, type Question, type Reply, readable, solverId, timeToSolve } from "../question.ts";
import { fixedAt } from "../source/fixed.ts";
import type { Call } from "./acceptance.ts";

/**
 * The result of evaluating the model's own text with given values: the values are a solution, they violate something,
 * or the question is undecided.
 */
export type Evaluation =
  | { readonly kind: "holds"; readonly terms?: readonly Term[] | undefined }
  | { readonly kind: "broken"; readonly what: string }
  | { readonly kind: "open"; readonly why: string };

/**
 * Evaluates the model's own text with a solution's values as plain data, so that the result does not depend on how
 * MiniZinc translates constraints on variables. Gecode decides the values of `let` variables and of variables without a
 * value; its answer counts if it is trusted. If `account` is given, the same run computes the objective's terms. Raises
 * `cancelled`.
 */
export async function evaluated(
  { run, build, model }: Pick<Call, "run" | "build" | "model">,
  question: Question,
  solution: Solution,
  deadline: Deadline,
  account?: Account,
): Promise<Evaluation> {
  const fixed = fixedAt(question, solution);
  if (!fixed)
    return { kind: "open", why: "the model asks for domains, or for positions of elements that can be absent" };
  const solver = solverId(build, undefined);
  const time_ms = timeToSolve(deadline.left_ms);
  if (time_ms <= 0) return too_late;
  // Numeric constraints built into a solver compute nothing before the search starts, and not all of them are trusted.
  const source = account ? `${fixed.source}\nconstraint trace_stdout(${account.written});\n` : fixed.source;
  const reply = await ask(run, build, { ...fixed, source, solver, time_ms, without_globals: true }, deadline);
  const { answer, end, compiled } = reply;
  const [error] = answer.errors;
  if (error && /undefined/.test(error.what)) return { kind: "broken", what: whatIsBroken(reply, model) };
  if (error) return { kind: "open", why: `MiniZinc says: ${error.message}` };
  if (end.ending.kind !== "exited" || end.ending.code !== 0) return too_late;
  const compiled_model = readable(compiled);
  if (!compiled_model || doubtsOn(compiled_model, solver).length > 0)
    return { kind: "open", why: "no trusted solver decides what the values leave undetermined" };
  if (reply.solutions_seen > 0)
    return { kind: "holds", terms: answer.traces.map((text) => account?.read(text)).find((terms) => terms) };
  return answer.status === "UNSATISFIABLE" ? { kind: "broken", what: whatIsBroken(reply, model) } : too_late;
}

const too_late = { kind: "open", why: "there was no time left" } as const;

/** Describes which statement is false, as far as MiniZinc reports it, by its outermost position in the model. */
function whatIsBroken({ answer: { errors, warnings } }: Reply, { lines }: Pick<Model, "lines">): string {
  const remark = errors[0] ?? warnings.findLast(({ message }) => message.startsWith("model inconsistency"));
  const place = remark?.places.findLast(({ file }) => file === model_file);
  const position = place && lines.positionOf(place.line, place.column);
  const where = position ? `item ${position.item}, line ${position.line}` : "the model";
  return `${where}${errors[0] ? ` (${errors[0].message})` : ", which is false for them"}`;
}
