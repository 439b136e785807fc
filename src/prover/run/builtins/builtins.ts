/**
 * The table of Python's builtin functions, and the implementations of those that compute one value from their
 * arguments.
 */

import { INT } from "../../logic/term.ts";
import { always, bool, float, int, listOf, type Plain, STR, typeOf, typeText, type Value } from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Call } from "../../python/tree.ts";
import { classNamed, isOf } from "../classes.ts";
import type { Machine } from "../machine.ts";
import { binary } from "../operators/arithmetic.ts";
import { asFloat, asInt, truth } from "../operators/conversions.ts";
import type { State } from "../parts.ts";
import { extreme, quantify, sortList, sum, toList } from "./folds.ts";
import { toMapping } from "./mappings.ts";

type Builtin = (m: Machine, state: State, node: Call) => Value;

/** Returns the builtin with this name; undefined if the prover does not model it. */
export function builtin(name: string): Builtin | undefined {
  return Object.hasOwn(builtins, name) ? builtins[name] : undefined;
}

const builtins: Readonly<Record<string, Builtin>> = {
  len(m, state, node) {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      if (plain.kind === "tuple") return always(m.t, int(m.t.int(BigInt(plain.items.length))));
      if (plain.kind === "sequence") return always(m.t, int(plain.sequence.length));
      if (plain.kind === "mapping") return always(m.t, int(plain.mapping.count));
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
      // Facts that hold for all characters must not be stated about other numbers.
      return always(t, listOf(t, STR, [int(t.ite(outside, t.zero, plain.term))]));
    });
  },
  isinstance: (m, state, node) => isInstance(m, state, node),
  min: (m, state, node) => extreme(m, state, node, "Lt"),
  max: (m, state, node) => extreme(m, state, node, "Gt"),
  sum: (m, state, node) => sum(m, state, node),
  any: (m, state, node) => quantify(m, state, node, true),
  all: (m, state, node) => quantify(m, state, node, false),
  list: (m, state, node) => toList(m, state, node),
  dict: (m, state, node) => toMapping(m, state, node, "dict"),
  set: (m, state, node) => toMapping(m, state, node, "set"),
  sorted: (m, state, node) => sortList(m, state, node),
  round(m, state, node) {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      const number = asInt(m.t, plain);
      return number ? always(m.t, int(number)) : wholeOf(m, own, "round", plain, node.line);
    });
  },
};

export function positionalArguments(m: Machine, state: State, node: Call, count: number): Value[] {
  if (node.keywords.length > 0 || node.args.length !== count)
    throw new Unsupported(`this call with arguments other than ${count} by position`, node.line);
  return node.args.map((each) => m.evaluate(state, each));
}

/** Returns the integer that a float is rounded to. It is an unknown that depends on the float. */
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
  dict: (plain) => plain.kind === "mapping" && plain.mapping.type.kind === "dict",
  set: (plain) => plain.kind === "mapping" && plain.mapping.type.kind === "set",
};

function isInstance(m: Machine, state: State, node: Call): Value {
  const [subject, classes, ...more] = node.args;
  if (!subject || !classes || more.length > 0 || node.keywords.length > 0)
    throw new Unsupported("isinstance with arguments other than a value and classes", node.line);
  const value = m.evaluate(state, subject);
  const checks = (classes.is === "Tuple" ? classes.elts : [classes]).map((each) => {
    const of = classNamed(m, state, each);
    if (of) return (plain: Plain) => isOf(plain, of);
    const name = each.is === "Name" && m.isBuiltin(each.id) ? each.id : "";
    const check = Object.hasOwn(checked_types, name) ? checked_types[name] : undefined;
    if (!check)
      throw new Unsupported(
        "isinstance with classes other than int, bool, float, str, list, tuple, dict and set",
        node.line,
      );
    return check;
  });
  return m.each(state, value, (plain) => always(m.t, bool(m.t.bool(checks.some((check) => check(plain))))));
}
