/** Executes slices, which are views of the same items and never raise exceptions. */

import type { Term } from "../logic/term.ts";
import { always, rawItem, type Sequence, typeOf, typeText, type Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression, Slice } from "../python/tree.ts";
import { collect, over } from "./iteration.ts";
import type { Machine } from "./machine.ts";
import type { State } from "./parts.ts";
import { backwards, part } from "./sequences.ts";

export function slice(m: Machine, state: State, of: Value, node: Slice): Value {
  const { t } = m;
  const lower = bound(m, state, node.lower);
  const upper = bound(m, state, node.upper);
  const step = bound(m, state, node.step);
  return m.each(state, of, (plain, own) => {
    if (plain.kind === "tuple")
      return tupleSlice(m, plain.items.length, [lower, upper, step], node.line, (from, to) =>
        plain.items.slice(from, to),
      );
    if (plain.kind !== "sequence")
      throw new Unsupported(`slices of a value of type ${typeText(typeOf(plain))}`, node.line);
    const { sequence } = plain;
    const whole_backwards = step?.value === -1n && lower === undefined && upper === undefined;
    const cut = whole_backwards ? backwards(t, sequence, node.line) : part(t, sequence, lower, upper, node.line);
    if (whole_backwards || step === undefined || step === t.one) return always(t, { kind: "sequence", sequence: cut });
    if (typeof step.value !== "bigint" || step.value < 1n)
      throw new Unsupported("slices with a step that is not a positive constant, other than `[::-1]`", node.line);
    return everyOther(m, own, cut, step, node.line);
  });
}

/** Takes every n-th item, in a loop that appends the items to a new list. */
function everyOther(m: Machine, state: State, of: Sequence, step: Term, line: number): Value {
  const { t } = m;
  const count = t.floorDiv(t.sub(t.add(of.length, step), t.one), step);
  const at = (i: Term) => rawItem(t, of, t.mul(i, step));
  return collect(
    m,
    state,
    line,
    (names, each) => over(m, state, { count, at }, line, names, (own, item) => each(own, always(t, item))),
    of.type.kind,
  );
}

function tupleSlice(
  m: Machine,
  length: number,
  bounds: readonly (Term | undefined)[],
  line: number,
  cut: (from: number, to: number) => readonly Extract<Value[number]["plain"], { kind: "tuple" }>["items"][number][],
): Value {
  const [lower, upper, step] = bounds.map((each) => (each === undefined ? undefined : each.value));
  if (bounds[2] !== undefined || step !== undefined) throw new Unsupported("slices of a tuple with a step", line);
  for (const [i, value] of [lower, upper].entries())
    if (bounds[i] !== undefined && typeof value !== "bigint")
      throw new Unsupported("slices of a tuple with bounds that are not constants", line);
  const clamp = (value: bigint) =>
    Number(value < -BigInt(length) ? -BigInt(length) : value > BigInt(length) ? BigInt(length) : value);
  const items = cut(typeof lower === "bigint" ? clamp(lower) : 0, typeof upper === "bigint" ? clamp(upper) : length);
  return always(m.t, { kind: "tuple", items });
}

/** Evaluates a bound, which must be an integer. None is the same as no bound. */
function bound(m: Machine, state: State, node: Expression | null): Term | undefined {
  if (!node) return undefined;
  const [only, second] = m.evaluate(state, node);
  if (only?.plain.kind === "none" && !second) return undefined;
  if (only?.plain.kind !== "int" || second)
    throw new Unsupported("slices with a bound that is not an int or None", node.line);
  return only.plain.term;
}
