/** Slices of lists and strings: views of the same items, which never raise. */

import type { Term, Terms } from "../logic/terms.ts";
import { always, type Sequence, typeOf, typeText, type Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression, Slice } from "../python/tree.ts";
import { evaluate } from "./expressions.ts";
import type { Machine, State } from "./machine.ts";

export function slice(m: Machine, state: State, of: Value, node: Slice): Value {
  const { t } = m;
  const lower = bound(m, state, node.lower);
  const upper = bound(m, state, node.upper);
  const step = bound(m, state, node.step);
  return m.each(state, of, (plain) => {
    if (plain.kind === "tuple")
      return tupleSlice(m, plain.items.length, [lower, upper, step], node.line, (from, to) =>
        plain.items.slice(from, to),
      );
    if (plain.kind !== "sequence") throw new Unsupported(`a slice of ${typeText(typeOf(plain))}`, node.line);
    const { sequence } = plain;
    if (step === undefined || step === t.one)
      return always(t, { kind: "sequence", sequence: part(t, sequence, lower, upper, node.line) });
    if (step.value !== -1n || lower !== undefined || upper !== undefined)
      throw new Unsupported("a slice with this step", node.line);
    return always(t, { kind: "sequence", sequence: reversed(t, sequence, node.line) });
  });
}

function tupleSlice(
  m: Machine,
  length: number,
  bounds: readonly (Term | undefined)[],
  line: number,
  cut: (from: number, to: number) => readonly Extract<Value[number]["plain"], { kind: "tuple" }>["items"][number][],
): Value {
  const [lower, upper, step] = bounds.map((each) => (each === undefined ? undefined : each.value));
  if (bounds[2] !== undefined || step !== undefined) throw new Unsupported("a slice of a tuple with a step", line);
  for (const [i, value] of [lower, upper].entries())
    if (bounds[i] !== undefined && typeof value !== "bigint")
      throw new Unsupported("a slice of a tuple at no constant", line);
  const clamp = (value: bigint) =>
    Number(value < -BigInt(length) ? -BigInt(length) : value > BigInt(length) ? BigInt(length) : value);
  const items = cut(typeof lower === "bigint" ? clamp(lower) : 0, typeof upper === "bigint" ? clamp(upper) : length);
  return always(m.t, { kind: "tuple", items });
}

/** A bound that is written and is a whole number; None is as if there were none. */
function bound(m: Machine, state: State, node: Expression | null): Term | undefined {
  if (!node) return undefined;
  const [only, second] = evaluate(m, state, node);
  if (only?.plain.kind === "none" && !second) return undefined;
  if (only?.plain.kind !== "int" || second) throw new Unsupported("a slice with this bound", node.line);
  return only.plain.term;
}

/** The items from one index up to another, both cut to what there is. */
export function part(t: Terms, of: Sequence, lower: Term | undefined, upper: Term | undefined, line: number): Sequence {
  const { type, length } = of;
  if (type.view === "backwards") throw new Unsupported("a slice of a reversed list", line);
  const place = (at: Term) => {
    const from_end = t.ite(t.lt(at, t.zero), t.add(at, length), at);
    const not_below = t.ite(t.lt(from_end, t.zero), t.zero, from_end);
    return t.ite(t.lt(length, not_below), length, not_below);
  };
  const from = lower === undefined ? t.zero : place(lower);
  const to = upper === undefined ? length : place(upper);
  const count = t.sub(to, from);
  const start = t.add(of.start, from);
  const view = start === t.zero ? type.view : "forwards";
  return { ...of, type: { ...type, view }, start, length: t.ite(t.lt(count, t.zero), t.zero, count) };
}

/** The items from the last to the first. */
export function reversed(t: Terms, of: Sequence, line: number): Sequence {
  const { type, length, start } = of;
  if (type.view === "backwards") throw new Unsupported("reversing what is reversed", line);
  return { ...of, type: { ...type, view: "backwards" }, start: t.sub(t.add(start, length), t.one) };
}
