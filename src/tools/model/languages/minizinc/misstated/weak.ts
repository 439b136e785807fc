import { closingOf, openingOf, withOperators } from "../source/brackets.ts";
import type { Statement, Token } from "../source/source.ts";
import { definesAt } from "./bindings.ts";
import { optionalIn, standsForOptional } from "./optional.ts";

/**
 * Comparisons of optional variables are weak: `o < 3` is true if `o` is absent. MiniZinc compiles `not (o < 3)` to
 * `o >= 3`, which is true then as well, in each position where a condition is negated. Neither its values nor an
 * `unsat` hold for the model as it is written.
 */
export function negatesWeakComparison(statements: readonly Statement[]): boolean {
  const all = statements.map(({ tokens }) => withOperators(tokens));
  const optional = optionalIn(all);
  return all.some((tokens) =>
    tokens.some(({ text }, i) => {
      if (!comparison.test(text)) return false;
      const operands = operandsOf(tokens, i);
      const compared = tokens.slice(operands.from, operands.to + 1);
      return standsForOptional(compared, optional) && isNegated(tokens, operands);
    }),
  );
}

/**
 * Whether a model with optional truth values may negate what is said about them: `not (o \/ b)` is compiled to what is
 * false of an absent `o`, and `not (o -> b)` to what is true of it.
 */
export function misstatesOptionalTruth(statements: readonly Statement[]): boolean {
  const all = statements.map(({ tokens }) => withOperators(tokens));
  const is_declared = all.some((tokens) =>
    tokens.some(({ text }, i) => text === "opt" && tokens[i + 1]?.text === "bool"),
  );
  return is_declared && all.some((tokens) => tokens.some(({ text }) => negation.test(text)));
}

/**
 * Whether a model may read the value of a variable that is absent: MiniZinc's manual calls `deopt(o)` undefined then,
 * and its compiler takes 0. It may not where its statement also asks whether that variable has a value, or where the model
 * requires one (`constraint occurs(o);`).
 */
export function readsAbsentValue(statements: readonly Statement[]): boolean {
  const all = statements.map(({ tokens }) => tokens.map(({ text }) => text));
  if (!all.some((texts) => texts.some((text, i) => text === "var" && texts[i + 1] === "opt"))) return false;
  const required = new Set(all.flatMap((texts) => required_name.exec(texts.join(" "))?.[1] ?? []));
  return all.some((texts) => {
    const tested_names = new Set([...argumentsOf("occurs", texts), ...argumentsOf("absent", texts)]);
    return argumentsOf("deopt", texts).some((name) => !tested_names.has(name) && !required.has(name));
  });
}

const required_name = /^constraint occurs \( (\w+) \)(?: ;)?$/;

/** The first word of the argument at each call of a function. */
function argumentsOf(called: string, texts: readonly string[]): string[] {
  return texts.flatMap((text, i) => (text === called && texts[i + 1] === "(" ? [texts[i + 2] ?? ""] : []));
}

const negation = /^(?:not|->|<-|<->|xor|xorall|iffall|clause|if|!=|<|<=|>|>=)$/;

/** Tokens, both included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const comparison = /^(?:<|<=|>|>=)$/;

/** What ends an operand of a comparison on its own level. */
const end_of_operand =
  /^(?:\/\\|\\\/|->|<-|<->|xor|not|=|==|!=|<|<=|>|>=|,|;|:|\||then|else|elseif|where|in|constraint)$/;

/** Functions of which one argument can be false only where the result can be. */
const monotone = /^(?:forall|exists|)$/;

/** Functions that count truth values: each is then compiled as a variable of its own. */
const counting = /^(?:bool2int|sum|count)$/;

/** A comparison with its operands. */
export function operandsOf(tokens: readonly Token[], operator: number): Span {
  return { from: endOfOperand(tokens, operator, -1), to: endOfOperand(tokens, operator, 1) };
}

/** The last token of the operand of a comparison on one side of it. */
function endOfOperand(tokens: readonly Token[], operator: number, by: 1 | -1): number {
  let last = operator;
  for (let i = operator + by; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    if (end_of_operand.test(text) || isEdge(text, by)) return last;
    i = isEdge(text, by === 1 ? -1 : 1) ? otherEnd(tokens, i, by) : i;
    last = i;
  }
  return last;
}

/** Whether a bracket, or an `if`, closes what is around it in this direction. */
function isEdge(text: string, by: 1 | -1): boolean {
  return by === 1 ? /^(?:[)\]}]|endif)$/.test(text) : /^(?:[([{]|if)$/.test(text);
}

function otherEnd(tokens: readonly Token[], i: number, by: 1 | -1): number {
  const text = tokens[i]?.text ?? "";
  if (/^(?:if|endif)$/.test(text)) return otherIf(tokens, i, by);
  return by === 1 ? closingOf(tokens, i) : openingOf(tokens, i);
}

function otherIf(tokens: readonly Token[], from: number, by: 1 | -1): number {
  let depth = 0;
  for (let i = from; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text;
    if (text === "if") depth += by;
    if (text === "endif") depth -= by;
    if (depth === 0) return i;
  }
  return from;
}

/** Whether a condition stands where it may be negated, here or further out. */
function isNegated(tokens: readonly Token[], { from, to }: Span): boolean {
  const [before, after] = [tokens[from - 1]?.text ?? "", tokens[to + 1]?.text ?? ""];
  if (before === "not" || isComparison(after)) return true;
  if (isComparison(before) && !definesAt(tokens, from - 1)) return true;
  const [left, right] = [edgeOf(tokens, from - 1, -1), edgeOf(tokens, to + 1, 1)];
  if (left.negates || right.negates) return true;
  const open = tokens[left.at];
  if (open === undefined || right.at >= tokens.length) return false;
  if (open.text === "if") return isNegated(tokens, { from: left.at, to: right.at });
  const call = nameOfCall(tokens, left.at);
  if (counting.test(call.name)) return false;
  if (!monotone.test(call.name)) return true;
  return isNegated(tokens, { from: call.from, to: endOfCall(tokens, right.at) });
}

/** Most comparisons deny one side, and `=` does where the other side is known to be false. */
function isComparison(text: string): boolean {
  return comparison.test(text) || /^(?:=|==|!=|<->)$/.test(text);
}

/** The bracket around this level on one side, and whether something on the way to it negates. */
function edgeOf(tokens: readonly Token[], from: number, by: 1 | -1): { at: number; negates: boolean } {
  const negating = by === 1 ? /^(?:->|<->|xor)$/ : /^(?:<-|<->|xor|where)$/;
  for (let i = from; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    if (isEdge(text, by)) return { at: i, negates: false };
    if (negating.test(text)) return { at: i, negates: true };
    // A condition is negated for what follows `else`.
    if (by === 1 && text === "then") return { at: i, negates: true };
    if (/^[,;]$/.test(text)) continue;
    if (isEdge(text, by === 1 ? -1 : 1)) i = otherEnd(tokens, i, by);
  }
  return { at: by === 1 ? tokens.length : -1, negates: false };
}

/** What a bracket belongs to: a function, a generator such as `forall (i in S) (…)`, or nothing. */
function nameOfCall(tokens: readonly Token[], open: number): { name: string; from: number } {
  const before = tokens[open - 1];
  if (tokens[open]?.text !== "(") return { name: "", from: open };
  if (before?.text === ")") return nameOfCall(tokens, openingOf(tokens, open - 1));
  if (before?.kind !== "word") return { name: "", from: open };
  if (/^(?:in|then|else|constraint|not|xor|if|elseif|where)$/.test(before.text)) return { name: "", from: open };
  return { name: before.text, from: open - 1 };
}

/** A generator has a second bracket, an array an index. */
function endOfCall(tokens: readonly Token[], close: number): number {
  const next = tokens[close + 1]?.text ?? "";
  return /^[([]$/.test(next) ? endOfCall(tokens, closingOf(tokens, close + 1)) : close;
}
