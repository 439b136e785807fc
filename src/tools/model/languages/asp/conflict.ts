import { Lines } from "../../../../kernel/text/lines.ts";
import { joined } from "../../items/item_lines.ts";
import type { ItemLine } from "../../language.ts";
import type { AspProgram, Statement } from "./program.ts";

export interface Conflict {
  readonly statements: readonly Statement[];
  /** Whether no single one of them can be left out; false if the time ran out before that was known. */
  readonly minimal: boolean;
}

/** Asks whether a program has no answer set; undefined if that can't be determined any more. */
export type Probe = (program: string) => Promise<boolean | undefined>;

/**
 * A small set of statements of an unsatisfiable program that have no answer set together with the facts. Leaving out an
 * integrity constraint can only add answer sets, so the constraints are tried first; if the program has no answer set
 * without them, its rules are tried. A run of clingo found each set that is kept to be unsatisfiable.
 */
export async function conflictOf(program: AspProgram, isUnsat: Probe): Promise<Conflict> {
  const constraints = program.statements.filter(isConstraint);
  const rules = program.statements.filter(isRule);
  const without = async (left_out: readonly Statement[]) => isUnsat(textWithout(program, left_out));
  const innocent = constraints.length === 0 || (await without(constraints)) === true;
  const [suspects, cleared] = innocent ? [rules, constraints] : [constraints, []];
  return shrink(suspects, (subset) => {
    const set = new Set(subset);
    return without([...cleared, ...suspects.filter((statement) => !set.has(statement))]);
  });
}

/** Leaves out smaller and smaller pieces while the rest stays unsatisfiable. */
async function shrink(
  suspects: readonly Statement[],
  areUnsat: (subset: readonly Statement[]) => Promise<boolean | undefined>,
): Promise<Conflict> {
  let conflicting = suspects;
  for (let piece = Math.ceil(suspects.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let at = 0; at < conflicting.length; ) {
      const rest = conflicting.toSpliced(at, piece);
      const unsat = await areUnsat(rest);
      if (unsat === undefined) return { statements: conflicting, minimal: false };
      if (unsat) conflicting = rest;
      else at += piece;
    }
  }
  return { statements: conflicting, minimal: true };
}

/** Integrity constraints: leaving one out can only add answer sets. */
export function isConstraint({ tokens }: Statement): boolean {
  return tokens[0]?.text === ":-";
}

/** Statements that derive or choose atoms; facts and directives are not left out. */
export function isRule({ tokens }: Statement): boolean {
  const [first] = tokens;
  if (first?.text === ":-" || first?.text === ":~" || first?.kind === "directive") return false;
  return tokens.some(({ text }) => text === ":-" || text === "{");
}

/** The program without these statements; all others keep their positions. */
export function textWithout({ bare_items, text }: AspProgram, left_out: readonly Statement[]): string {
  if (left_out.length === 0) return text;
  const items = [...bare_items];
  for (const { item, tokens, bounds } of left_out) {
    const start = tokens[0]?.at ?? 0;
    const rule = { start, end: (tokens.at(-1)?.at ?? start) + 1 };
    for (const { start, end } of bounds ? [rule, bounds] : [rule]) {
      const whole = items[item] ?? "";
      items[item] = whole.slice(0, start) + whole.slice(start, end).replaceAll(/[^\n]/g, " ") + whole.slice(end);
    }
  }
  return joined(items);
}

/** The position where a statement begins, and its text up to the end of that line: a line can have several. */
export function placeOf({ item, tokens }: Statement, items: readonly string[]): ItemLine {
  const text = items[item] ?? "";
  const start = tokens[0]?.at ?? 0;
  const [first = ""] = text.slice(start, (tokens.at(-1)?.at ?? start) + 1).split("\n");
  return { item, line: new Lines(text).at(start).line, text: first };
}
