import type { AskShortly, GroundShortly } from "../../../../../engines/clingo/index.ts";
import type { Statement } from "../../../../../evidence/asp/tokens.ts";
import { Lines } from "../../../../../kernel/text/lines.ts";
import type { ItemLine } from "../../../language.ts";
import { type Narrowed, narrow, narrowCases, withCases } from "../../../why/parts.ts";
import type { AspProgram } from "../program.ts";
import { type Part, partsOf, textWith } from "./cases.ts";

/**
 * Finds a small set of parts of an unsatisfiable program that, together with the facts, have no answer set. Leaving out
 * an integrity constraint can only add answer sets, so constraints are tested first. If the program has no answer set
 * without them either, its rules are tested. A set is kept only if a clingo run found it unsatisfiable.
 */
export async function conflictOf(
  program: AspProgram,
  { ask, ground, hasTime }: { ask: AskShortly; ground: GroundShortly; hasTime: () => boolean },
): Promise<Narrowed<Part>> {
  const allOf = (isOne: (statement: Statement) => boolean) =>
    program.statements.filter(isOne).map((statement): Part => ({ statement }));
  const [constraints, rules] = [allOf(isConstraint), allOf(isRule)];
  const innocent = constraints.length === 0 || (await ask(textWith(program, constraints, []))) === "unsat";
  const [suspects, cleared] = innocent ? [rules, constraints] : [constraints, []];
  const narrowing = {
    monotone: !innocent,
    hasTime,
    probe: async (kept: readonly Part[], all: readonly Part[]) =>
      (await ask(textWith(program, [...cleared, ...all], kept))) ?? "open",
  };
  const found = await narrow(suspects, narrowing);
  return narrowCases(
    found,
    await partsOf(
      found.parts.map(({ statement }) => statement),
      program,
      ground,
    ),
    narrowing,
  );
}

/** Whether a statement is an integrity constraint; leaving one out can only add answer sets. */
export function isConstraint({ tokens }: Statement): boolean {
  return tokens[0]?.text === ":-";
}

/** Whether a statement derives or chooses atoms; facts and directives do not count, since they are never left out. */
export function isRule({ tokens }: Statement): boolean {
  const [first] = tokens;
  if (first?.text === ":-" || first?.text === ":~" || first?.kind === "directive") return false;
  return tokens.some(({ text }) => text === ":-" || text === "{");
}

/** Returns the position of a statement, the first line of its text, and the cases among the given parts. */
export function placeOf({ item, tokens }: Statement, parts: readonly Part[], items: readonly string[]): ItemLine {
  const text = items[item] ?? "";
  const start = tokens[0]?.at ?? 0;
  const [first = ""] = text.slice(start, (tokens.at(-1)?.at ?? start) + 1).split("\n");
  return withCases({ item, line: new Lines(text).at(start).line, text: first }, parts);
}
