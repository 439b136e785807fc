import * as z from "zod/v4";
import { versionsIn } from "../../engines/engine.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { type Decided, namesOf } from "../../tools/model/bundle/make.ts";
import type { Plain } from "../../tools/model/language.ts";
import { openLanguages } from "../../tools/model/languages/index.ts";
import { solve_options } from "../../tools/model/languages/options.ts";
import { model_limits } from "../../tools/model/limits.ts";
import { smtlib } from "../solve/language.ts";
import type { Session } from "../solve/session.ts";

/** Describes how to answer a question without Verdict. Raises the same faults as the question's language. */
export async function plainOf(
  { engines, signal }: Session,
  { language, items, options, data, answer }: Pick<Decided, "language" | "items" | "options" | "data" | "answer">,
): Promise<Plain> {
  const names = namesOf(language, items);
  if (language === smtlib) return { ...plainSmtlib(items, names), versions: versionsIn(await engines.z3.probe()) };
  const named = openLanguages(engines).find(({ id }) => id === language);
  if (!named) throw new Fault("invalid_argument", `There is no language "${language}".`, ["name another one"]);
  // Explanations exist only in Verdict.
  const { why: _, ...asked } = z.object(solve_options).parse(options);
  const of_model = { ...asked, ...(data && { data }) };
  const filed = { items, names, options: of_model, engine: String(answer["engine"]) };
  return named.plain(filed, new Deadline(model_limits.change_ms_max, signal));
}

/** Prepares a script for any SMT solver; adds `check-sat` if it is missing, as `solve_smtlib` does. */
function plainSmtlib(items: readonly string[], [file = ""]: readonly string[]): Omit<Plain, "versions"> {
  const checks = items.some((text) => /\(\s*check-sat/.test(text));
  const command = checks ? `z3 ${file}` : `{ cat ${file}; echo "(check-sat)"; } | z3 -in`;
  return { files: {}, command, needs: "Z3; other SMT solvers can read the file too" };
}
