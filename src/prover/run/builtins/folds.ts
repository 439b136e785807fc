/** Builtins that consume an iterable. Each is executed as an equivalent loop. */

import {
  always,
  bool,
  int,
  merge,
  type Plain,
  type Sequence,
  typeOf,
  typeText,
  type Value,
} from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Call, Expression } from "../../python/tree.ts";
import { comprehension, generate } from "../comprehensions.ts";
import { accumulate, collect, type Iteration, listOfTuple, over, overValue } from "../iteration.ts";
import type { Machine } from "../machine.ts";
import { binary } from "../operators/arithmetic.ts";
import { compare } from "../operators/comparison.ts";
import { truth } from "../operators/conversions.ts";
import { sequenceOf } from "../operators/lists.ts";
import { listOfKeys } from "../operators/mappings.ts";
import type { State } from "../parts.ts";
import { allOf, sumOf } from "../ranges.ts";
import { ascending, backwards, whole } from "../sequences.ts";
import { isIterable, iterationOver } from "./iterables.ts";

/** Executes `min` and `max`. Among equal items, the first one is the result. */
export function extreme(m: Machine, state: State, node: Call, op: "Lt" | "Gt"): Value {
  const [first, ...rest] = node.args;
  if (!first) throw new Unsupported("min and max without arguments", node.line);
  const [other, ...named] = node.keywords;
  if (named.length > 0 || (other && (other.arg !== "default" || rest.length > 0)))
    throw new Unsupported("min and max with keyword arguments other than `default`", node.line);
  if (rest.length === 0) return extremeOf(m, state, { items: first, otherwise: other?.value }, op, node.line);
  const values = node.args.map((each) => m.evaluate(state, each));
  return values.reduce((best, value) => better(m, state, best, value, op, node.line));
}

function better(m: Machine, state: State, best: Value, value: Value, op: "Lt" | "Gt", line: number): Value {
  const wins = truth(m, compare(m, state, op, value, best, line), line);
  return merge(m.t, wins, value, best);
}

/**
 * Evaluates an argument that follows the items. Python evaluates it before it reports that the items are not iterable,
 * and before a generator computes them. In these cases, the argument must be unable to raise an exception.
 */
function afterItems(m: Machine, state: State, node: Expression, items: Expression): Value {
  if ((state.live === m.t.no || items.is === "GeneratorExp") && !isCalm(m, state, node))
    throw new Unsupported(
      "a second argument that can raise, after a generator expression or a value that is not iterable",
      node,
    );
  return m.evaluate(state, node);
}

/**
 * Whether an expression can't raise an exception: a constant, with or without a sign, or a variable that has a value.
 */
function isCalm(m: Machine, state: State, node: Expression): boolean {
  if (node.is === "UnaryOp" && node.op !== "Invert" && node.operand.is === "Constant")
    return ["int", "float", "bool"].includes(node.operand.type);
  if (node.is !== "Name") return node.is === "Constant";
  const value = state.variables.get(m.variableOf(node.id) ?? "") ?? [];
  return value.length > 0 && value.every(({ plain }) => plain.kind !== "unbound");
}

/** The items and the default of a call of min or max. */
interface Extremes {
  readonly items: Expression;
  readonly otherwise: Expression | undefined;
}

function extremeOf(m: Machine, state: State, { items, otherwise }: Extremes, op: "Lt" | "Gt", line: number): Value {
  const { t } = m;
  const iteration = listed(m, state, items);
  if (!otherwise) {
    m.raise(state, t.le(iteration.count, t.zero), "ValueError", line);
    return bestOf(m, state, iteration, op, line);
  }
  const value = afterItems(m, state, otherwise, items);
  const empty = t.le(iteration.count, t.zero);
  const { yes, no } = m.branch(
    state,
    empty,
    () => value,
    (own) => bestOf(m, own, iteration, op, line),
  );
  return merge(t, empty, yes ?? m.nothing(), no ?? m.nothing());
}

/** Returns the best item of a non-empty iteration. */
function bestOf(m: Machine, state: State, iteration: Iteration, op: "Lt" | "Gt", line: number): Value {
  const { t } = m;
  if (state.live === t.no) return m.nothing();
  const first = iteration.at(t.zero);
  if (first.kind === "none" || first.kind === "complex")
    throw new Unsupported(`min and max of items of type ${first.kind}`, line);
  // Comparing the first item with itself changes nothing, so the loop can begin with it.
  return accumulate(m, state, "best", always(t, first), (best) =>
    over(m, state, iteration, line, [best], (own, item) => {
      own.variables.set(best, better(m, own, own.variables.get(best) ?? [], always(t, item), op, line));
    }),
  );
}

/** Returns an iteration whose items can be read more than once. A generator's items are computed first. */
function listed(m: Machine, state: State, node: Expression): Iteration {
  if (node.is !== "GeneratorExp") return iterationOver(m, state, node);
  const value = comprehension(m, state, node);
  // Comparisons of integers raise no exception, so all items can be computed beforehand.
  for (const { plain } of value) {
    const item = plain.kind === "sequence" ? plain.sequence.type.item?.kind : undefined;
    if (item !== "int" && item !== "bool")
      throw new Unsupported("min and max of a generator expression whose items are not whole numbers", node.line);
  }
  return overValue(m, state, value, node.line);
}

/** Executes a loop over an iterable or a generator. A generator computes its items while the loop runs. */
function through(
  m: Machine,
  state: State,
  node: Expression,
  names: readonly string[],
  each: (state: State, value: Value) => void,
  makes_list = false,
): void {
  if (node.is === "GeneratorExp") {
    generate(m, state, node, names, each);
    return;
  }
  const iteration = iterationOver(m, state, node);
  // Python first asks for the length of the list as a 64-bit number.
  if (makes_list && iteration.ranges)
    m.raise(state, m.t.le(m.t.int(2n ** 63n), iteration.count), "OverflowError", node.line);
  over(m, state, iteration, node.line, names, (own, item) => each(own, always(m.t, item)));
}

export function sum(m: Machine, state: State, node: Call): Value {
  const [items, second, ...more] = node.args;
  const [named, ...others] = node.keywords;
  const wrong = second ? named : named && named.arg !== "start";
  if (!items || more.length > 0 || wrong || others.length > 0)
    throw new Unsupported("sum with arguments other than an iterable and a start", node.line);
  const start = second ?? named?.value;
  // Adding integers raises no exception, so it does not matter when the items of a list are computed.
  const lazy = m.program.congruent && items.is === "ListComp" ? { ...items, is: "GeneratorExp" as const } : items;
  // The items' first iterable, or their value, is evaluated before the start.
  const iteration =
    lazy.is === "GeneratorExp"
      ? undefined
      : iterationOver(m, state, lazy, { in_any_order: m.plan.by_invariants !== undefined });
  const first = start ? afterItems(m, state, start, lazy) : always(m.t, int(m.t.zero));
  // Python rejects a string as the start even if there are no items.
  for (const { plain } of first) checkSummand(plain, node.line);
  if (m.plan.by_invariants) return sumOf(m, state, items, iteration, first, node.line);
  return accumulate(m, state, "total", first, (total) => {
    const each = (own: State, value: Value) => {
      const known = own.variables.get(total) ?? [];
      for (const { plain } of [...value, ...known]) checkSummand(plain, node.line);
      if (lazy !== items && value.some(({ plain }) => plain.kind !== "int" && plain.kind !== "bool"))
        throw new Unsupported("sum of a list of items that are not whole numbers", node.line);
      own.variables.set(total, binary(m, own, "Add", known, value, node.line));
    };
    if (iteration) over(m, state, iteration, items.line, [total], (own, item) => each(own, always(m.t, item)));
    else if (lazy.is === "GeneratorExp") generate(m, state, lazy, [total], each);
  });
}

function checkSummand({ kind }: Plain, line: number): void {
  if (kind === "float" || kind === "sequence") throw new Unsupported("sum of items that are not whole numbers", line);
}

/** Executes `any`, which stops at the first true item, or `all`, which stops at the first false item. */
export function quantify(m: Machine, state: State, node: Call, stops_at: boolean): Value {
  const { t } = m;
  const [items, ...more] = node.args;
  if (!items || more.length > 0 || node.keywords.length > 0)
    throw new Unsupported("any and all with arguments other than one iterable", node.line);
  if (m.plan.by_invariants) return allOf(m, state, items, stops_at, node.line);
  if (items.is === "GeneratorExp" && items.generators.length > 1)
    throw new Unsupported("any and all of a generator expression with several `for` clauses", node.line);
  return accumulate(m, state, "result", always(t, bool(t.bool(!stops_at))), (result) =>
    through(m, state, items, [result], (own, value) => {
      const holds = truth(m, value, node.line);
      const stops = stops_at ? holds : t.not(holds);
      const variables = new Map(own.variables).set(result, always(t, bool(t.bool(stops_at))));
      m.exits.breaks.push({ when: t.and(own.live, stops), variables });
      own.live = t.and(own.live, t.not(stops));
    }),
  );
}

export function toList(m: Machine, state: State, node: Call): Value {
  const [items, ...more] = node.args;
  if (more.length > 0 || node.keywords.length > 0) throw new Unsupported("list with more than one argument", node.line);
  if ((m.plan.by_invariants || m.program.congruent) && items?.is === "Name") {
    const [only, second] = m.evaluate(state, items);
    const list = only && !second ? (sequenceOf(only.plain) ?? keysInOrder(m, only.plain)) : undefined;
    if (list?.type.kind === "list") return always(m.t, { kind: "sequence", sequence: whole(m, list) });
  }
  return collect(m, state, node.line, (names, each) => {
    if (items) through(m, state, items, names, each, true);
  });
}

/** Returns the keys of a dict as a list, if their order is known. */
function keysInOrder(m: Machine, plain: Plain): Sequence | undefined {
  return plain.kind === "mapping" && plain.mapping.type.ordered ? listOfKeys(m, plain.mapping) : undefined;
}

/**
 * Executes `sorted`. For descending order, the items must be integers, because equal integers are indistinguishable.
 */
export function sortList(m: Machine, state: State, node: Call): Value {
  const { t } = m;
  const [items, ...more] = node.args;
  const [reverse, ...others] = node.keywords;
  const known =
    !reverse || (reverse.arg === "reverse" && reverse.value.is === "Constant" && reverse.value.type === "bool");
  if (!items || more.length > 0 || others.length > 0 || !known)
    throw new Unsupported(
      "sorted with arguments other than one iterable and `reverse=True` or `reverse=False`",
      node.line,
    );
  const descending = reverse?.value.is === "Constant" && reverse.value.value === "True";
  const lazy = items.is === "GeneratorExp" || (items.is === "Call" && isIterable(m, items));
  const list = lazy ? toList(m, state, { ...node, keywords: [] }) : m.evaluate(state, items);
  return m.each(state, list, (plain) => {
    const from =
      plain.kind === "tuple"
        ? listOfTuple(m, plain.items, node.line)
        : plain.kind === "mapping"
          ? listOfKeys(m, plain.mapping)
          : sequenceOf(plain);
    if (from?.type.kind !== "list") throw new Unsupported(`sorted of ${typeText(typeOf(plain))}`, node.line);
    const sequence = ascending(m, from, node.line);
    return always(t, { kind: "sequence", sequence: descending ? backwards(t, sequence, node.line) : sequence });
  });
}
