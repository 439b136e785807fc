/**
 * Represents operations that are not modelled as unknown functions of their operands: equal operands give the same
 * result, or an exception of the same class. This holds for operations that only read data of Python's own types.
 * Comparisons that can depend on the identity of a NaN are refused.
 */

import { BOOL, INT, type Term, VALUE } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import {
  always,
  fromParts,
  holdsObjects,
  mayHoldFloats,
  type Plain,
  partsOf,
  sortsOf,
  type Type,
  typeOf,
  typeText,
  type Value,
} from "../../logic/values.ts";
import { unknown_exception } from "../../python/exceptions.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Machine } from "../machine.ts";
import { assume } from "../operators/lists.ts";
import type { State } from "../parts.ts";

/** What is known about an operation: the type of its result, and what it can raise. */
export interface Known {
  readonly result: Type;
  /** Undefined if the operation can raise any exception. */
  readonly raises?: "nothing" | string | undefined;
}

/** Returns a value as a single term: a function of the terms that the value consists of. */
export function boxed(t: Terms, plain: Plain): Term {
  if (plain.kind === "opaque") return plain.term;
  if (plain.kind === "unbound" || plain.kind === "complex")
    throw new Unsupported(`a value that can be ${plain.kind}`, 0);
  if (holdsObjects(typeOf(plain)))
    throw new Unsupported(`operations without a model on a value of type ${typeText(typeOf(plain))}`, 0);
  const parts = partsOf(plain);
  return t.apply(`~box ${typeText(typeOf(plain))}`, parts.length > 0 ? parts : [t.zero], VALUE);
}

/** Returns a name that SMT-LIB can quote. Different names stay different. */
function quotable(name: string): string {
  return encodeURIComponent(name).replaceAll("%20", " ");
}

/**
 * Returns the result of an operation on these operands. The operation's name expresses everything else that the result
 * depends on.
 */
export function unknownResult(
  m: Machine,
  state: State,
  name: string,
  operands: readonly Plain[],
  { result, raises }: Known,
  line: number,
): Value {
  const { t } = m;
  const own = `~${quotable(name)}/${operands.length}`;
  const args = operands.length > 0 ? operands.map((each) => boxed(t, each)) : [t.zero];
  if (raises !== "nothing") {
    const thrown = raises === undefined ? t.apply(`${own} class`, args, VALUE) : undefined;
    m.raise(state, t.apply(`${own} raises`, args, BOOL), raises ?? unknown_exception, line, { thrown });
  }
  return always(t, typed(m, own, args, result));
}

/** Returns a function's value of this type for these arguments. */
export function typed(m: Machine, name: string, args: readonly Term[], type: Type): Plain {
  const { t } = m;
  const text = typeText(type);
  const parts = sortsOf(type).map((sort, i) => t.apply(`${name} ${text} ${i}`, args, sort));
  const plain = fromParts(t, type, parts);
  assume(m, plain);
  return plain;
}

/** Runs an operation on each combination of the values' types. */
export function onEach(
  m: Machine,
  state: State,
  values: readonly Value[],
  work: (operands: readonly Plain[], state: State) => Value,
): Value {
  const next = (own: State, operands: readonly Plain[], rest: readonly Value[]): Value => {
    const [first, ...more] = rest;
    if (!first) return work(operands, own);
    return m.eachOf(own, first, (plain, inner) => next(inner, [...operands, plain], more));
  };
  return next(state, [], values);
}

/** Rejects an operation that compares its operands, if they can contain a NaN. */
export function checkNoFloats(operands: readonly Plain[], line: number): void {
  for (const each of operands)
    if (mayHoldFloats(typeOf(each)))
      throw new Unsupported(`operations without a model that can compare floats (${typeText(typeOf(each))})`, line);
}

export const INTEGER: Type = { kind: "int" };
export const TRUTH: Type = { kind: "bool" };

/** Returns the number of items of a value that is not modelled, and the item at each index. */
export function itemsOf(
  m: Machine,
  plain: Extract<Plain, { kind: "opaque" }>,
): { count: Term; at: (i: Term) => Plain } {
  const { t } = m;
  const count = t.apply("~len()/1 int 0", [plain.term], INT);
  m.facts.push(t.le(t.zero, count));
  const { type } = plain;
  const [first, ...others] = type.items;
  const item: Type =
    first && (others.length === 0 || type.of === "dict")
      ? first
      : { kind: "opaque", of: "value", items: [], floats: mayHoldFloats(type) };
  return { count, at: (i) => typed(m, "~item", [plain.term, i], item) };
}
