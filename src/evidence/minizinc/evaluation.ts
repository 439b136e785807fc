import type { Solution } from "../../engines/minizinc/read.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { confirmed, type Finding, open, refuted, type Term } from "../../kernel/evidence.ts";
import { doubtsOn } from "../flatzinc/trust.ts";
import type { AskedModel, Asking } from "./asking.ts";
import { model_file } from "./data_files.ts";
import { fixedAt } from "./fixed.ts";
import { ask, type Question, type Reply, readable, solverId, timeToSolve } from "./question.ts";

/** What each summand of an objective contributes. */
export interface Account {
  /** A MiniZinc expression that writes this as a text, for a model whose variables are fixed. */
  readonly written: string;
  /** Reads such a text; undefined if this is another text. */
  readonly read: (text: string) => readonly Term[] | undefined;
}

/**
 * Evaluates the model's own text with a solution's values as plain data, so that the result does not depend on how
 * MiniZinc translates constraints on variables. Gecode decides the values of `let` variables and of variables without a
 * value; its answer counts if it is trusted. If `account` is given, the same run computes the objective's terms. Raises
 * `cancelled`.
 */
export async function evaluated(
  { run, build, model }: Pick<Asking, "run" | "build" | "model">,
  question: Question,
  solution: Solution,
  deadline: Deadline,
  account?: Account,
): Promise<Finding> {
  const fixed = fixedAt(question, solution);
  if (!fixed) return open("the model asks for domains, or for positions of elements that can be absent");
  const solver = solverId(build, undefined);
  const time_ms = timeToSolve(deadline.left_ms);
  if (time_ms <= 0) return too_late;
  // Numeric constraints built into a solver compute nothing before the search starts, and not all of them are trusted.
  const source = account ? `${fixed.source}\nconstraint trace_stdout(${account.written});\n` : fixed.source;
  const reply = await ask(run, build, { ...fixed, source, solver, time_ms, without_globals: true }, deadline);
  const { answer, end, compiled } = reply;
  const [error] = answer.errors;
  if (error && /undefined/.test(error.what)) return refuted(whatIsBroken(reply, model));
  if (error) return open(`MiniZinc says: ${error.message}`);
  if (end.ending.kind !== "exited" || end.ending.code !== 0) return too_late;
  const compiled_model = readable(compiled);
  if (!compiled_model || doubtsOn(compiled_model, solver).length > 0)
    return open("no trusted solver decides what the values leave undetermined");
  if (reply.solutions_seen > 0) {
    const terms = answer.traces.map((text) => account?.read(text)).find((terms) => terms);
    return { ...confirmed([]), ...(terms && { account: { terms: [...terms], findings: [] } }) };
  }
  return answer.status === "UNSATISFIABLE" ? refuted(whatIsBroken(reply, model)) : too_late;
}

const too_late = open("there was no time left");

/** Describes which statement is false, as far as MiniZinc reports it, by its outermost position in the model. */
function whatIsBroken({ answer: { errors, warnings } }: Reply, { lines }: Pick<AskedModel, "lines">): string {
  const remark = errors[0] ?? warnings.findLast(({ message }) => message.startsWith("model inconsistency"));
  const place = remark?.places.findLast(({ file }) => file === model_file);
  const position = place && lines.positionOf(place.line, place.column);
  const where = position ? `item ${position.item}, line ${position.line}` : "the model";
  return `${where}${errors[0] ? ` (${errors[0].message})` : ", which is false for them"}`;
}
