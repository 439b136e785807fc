/**
 * Finds what an expression iterates over: its value, or a builtin that can only be iterated over (range, enumerate,
 * zip, reversed).
 */

import type { Term } from "../../logic/term.ts";
import { int, type Plain } from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Call, Expression } from "../../python/tree.ts";
import { classNamed, membersOf } from "../classes.ts";
import { type Iteration, overValue, type Way } from "../iteration.ts";
import type { Machine } from "../machine.ts";
import { asInt } from "../operators/conversions.ts";
import type { Part } from "../operators/mappings.ts";
import type { State } from "../parts.ts";

/** Returns the iteration over an expression's value. Raises Unsupported, and models Python's TypeError for numbers. */
export function iterationOver(m: Machine, state: State, node: Expression, way: Way = {}): Iteration {
  // CPython creates a set of constants at compile time, in its own order.
  if (node.is === "Set" && !m.program.mappings) throw new Unsupported("iteration over a set display", node);
  const members = classNamed(m, state, node);
  if (members?.kind === "enum") return overValue(m, state, membersOf(m, members), node.line);
  const known = node.is === "Call" ? callIterable(m, state, node) : undefined;
  const part = m.program.mappings ? viewIn(node) : undefined;
  const of = part?.of ?? node;
  return known ?? overValue(m, state, m.evaluate(state, of), node.line, { ...way, part: part?.what });
}

/** Returns what `d.keys()`, `d.values()` or `d.items()` is a view of: which parts, and of which container. */
export function viewIn(node: Expression): { of: Expression; what: Part } | undefined {
  if (node.is !== "Call" || node.func.is !== "Attribute" || node.args.length + node.keywords.length > 0)
    return undefined;
  const { attr, value } = node.func;
  return attr === "keys" || attr === "values" || attr === "items" ? { of: value, what: attr } : undefined;
}

/** Returns the iteration over a call of one of these builtins; undefined for any other call. Raises `Unsupported`. */
export function callIterable(m: Machine, state: State, node: Call): Iteration | undefined {
  const name = node.func.is === "Name" && m.isBuiltin(node.func.id) ? node.func.id : undefined;
  const make = name === undefined ? undefined : iterables[name];
  if (!make) return undefined;
  if (node.keywords.length > 0) throw new Unsupported(`keyword arguments of ${name}`, node.line);
  return make(m, state, node);
}

export function isIterable(m: Machine, { func }: Call): boolean {
  return func.is === "Name" && m.isBuiltin(func.id) && Object.hasOwn(iterables, func.id);
}

const iterables: Readonly<Record<string, (m: Machine, state: State, node: Call) => Iteration>> = {
  range: (m, state, node) => range(m, state, node),
  enumerate(m, state, node) {
    const [items, start] = node.args;
    if (!items || node.args.length > 2)
      throw new Unsupported("enumerate with arguments other than an iterable and a start", node.line);
    const inner = start ? iterable(m, state, items) : iterationOver(m, state, items);
    const first = start ? onlyInt(m, state, start) : m.t.zero;
    const at = (i: Term): Plain => ({ kind: "tuple", items: [int(m.t.add(first, i)), inner.at(i)] });
    const { span } = inner;
    const named = span && {
      ...span,
      at: (i: Term): Plain => ({ kind: "tuple", items: [int(m.t.add(first, m.t.sub(i, span.from))), span.at(i)] }),
    };
    return { count: inner.count, at, ...(named && { span: named }) };
  },
  zip(m, state, node) {
    const inner = node.args.map((each) => iterable(m, state, each));
    const [first, ...rest] = inner;
    if (!first) throw new Unsupported("zip without arguments", node.line);
    const count = rest.reduce((least, each) => m.t.ite(m.t.lt(each.count, least), each.count, least), first.count);
    return { count, at: (i) => ({ kind: "tuple", items: inner.map((each) => each.at(i)) }) };
  },
  reversed(m, state, node) {
    const [items, ...more] = node.args;
    if (!items || more.length > 0) throw new Unsupported("reversed with arguments other than one iterable", node.line);
    const ranges = items.is === "Call" && items.func.is === "Name" && items.func.id === "range";
    if (items.is === "Call" && !ranges && callIterable(m, state, items))
      throw new Unsupported("reversed of an iterator", node.line);
    const inner = iterationOver(m, state, items);
    if (inner.one_way)
      throw new Unsupported("reversed of a value that is not always a list, tuple, text or dict", node.line);
    const { span: _, ...rest } = inner;
    return { ...rest, at: (i) => inner.at(m.t.sub(m.t.sub(inner.count, m.t.one), i)) };
  },
};

/**
 * Returns the iteration over one of several arguments. Python evaluates all of them before it reports that one is not
 * iterable.
 */
function iterable(m: Machine, state: State, node: Expression): Iteration {
  const before = state.live;
  const iteration = iterationOver(m, state, node);
  if (state.live === m.t.no && before !== m.t.no)
    throw new Unsupported("a value that cannot be iterated, as one of several arguments", node.line);
  return iteration;
}

function range(m: Machine, state: State, node: Call): Iteration {
  const { t } = m;
  const bounds = node.args.map((each) => onlyInt(m, state, each));
  const [a, b, c] = bounds;
  if (!a || bounds.length > 3)
    throw new Unsupported("range with arguments other than one to three whole numbers", node.line);
  const [start, stop, step] = b ? [a, b, c ?? t.one] : [t.zero, a, t.one];
  if (typeof step.value !== "bigint") throw new Unsupported("range with a step that is not a constant", node.line);
  if (step.value === 0n) {
    m.raise(state, t.yes, "ValueError", node.line);
    return { count: t.zero, at: () => int(t.zero) };
  }
  const [span, size] = step.value > 0n ? [t.sub(stop, start), step.value] : [t.sub(start, stop), -step.value];
  const count = t.floorDiv(t.add(span, t.int(size - 1n)), t.int(size));
  const is_simple = step.value === 1n;
  return {
    ...(is_simple && { span: { from: start, to: stop, at: int } }),
    count: m.isNotNegative(span) ? count : t.ite(t.lt(t.zero, span), count, t.zero),
    ranges: true,
    at: (i) => int(t.add(start, t.mul(i, step))),
  };
}

function onlyInt(m: Machine, state: State, node: Expression): Term {
  const [only, second] = m.evaluate(state, node);
  const number = only && !second ? asInt(m.t, only.plain) : undefined;
  if (number) return number;
  if (state.live === m.t.no) return m.t.zero;
  throw new Unsupported("an argument that is not always an int here", node.line);
}
