import type { Clingo } from "../../engines/clingo/index.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { confirmed, open } from "../../kernel/evidence.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Ruling } from "../ruling.ts";
import { Ground } from "./ground.ts";
import { largestOfStatement } from "./results.ts";
import { largestResult } from "./terms.ts";
import { closing, type Statement, type Token } from "./tokens.ts";

/** A program as clingo gets it, and the statements of its author. */
export interface AspProblem {
  readonly text: string;
  readonly statements: readonly Statement[];
}

/**
 * Decides whether clingo's answer counts: it does not if a number may have exceeded 32 bits, since clingo wraps such
 * numbers around. If an overflow can be neither found nor excluded, the answer counts, with a warning.
 */
export async function checkNumbers(
  clingo: Pick<Clingo, "ground">,
  problem: AspProblem,
  deadline: Deadline,
): Promise<Ruling> {
  const written = overflowOfWritten(problem);
  if (written === undefined && !buildsNumbers(problem)) return { finding: confirmed([]) };
  const ground = await groundOf(problem, clingo, deadline);
  if (!ground) return { finding: open(not_checked), warning: not_checked };
  const overflow = overflowOfGround(ground, problem);
  return overflow === undefined ? { finding: confirmed([]) } : { finding: open(overflow), doubt: overflow };
}

const not_checked =
  "The check that all results fit into clingo's 32 bits timed out: larger results wrap around silently.";

/** Returns the numbers in the grounded program; undefined if grounding it again took too long. */
async function groundOf(
  { text }: AspProblem,
  clingo: Pick<Clingo, "ground">,
  deadline: Deadline,
): Promise<Ground | undefined> {
  const ground = new Ground();
  const is_whole = await clingo
    .ground(deadline, text, (line) => ground.line(line))
    .catch((error: unknown) => {
      if (error instanceof Fault && error.code === "busy") return false;
      throw error;
    });
  return is_whole ? ground : undefined;
}

/** The aggregates whose elements have weights. */
export const weighing: ReadonlySet<string> = new Set(["#min", "#max", "#sum", "#sum+"]);

/** Whether any aggregate in the program has weights. */
export function weighsNumbers(statements: readonly Statement[]): boolean {
  return statements.some(({ tokens }) => tokens.some(({ text }) => weighing.has(text)));
}

/**
 * Returns the smallest result to reject. In a program with weights, it is 2147483647, which clingo compares wrongly as
 * a weight.
 */
function tooLarge(statements: readonly Statement[]): number {
  return weighsNumbers(statements) ? 2 ** 31 - 1 : 2 ** 31;
}

/**
 * Finds a single product, power or sum of numbers written in the program that can exceed 32 bits, since clingo computes
 * in 32 bits and does not report overflows. For numbers that rules build up, see `Ground`.
 */
export function overflowOfWritten({ statements }: Pick<AspProblem, "statements">): string | undefined {
  // `Math.max(...)` would fail: a call accepts about 100,000 arguments, and a program can have more statements.
  const largest = statements.reduce((most, statement) => Math.max(most, largestNumber(statement)), 0);
  const too_large = tooLarge(statements);
  const risky = statements.find(({ tokens }) => largestResult(tokens, () => largest) >= too_large);
  return risky && overflow(risky, largest);
}

function overflow({ item }: Statement, largest: number): string {
  return `Item ${item}: with numbers up to ${largest}, results can exceed the 32 bits that clingo computes in; they then wrap around silently. Scale the numbers, or model this in the language minizinc, or in the language z3.`;
}

function largestNumber({ tokens }: Statement): number {
  return tokens.reduce((most, { kind, text }) => (kind === "number" ? Math.max(most, Number(text)) : most), 0);
}

/** Whether the program's rules can build up numbers that are not written in the program. */
function buildsNumbers({ statements }: AspProblem): boolean {
  const constants = constantsOf(statements);
  return statements.some(({ tokens }) =>
    tokens.some((_, i) => grows(tokens, i, constants) || isAssignedSum(tokens, i)),
  );
}

/**
 * The maximum step that counts as small: with such steps, counting past 32 bits takes more steps than a program can
 * have.
 */
const small_step_max = 100;

/**
 * Whether an operator can build up large numbers: a product, a power, or a sum of large terms. Adding a small number is
 * harmless, since the number of steps bounds such counting.
 */
function grows(tokens: readonly Token[], i: number, constants: ReadonlyMap<string, number>): boolean {
  const text = tokens[i]?.text;
  if (text === "*" || text === "**") return true;
  const sides = [tokens[i - 1], tokens[i + 1]];
  const is_large = (side: Token | undefined) =>
    side?.kind === "variable" ||
    /^[()|]$/.test(side?.text ?? "") ||
    (side?.kind === "number" ? Number(side.text) : (constants.get(side?.text ?? "") ?? 0)) > small_step_max;
  return (text === "+" || text === "-") && sides.every(is_large);
}

/** Computes bounds on the `#const` values, by name; the definitions can be in any order. */
function constantsOf(statements: readonly Statement[]): Map<string, number> {
  const stated = new Map(
    statements.flatMap(({ tokens: [directive, name, , ...value] }) =>
      directive?.text === "#const" && name ? [[name.text, value] as const] : [],
    ),
  );
  const bounds = new Map<string, number>();
  const boundOf = (name: string, depth = 0): number => {
    const [known, value] = [bounds.get(name), stated.get(name)];
    if (known !== undefined || !value) return known ?? 1;
    const bound =
      depth > chain_max ? Number.POSITIVE_INFINITY : largestResult(value, (each) => boundOf(each, depth + 1));
    bounds.set(name, bound);
    return bound;
  };
  for (const name of stated.keys()) boundOf(name);
  return bounds;
}

/** The maximum length of a chain of constants; the values of a longer chain count as too large. */
const chain_max = 100;

/**
 * Whether a sum is assigned to something: grounding computes sums of facts in 32 bits, while clingo rejects other sums
 * that overflow.
 */
function isAssignedSum(tokens: readonly Token[], i: number): boolean {
  if (!/^#sum\+?$/.test(tokens[i]?.text ?? "")) return false;
  return tokens[i - 1]?.text === "=" || tokens[closing(tokens, i + 1) + 1]?.text === "=";
}

/**
 * Says where a result of the program can exceed 32 bits; undefined if all results fit. The first result that overflows
 * is computed from numbers that fit, and all of those are in the grounded program.
 */
function overflowOfGround(ground: Ground, { statements }: AspProblem): string | undefined {
  const constants = constantsOf(statements);
  const written = statements.reduce((most, statement) => Math.max(most, largestNumber(statement)), 1);
  const numbers = { ground, constants, other: ground.largest + written };
  const too_large = tooLarge(statements);
  const risky = statements.find(({ tokens }) => largestOfStatement(tokens, numbers) >= too_large);
  return risky && overflow(risky, ground.largest);
}
