/** Python's builtin functions: those over iterables are the loops that they stand for. */

import { FLOAT, INT, type Term } from "../logic/terms.ts";
import {
  always,
  bool,
  float,
  int,
  listOf,
  merge,
  type Plain,
  STR,
  typeOf,
  typeText,
  type Value,
} from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression } from "../python/tree.ts";
import { evaluate } from "./expressions.ts";
import { comprehension, generate, type Iteration, iterationOver, overValue, walk } from "./iteration.ts";
import type { Machine, State } from "./machine.ts";
import { appended, asFloat, asInt, binary, compare, truth } from "./operators.ts";
import { ascending, reversed } from "./sequences.ts";

/** What can only be iterated, and makes no list by itself. */
export function callIterable(m: Machine, state: State, node: Call): Iteration | undefined {
  const name = node.func.is === "Name" && m.isBuiltin(node.func.id) ? node.func.id : undefined;
  const make = name === undefined ? undefined : iterables[name];
  if (!make) return undefined;
  if (node.keywords.length > 0) throw new Unsupported(`keyword arguments of ${name}`, node.line);
  return make(m, state, node);
}

function isIterable(m: Machine, { func }: Call): boolean {
  return func.is === "Name" && m.isBuiltin(func.id) && Object.hasOwn(iterables, func.id);
}

const iterables: Readonly<Record<string, (m: Machine, state: State, node: Call) => Iteration>> = {
  range: (m, state, node) => range(m, state, node),
  enumerate(m, state, node) {
    const [items, start] = node.args;
    if (!items || node.args.length > 2)
      throw new Unsupported("enumerate with other arguments than an iterable and a start", node.line);
    const inner = start ? iterable(m, state, items) : iterationOver(m, state, items);
    const first = start ? onlyInt(m, state, start) : m.t.zero;
    const at = (i: Term): Plain => ({ kind: "tuple", items: [int(m.t.add(first, i)), inner.at(i)] });
    return { count: inner.count, at };
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
    if (!items || more.length > 0) throw new Unsupported("reversed with other arguments than one iterable", node.line);
    const ranges = items.is === "Call" && items.func.is === "Name" && items.func.id === "range";
    if (items.is === "Call" && !ranges && callIterable(m, state, items))
      throw new Unsupported("reversed of an iterator", node.line);
    const inner = iterationOver(m, state, items);
    return { ...inner, at: (i) => inner.at(m.t.sub(m.t.sub(inner.count, m.t.one), i)) };
  },
};

/** One of several arguments: Python evaluates all of them before it complains that one can't be iterated. */
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
    throw new Unsupported("range with other arguments than one to three whole numbers", node.line);
  const [start, stop, step] = b ? [a, b, c ?? t.one] : [t.zero, a, t.one];
  if (typeof step.value !== "bigint") throw new Unsupported("range with a step that is not a constant", node.line);
  if (step.value === 0n) {
    m.raise(state, t.yes, "ValueError", node.line);
    return { count: t.zero, at: () => int(t.zero) };
  }
  const [span, size] = step.value > 0n ? [t.sub(stop, start), step.value] : [t.sub(start, stop), -step.value];
  const count = t.floorDiv(t.add(span, t.int(size - 1n)), t.int(size));
  return {
    count: m.isNotNegative(span) ? count : t.ite(t.lt(t.zero, span), count, t.zero),
    ranges: true,
    at: (i) => int(t.add(start, t.mul(i, step))),
  };
}

function onlyInt(m: Machine, state: State, node: Expression): Term {
  const [only, second] = evaluate(m, state, node);
  const number = only && !second ? asInt(m.t, only.plain) : undefined;
  if (number) return number;
  if (state.live === m.t.no) return m.t.zero;
  throw new Unsupported("an argument that is not always an int here", node.line);
}

type Builtin = (m: Machine, state: State, node: Call) => Value;

/** The builtin of this name, or undefined when the prover has none. */
export function builtin(name: string): Builtin | undefined {
  return Object.hasOwn(builtins, name) ? builtins[name] : undefined;
}

const builtins: Readonly<Record<string, Builtin>> = {
  len(m, state, node) {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      if (plain.kind === "tuple") return always(m.t, int(m.t.int(BigInt(plain.items.length))));
      if (plain.kind === "sequence") return always(m.t, int(plain.sequence.length));
      m.raise(own, m.t.yes, "TypeError", node.line);
      return m.nothing();
    });
  },
  abs(m, state, node) {
    const { t } = m;
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain) => {
      if (plain.kind === "float") return always(t, float(t.floatOp("fp.abs", plain.term)));
      const number = asInt(t, plain);
      if (!number) throw new Unsupported(`abs of ${typeText(typeOf(plain))}`, node.line);
      return always(t, int(t.ite(t.lt(number, t.zero), t.neg(number), number)));
    });
  },
  bool(m, state, node) {
    const [value] = positionalArguments(m, state, node, 1);
    return always(m.t, bool(truth(m, value ?? [], node.line)));
  },
  int(m, state, node) {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      const number = asInt(m.t, plain);
      return number ? always(m.t, int(number)) : wholeOf(m, own, "int", plain, node.line);
    });
  },
  float(m, state, node) {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      const number = asFloat(m, own, plain, node.line);
      if (!number) throw new Unsupported(`float of ${typeText(typeOf(plain))}`, node.line);
      return always(m.t, float(number));
    });
  },
  divmod(m, state, node) {
    const [a, b] = positionalArguments(m, state, node, 2);
    const quotient = binary(m, state, "FloorDiv", a ?? [], b ?? [], node.line);
    const rest = binary(m, state, "Mod", a ?? [], b ?? [], node.line);
    return m.each(state, quotient, (x) => m.each(state, rest, (y) => always(m.t, { kind: "tuple", items: [x, y] })));
  },
  pow(m, state, node) {
    const [a, b] = positionalArguments(m, state, node, 2);
    return binary(m, state, "Pow", a ?? [], b ?? [], node.line);
  },
  ord(m, state, node) {
    const { t } = m;
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      if (plain.kind !== "sequence" || plain.sequence.type.kind !== "str")
        throw new Unsupported(`ord of ${typeText(typeOf(plain))}`, node.line);
      const { length, arrays, start } = plain.sequence;
      m.raise(own, t.not(t.eq(length, t.one)), "TypeError", node.line);
      const [codes] = arrays;
      return codes ? always(t, int(t.select(codes, start))) : m.nothing();
    });
  },
  chr(m, state, node) {
    const { t } = m;
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      if (plain.kind !== "int") throw new Unsupported(`chr of ${typeText(typeOf(plain))}`, node.line);
      const outside = t.or(t.lt(plain.term, t.zero), t.lt(t.int(0x10ffffn), plain.term));
      const huge = t.or(t.lt(plain.term, t.int(-(2n ** 31n))), t.le(t.int(2n ** 31n), plain.term));
      const [major = 0, minor = 0] = m.program.python;
      if (major === 3 && minor < 13) m.raise(own, t.and(outside, huge), "OverflowError", node.line);
      m.raise(own, outside, "ValueError", node.line);
      // What is taken for granted of every character must not speak of numbers that are none.
      return always(t, listOf(t, STR, [int(t.ite(outside, t.zero, plain.term))]));
    });
  },
  isinstance: (m, state, node) => isInstance(m, state, node),
  min: (m, state, node) => extreme(m, state, node, "Lt"),
  max: (m, state, node) => extreme(m, state, node, "Gt"),
  sum: (m, state, node) => sum(m, state, node),
  any: (m, state, node) => quantified(m, state, node, true),
  all: (m, state, node) => quantified(m, state, node, false),
  list: (m, state, node) => toList(m, state, node),
  sorted: (m, state, node) => sorted(m, state, node),
  round(m, state, node) {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      const number = asInt(m.t, plain);
      return number ? always(m.t, int(number)) : wholeOf(m, own, "round", plain, node.line);
    });
  },
};

function positionalArguments(m: Machine, state: State, node: Call, count: number): Value[] {
  if (node.keywords.length > 0 || node.args.length !== count)
    throw new Unsupported(`this call with other arguments than ${count} by position`, node.line);
  return node.args.map((each) => evaluate(m, state, each));
}

/** A float cut to a whole number, of which nothing more is known. */
export function wholeOf(m: Machine, state: State, how: string, plain: Plain, line: number): Value {
  const { t } = m;
  if (plain.kind !== "float") throw new Unsupported(`${how} of ${typeText(typeOf(plain))}`, line);
  m.raise(state, t.floatOp("fp.isNaN", plain.term), "ValueError", line);
  m.raise(state, t.floatOp("fp.isInfinite", plain.term), "OverflowError", line);
  return always(t, int(t.apply(`${how} of float`, [plain.term], INT)));
}

const checked_types: Readonly<Record<string, (plain: Plain) => boolean>> = {
  int: ({ kind }) => kind === "int" || kind === "bool",
  bool: ({ kind }) => kind === "bool",
  float: ({ kind }) => kind === "float",
  str: (plain) => plain.kind === "sequence" && plain.sequence.type.kind === "str",
  list: (plain) => plain.kind === "sequence" && plain.sequence.type.kind === "list",
  tuple: ({ kind }) => kind === "tuple",
};

function isInstance(m: Machine, state: State, node: Call): Value {
  const [subject, classes, ...more] = node.args;
  if (!subject || !classes || more.length > 0 || node.keywords.length > 0)
    throw new Unsupported("isinstance with other arguments than a value and classes", node.line);
  const value = evaluate(m, state, subject);
  const checks = (classes.is === "Tuple" ? classes.elts : [classes]).map((each) => {
    const name = each.is === "Name" && m.isBuiltin(each.id) ? each.id : "";
    const check = Object.hasOwn(checked_types, name) ? checked_types[name] : undefined;
    if (!check)
      throw new Unsupported("isinstance with classes other than int, bool, float, str, list and tuple", node.line);
    return check;
  });
  return m.each(state, value, (plain) => always(m.t, bool(m.t.bool(checks.some((check) => check(plain))))));
}

/** The first of the least or greatest: a later one takes its place only where it is less or greater. */
function extreme(m: Machine, state: State, node: Call, op: "Lt" | "Gt"): Value {
  const [first, ...rest] = node.args;
  if (!first) throw new Unsupported("min and max without arguments", node.line);
  const [other, ...named] = node.keywords;
  if (named.length > 0 || (other && (other.arg !== "default" || rest.length > 0)))
    throw new Unsupported("min and max with keyword arguments other than `default`", node.line);
  if (rest.length === 0) return extremeOf(m, state, { items: first, otherwise: other?.value }, op, node.line);
  const values = node.args.map((each) => evaluate(m, state, each));
  return values.reduce((best, value) => better(m, state, best, value, op, node.line));
}

function better(m: Machine, state: State, best: Value, value: Value, op: "Lt" | "Gt", line: number): Value {
  const wins = truth(m, compare(m, state, op, value, best, line), line);
  return merge(m.t, wins, value, best);
}

/** An argument behind the items. That these can't be gone through at all shows in Python only after it. */
function afterItems(m: Machine, state: State, node: Expression): Value {
  if (state.live === m.t.no && node.is !== "Constant")
    throw new Unsupported("a second argument that is not a constant, after items that cannot be iterated", node.line);
  return evaluate(m, state, node);
}

/** What min and max go through, and what they give when that is empty. */
interface Extremes {
  readonly items: Expression;
  readonly otherwise: Expression | undefined;
}

function extremeOf(m: Machine, state: State, { items, otherwise }: Extremes, op: "Lt" | "Gt", line: number): Value {
  const { t } = m;
  // The items of a generator come after the default is evaluated, so that has to be one that can't raise.
  if (otherwise && otherwise.is !== "Constant" && items.is === "GeneratorExp")
    throw new Unsupported("min and max of a generator expression with a default that is not a constant", line);
  const iteration = listed(m, state, items);
  if (!otherwise) {
    m.raise(state, t.le(iteration.count, t.zero), "ValueError", line);
    return bestOf(m, state, iteration, op, line);
  }
  const value = afterItems(m, state, otherwise);
  const empty = t.le(iteration.count, t.zero);
  const { yes, no } = m.branch(
    state,
    empty,
    () => value,
    (own) => bestOf(m, own, iteration, op, line),
  );
  return merge(t, empty, yes ?? m.nothing(), no ?? m.nothing());
}

/** The best of what has an item at all. */
function bestOf(m: Machine, state: State, iteration: Iteration, op: "Lt" | "Gt", line: number): Value {
  const { t } = m;
  const best = m.hidden("best");
  if (state.live === t.no) return m.nothing();
  const first = iteration.at(t.zero);
  if (first.kind === "none" || first.kind === "complex")
    throw new Unsupported(`min and max of items of type ${first.kind}`, line);
  state.variables.set(best, always(t, first));
  // The first item against itself changes nothing, so the loop may begin with it.
  walk(m, state, iteration, {
    line,
    names: [best],
    isReadOutside: () => true,
    body(own, item) {
      own.variables.set(best, better(m, own, own.variables.get(best) ?? [], always(t, item), op, line));
    },
  });
  return taken(m, state, best);
}

/** An iteration whose items can be asked for more than once: those of a generator are made first. */
function listed(m: Machine, state: State, node: Expression): Iteration {
  if (node.is !== "GeneratorExp") return iterationOver(m, state, node);
  const value = comprehension(m, state, node);
  // Comparing whole numbers raises nothing, so it does not matter that all are made before.
  for (const { plain } of value) {
    const item = plain.kind === "sequence" ? plain.sequence.type.item?.kind : undefined;
    if (item !== "int" && item !== "bool")
      throw new Unsupported("min and max of a generator expression whose items are not whole numbers", node.line);
  }
  return overValue(m, state, value, node.line);
}

/** Goes through an iterable or a generator, whose items come one by one as the loop runs. */
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
  // How long a list will be is asked first, and told in 64 bits.
  if (makes_list && iteration.ranges)
    m.raise(state, m.t.le(m.t.int(2n ** 63n), iteration.count), "OverflowError", node.line);
  over(m, state, iteration, { line: node.line, names, each });
}

interface Pass {
  readonly line: number;
  readonly names: readonly string[];
  readonly each: (state: State, value: Value) => void;
}

function over(m: Machine, state: State, iteration: Iteration, { line, names, each }: Pass): void {
  const body = (own: State, item: Plain) => each(own, always(m.t, item));
  walk(m, state, iteration, { line, names, isReadOutside: () => true, body });
}

function taken(m: Machine, state: State, name: string): Value {
  const value = state.variables.get(name) ?? m.nothing();
  state.variables.delete(name);
  return value;
}

function sum(m: Machine, state: State, node: Call): Value {
  const [items, second, ...more] = node.args;
  const [named, ...others] = node.keywords;
  const wrong = second ? named : named && named.arg !== "start";
  if (!items || more.length > 0 || wrong || others.length > 0)
    throw new Unsupported("sum with other arguments than an iterable and a start", node.line);
  const start = second ?? named?.value;
  const total = m.hidden("total");
  const add = (own: State, value: Value) => {
    const known = own.variables.get(total) ?? [];
    for (const { plain } of [...value, ...known]) checkSummand(plain, node.line);
    own.variables.set(total, binary(m, own, "Add", known, value, node.line));
  };
  const begin = () => {
    const first = start ? afterItems(m, state, start) : always(m.t, int(m.t.zero));
    // Strings and the like are refused by Python too, if there is no item as well.
    for (const { plain } of first) checkSummand(plain, node.line);
    state.variables.set(total, first);
  };
  if (items.is === "GeneratorExp") {
    // Its first iterable is evaluated before the start, which therefore has to be one that can't raise.
    if (start && start.is !== "Constant")
      throw new Unsupported("sum of a generator expression with a start that is not a constant", node.line);
    begin();
    generate(m, state, items, [total], add);
  } else {
    const iteration = iterationOver(m, state, items);
    begin();
    over(m, state, iteration, { line: items.line, names: [total], each: add });
  }
  return taken(m, state, total);
}

function checkSummand({ kind }: Plain, line: number): void {
  if (kind === "float" || kind === "sequence") throw new Unsupported("sum of items that are not whole numbers", line);
}

/** `any` stops at the first true item, `all` at the first false one. */
function quantified(m: Machine, state: State, node: Call, stops_at: boolean): Value {
  const { t } = m;
  const [items, ...more] = node.args;
  if (!items || more.length > 0 || node.keywords.length > 0)
    throw new Unsupported("any and all with other arguments than one iterable", node.line);
  if (items.is === "GeneratorExp" && items.generators.length > 1)
    throw new Unsupported("any and all of a generator expression with several `for` clauses", node.line);
  const result = m.hidden("result");
  state.variables.set(result, always(t, bool(t.bool(!stops_at))));
  through(m, state, items, [result], (own, value) => {
    const holds = truth(m, value, node.line);
    const stops = stops_at ? holds : t.not(holds);
    const variables = new Map(own.variables).set(result, always(t, bool(t.bool(stops_at))));
    m.exits.breaks.push({ when: t.and(own.live, stops), variables });
    own.live = t.and(own.live, t.not(stops));
  });
  return taken(m, state, result);
}

function toList(m: Machine, state: State, node: Call): Value {
  const { t } = m;
  const [items, ...more] = node.args;
  if (more.length > 0 || node.keywords.length > 0) throw new Unsupported("list with more than one argument", node.line);
  const empty = always(t, listOf(t, { kind: "list", item: undefined, view: "whole" }, []));
  if (!items) return empty;
  const list = m.hidden("list");
  state.variables.set(list, empty);
  const longer = (own: State, value: Value) => {
    const known = own.variables.get(list) ?? [];
    const appends = (to: Plain, plain: Plain): Value => {
      if (to.kind !== "sequence") throw new Unsupported("list of this value", node.line);
      return always(t, { kind: "sequence", sequence: appended(m, to.sequence, plain, node.line) });
    };
    own.variables.set(
      list,
      m.each(own, known, (to, there) => m.each(there, value, (plain) => appends(to, plain))),
    );
  };
  through(m, state, items, [list], longer, true);
  return taken(m, state, list);
}

/** A new list in ascending order, or in descending order, where equal whole numbers can't be told apart. */
function sorted(m: Machine, state: State, node: Call): Value {
  const { t } = m;
  const [items, ...more] = node.args;
  const [reverse, ...others] = node.keywords;
  const known =
    !reverse || (reverse.arg === "reverse" && reverse.value.is === "Constant" && reverse.value.type === "bool");
  if (!items || more.length > 0 || others.length > 0 || !known)
    throw new Unsupported(
      "sorted with other arguments than one iterable and `reverse=True` or `reverse=False`",
      node.line,
    );
  const descending = reverse?.value.is === "Constant" && reverse.value.value === "True";
  const lazy = items.is === "GeneratorExp" || (items.is === "Call" && isIterable(m, items));
  const list = lazy ? toList(m, state, { ...node, keywords: [] }) : evaluate(m, state, items);
  return m.each(state, list, (plain) => {
    if (plain.kind !== "sequence" || plain.sequence.type.kind !== "list")
      throw new Unsupported(`sorted of ${typeText(typeOf(plain))}`, node.line);
    const sequence = ascending(m, plain.sequence, node.line);
    return always(t, { kind: "sequence", sequence: descending ? reversed(t, sequence, node.line) : sequence });
  });
}

/** Functions of `math`, by their full names. */
export function mathFunction(m: Machine, state: State, name: string, node: Call): Value | undefined {
  const { t } = m;
  const line = node.line;
  const on = (work: (x: Term, own: State) => Value): Value => {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      const x = asFloat(m, own, plain, line);
      if (!x) throw new Unsupported(`${name} of ${typeText(typeOf(plain))}`, line);
      return work(x, own);
    });
  };
  switch (name) {
    case "math.sqrt":
      return on((x, own) => {
        m.raise(own, t.floatOp("fp.lt", x, t.float(0)), "ValueError", line);
        return always(t, float(t.floatOp("fp.sqrt", x)));
      });
    case "math.fabs":
      return on((x) => always(t, float(t.floatOp("fp.abs", x))));
    case "math.isnan":
      return on((x) => always(t, bool(t.floatOp("fp.isNaN", x))));
    case "math.isinf":
      return on((x) => always(t, bool(t.floatOp("fp.isInfinite", x))));
    case "math.isfinite":
      return on((x) => always(t, bool(t.not(t.or(t.floatOp("fp.isNaN", x), t.floatOp("fp.isInfinite", x))))));
    case "math.floor":
    case "math.ceil":
    case "math.trunc": {
      const [value] = positionalArguments(m, state, node, 1);
      return m.each(state, value ?? [], (plain, own) => {
        const number = asInt(t, plain);
        return number ? always(t, int(number)) : wholeOf(m, own, name, plain, line);
      });
    }
    case "math.log":
      return on((x, own) => {
        if (node.args[0] && x.op === "apply" && x.name === "float of int")
          throw new Unsupported("math.log of a whole number", line);
        m.raise(own, t.floatOp("fp.leq", x, t.float(0)), "ValueError", line);
        return always(t, float(t.apply(name, [x], FLOAT)));
      });
    case "math.isqrt":
      return isqrt(m, state, node);
    default:
      return undefined;
  }
}

/** The root of a whole number, by what it is: its square is not above the number, and the next one's is. */
function isqrt(m: Machine, state: State, node: Call): Value {
  const { t } = m;
  const [value] = positionalArguments(m, state, node, 1);
  return m.each(state, value ?? [], (plain, own) => {
    const n = asInt(t, plain);
    if (!n) throw new Unsupported(`math.isqrt of ${typeText(typeOf(plain))}`, node.line);
    m.raise(own, t.lt(n, t.zero), "ValueError", node.line);
    const root = t.apply("isqrt", [n], INT);
    const next = t.add(root, t.one);
    const right = t.and(t.le(t.zero, root), t.le(t.mul(root, root), n), t.lt(n, t.mul(next, next)));
    m.facts.push(t.implies(t.le(t.zero, n), right));
    return always(t, int(root));
  });
}
