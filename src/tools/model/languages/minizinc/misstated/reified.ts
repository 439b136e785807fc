import { closingOf, openingOf, stepOf, withOperators } from "../source/brackets.ts";
import type { Statement, Token } from "../source/source.ts";

/**
 * Global constraints that MiniZinc's library defines wrongly where they can be false: under `not`, `->`, `\/`, in a
 * sum. Measured: test/long/minizinc_reified.test.ts. At the top level they are correct.
 */
export const wrong_when_reified: readonly string[] = [
  "alternative",
  "mdd_nondet",
  "regular",
  "sliding_among",
  "sliding_sum",
  "span",
  "subcircuit",
  "sum_set",
  "symmetric_all_different",
];

/** The same before 2.10, where `b <-> not strictly_increasing([x, x])` has no solution. */
const wrong_when_reified_before: readonly string[] = ["strictly_decreasing", "strictly_increasing"];

/** Words and operators whose operands are truth values, not constraints. */
const conditional = /^(?:not|->|<-|<->|\\\/|xor|if|then|else|elseif|=|==|!=|<|<=|>|>=|\+|-|\*)$/;

/** Those of them that reach over a conjunction. */
const weak = /^(?:->|<-|<->|\\\/|xor|if|then|else|elseif)$/;

/** Functions whose arguments hold where their call does. */
const conjunctive = /^(?:forall|constraint|)$/;

/** The constraints of the list that these statements contain at a position where they can be false. */
export function wronglyReified(statements: readonly Statement[], version: string): string[] {
  const wrong = [...wrong_when_reified, ...(isOld(version) ? wrong_when_reified_before : [])];
  const watched = new Map(wrong.map((name) => [name, name] as const));
  const names = new Set<string>();
  const all = statements.map(({ tokens }) => withOperators(tokens));
  // A predicate that implies such a constraint is treated like it; it can be defined after its use.
  for (let before = -1; before !== watched.size; ) {
    before = watched.size;
    for (const tokens of all) {
      const [first, second] = tokens.map(({ text }) => text);
      const is_predicate = first === "predicate" && second !== undefined;
      if (first !== "constraint" && !is_predicate) continue;
      for (const [i, { text }] of tokens.entries()) {
        const name = watched.get(text);
        if (name === undefined || tokens[i + 1]?.text !== "(" || (is_predicate && i === 1)) continue;
        if (!holdsWith(tokens, i)) names.add(name);
        else if (is_predicate) watched.set(second, name);
      }
    }
  }
  // Functions, parameters and objectives use a constraint as a value.
  for (const tokens of all) {
    if (/^(?:constraint|predicate)$/.test(tokens[0]?.text ?? "")) continue;
    for (const [i, { text }] of tokens.entries()) {
      const name = watched.get(text);
      if (name !== undefined && tokens[i + 1]?.text === "(") names.add(name);
    }
  }
  return [...names];
}

/** Whether the statement can hold only where the call at a token does: all around it is a conjunction. */
export function holdsWith(tokens: readonly Token[], call: number): boolean {
  return holdsBetween(tokens, call, closingOf(tokens, call + 1));
}

/** The same of what stands between two tokens, both included. */
export function holdsBetween(tokens: readonly Token[], first: number, last: number): boolean {
  return isConjunction(tokens, first - 1, -1) && isConjunction(tokens, last + 1, 1);
}

/** Looks outwards, past bracketed expressions. */
function isConjunction(tokens: readonly Token[], from: number, by: 1 | -1): boolean {
  let depth = 0;
  let is_conditional = conditional;
  for (let i = from; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    const step = stepOf(text) * by;
    depth += step;
    if (depth > 0 || step > 0 || (step < 0 && depth === 0)) continue;
    if (step < 0) {
      // Out of the brackets around it.
      if (by < 0 && !isConjunctive(tokens, i)) return false;
      [depth, is_conditional] = [0, conditional];
    } else if (text === "/\\") is_conditional = weak;
    // The generators of a comprehension do not affect its elements, nor does the head of a predicate its body.
    else if (text === "|" && by > 0) i = closeOfLevel(tokens, i) - 1;
    else if (text === "=" && by < 0 && tokens[0]?.text === "predicate") return true;
    else if (is_conditional.test(text) || (text === "in" && tokens[i - 1]?.text !== "}")) return false;
  }
  return true;
}

/** Whether all brackets around a token are those of conjunctions. */
export function isInConjunctions(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    depth = Math.min(0, depth) + stepOf(tokens[i]?.text);
    if (depth > 0 && !isConjunctive(tokens, i)) return false;
  }
  return true;
}

/**
 * Whether an open bracket belongs to nothing, or to a function that is true only if its arguments are. A list from which
 * one element is chosen can do without the others.
 */
function isConjunctive(tokens: readonly Token[], open: number): boolean {
  if (tokens[open]?.text === "[" && tokens[closingOf(tokens, open) + 1]?.text === "[") return false;
  const { kind, text = "" } = tokens[open - 1] ?? {};
  // `forall (i in S) (…)` has its body in a second bracket.
  if (text === ")") return isConjunctive(tokens, openingOf(tokens, open - 1));
  return kind !== "word" || conjunctive.test(text) || text === "in";
}

function closeOfLevel(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    depth += stepOf(tokens[i]?.text);
    if (depth < 0) return i;
  }
  return tokens.length;
}

/**
 * Whether the compiler may have lost that a value is undefined, which makes the comparison around it false. This
 * happens under `not`, `xor` and `<->` if it is found during compilation (with a warning), and before 2.10 anywhere
 * under `xor`.
 */
export function losesUndefined(statements: readonly Statement[], version: string, is_warned: boolean): boolean {
  const tokens = statements.flatMap((statement) => withOperators(statement.tokens));
  const has = (words: RegExp) => tokens.some(({ text }) => words.test(text));
  if (is_warned && has(/^(?:not|xor|<->)$/)) return true;
  return isOld(version) && has(/^xor$/) && tokens.some((_, i) => mayBeUndefined(tokens, i));
}

function mayBeUndefined(tokens: readonly Token[], i: number): boolean {
  const [before, at] = [tokens[i - 1], tokens[i]];
  if (/^(?:div|mod|pow|sqrt|\/|\^)$/.test(at?.text ?? "")) return true;
  const is_value =
    before?.kind === "word" ? !/^(?:array|in|of|not|then|else)$/.test(before.text) : before?.text === "]";
  return at?.text === "[" && is_value;
}

/** Whether a `let` under `not` has a constraint: before 2.10, the compiler asks for its contrary. */
export function negatesLocalConstraint(statements: readonly Statement[], version: string): boolean {
  return (
    isOld(version) &&
    statements.some((statement) => {
      const texts = withOperators(statement.tokens).map(({ text }) => text);
      const negation = texts.indexOf("not");
      return negation >= 0 && texts.includes("constraint", negation);
    })
  );
}

/** Before 2.10, the version that Verdict includes. */
export function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 2 || (major === 2 && minor < 10);
}

/**
 * Whether the model uses `subcircuit`, whose standard definition in 2.10 loses solutions, and whose linear definition
 * has false values. Chuffed has its own constraint for it.
 */
export function hasWrongSubcircuit(statements: readonly Statement[], version: string): boolean {
  return !isOld(version) && statements.some(({ tokens }) => tokens.some(({ text }) => text === "subcircuit"));
}

/** Whether the model has `inverse` of optional variables: before 2.10 the library reads 0 where a variable is absent. */
export function hasWrongInverse(statements: readonly Statement[], version: string): boolean {
  const has = (...words: string[]) =>
    statements.some(({ tokens }) => tokens.some((_, i) => words.every((word, by) => tokens[i + by]?.text === word)));
  return isOld(version) && has("opt") && has("inverse", "(");
}

/**
 * Whether the model has `dag` without `subgraph`: the library's `dag` takes edges that leave a node which is not in, and
 * refuses those that lead to one.
 */
export function hasLooseDag(statements: readonly Statement[]): boolean {
  const calls = new Set(
    statements.flatMap(({ tokens }) => tokens.flatMap(({ text }, i) => (tokens[i + 1]?.text === "(" ? [text] : []))),
  );
  return calls.has("dag") && !calls.has("subgraph");
}

/** Whether a search annotation has its own constraints: the compiler adds them to the model. */
export function restrictsSearch(statements: readonly Statement[]): boolean {
  return statements.some(({ tokens }) =>
    tokens.some(({ text }, i) => text === "on_restart" && tokens[i + 1]?.text === "("),
  );
}
