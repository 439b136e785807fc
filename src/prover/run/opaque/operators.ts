/** Executes operators, with an unknown function for each pair of types that is not modelled. */

import type { Term } from "../../logic/term.ts";
import {
  always,
  bool,
  int,
  isPlainTuple,
  mayHoldFloats,
  NONE,
  type OpaqueType,
  type Plain,
  partsOf,
  STR,
  type Type,
  typeOf,
  typeText,
  type Value,
} from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { BinOp, CompareOp, UnaryOp } from "../../python/tree.ts";
import type { Machine } from "../machine.ts";
import { binary, unary } from "../operators/arithmetic.ts";
import { compare } from "../operators/comparison.ts";
import { asInt, truth } from "../operators/conversions.ts";
import type { State } from "../parts.ts";
import { stringOf } from "../sequences.ts";
import { attempt } from "./attempt.ts";
import { checkNoFloats, INTEGER, itemsOf, type Known, onEach, TRUTH, unknownResult } from "./functions.ts";

/**
 * Returns the type of a result that can have any type. The result can contain floats if the operands can or the
 * operation creates floats.
 */
export function anything(operands: readonly Plain[], makes_floats = false): OpaqueType {
  const floats = makes_floats || operands.some((each) => mayHoldFloats(typeOf(each)));
  return { kind: "opaque", of: "value", items: [], floats };
}

/** Executes `a op b`. `in_place` means that the operation can change the left operand. */
export function operate(
  m: Machine,
  state: State,
  op: BinOp,
  a: Value,
  b: Value,
  { line, in_place = false }: { readonly line: number; readonly in_place?: boolean },
): Value {
  if (!m.program.congruent) return binary(m, state, op, a, b, line);
  return onEach(m, state, [a, b], ([x = NONE, y = NONE], own) => {
    const exact = attempt(m, own, () => binary(m, own, op, always(m.t, x), always(m.t, y), line));
    if (!(exact instanceof Unsupported)) return exact;
    const is_number = y.kind === "int" || y.kind === "float" || y.kind === "bool";
    // A container raises TypeError if the other operand is a number, except that a list can be repeated in place.
    if (in_place && isContainer(x) && (op === "Mult" || !is_number))
      throw new Unsupported(`augmented assignments to a value of type ${typeText(typeOf(x))}`, line);
    return unknownBinary(m, own, op, x, y, line);
  });
}

function isContainer(plain: Plain): boolean {
  if (plain.kind === "opaque") return !["tuple", "frozenset", "bytes"].includes(plain.type.of);
  return plain.kind === "mapping" || (plain.kind === "sequence" && plain.sequence.type.kind === "list");
}

function unknownBinary(m: Machine, state: State, op: BinOp, a: Plain, b: Plain, line: number): Value {
  const { t } = m;
  const [x, y] = [asInt(t, a), asInt(t, b)];
  if (x && y && op === "Pow") return power(m, state, x, y, line);
  if (x && y) return unknownResult(m, state, op, [int(x), int(y)], ofIntegers(op), line);
  if (op === "Mod" && stringOf(a)) return unknownResult(m, state, op, [a, b], { result: STR }, line);
  if (op === "Mult" && a.kind === "sequence" && y) return repeated(m, state, a, int(y), line);
  if (op === "Mult" && b.kind === "sequence" && x) return repeated(m, state, b, int(x), line);
  // Differences and intersections of sets, and unions of dicts, compare items.
  if (["Sub", "BitAnd", "BitOr", "BitXor"].includes(op)) checkNoFloats([a, b], line);
  const makes_floats = op === "Div" || op === "Pow";
  return unknownResult(m, state, op, [a, b], { result: anything([a, b], makes_floats) }, line);
}

function ofIntegers(op: BinOp): Known {
  const total = op === "BitAnd" || op === "BitOr" || op === "BitXor";
  return { result: INTEGER, raises: total ? "nothing" : undefined };
}

/** Raises an integer to an integer power. The result is a float if the exponent is negative. */
function power(m: Machine, state: State, x: Term, y: Term, line: number): Value {
  const { t } = m;
  const is_whole = t.le(t.zero, y);
  const operands = [int(x), int(y)];
  const { yes, no } = m.branch(
    state,
    is_whole,
    (own) => unknownResult(m, own, "Pow", operands, { result: INTEGER, raises: "nothing" }, line),
    (own) => unknownResult(m, own, "Pow", operands, { result: { kind: "float" } }, line),
  );
  const choices = [
    ...(yes ?? []).map((each) => ({ ...each, when: t.and(is_whole, each.when) })),
    ...(no ?? []).map((each) => ({ ...each, when: t.and(t.not(is_whole), each.when) })),
  ];
  return choices.filter(({ when }) => when !== t.no);
}

/** Repeats a string or list. */
function repeated(m: Machine, state: State, of: Plain, times: Plain, line: number): Value {
  const type = typeOf(of);
  const result: Type = type.kind === "str" || type.kind === "list" ? { ...type, view: "whole" } : anything([of]);
  return unknownResult(m, state, "Mult", [of, times], { result, raises: "OverflowError" }, line);
}

/** Executes `op a`. */
export function operateOne(m: Machine, state: State, op: UnaryOp, value: Value, line: number): Value {
  if (!m.program.congruent || op === "Not") return unary(m, state, op, value, line);
  return onEach(m, state, [value], ([x = NONE], own) => {
    const exact = attempt(m, own, () => unary(m, own, op, always(m.t, x), line));
    if (!(exact instanceof Unsupported)) return exact;
    return unknownResult(m, own, op, [x], { result: anything([x]) }, line);
  });
}

/** Executes one comparison other than `in`. */
export function compareAny(
  m: Machine,
  state: State,
  op: Exclude<CompareOp, "In" | "NotIn">,
  a: Value,
  b: Value,
  line: number,
): Value {
  if (!m.program.congruent) return compare(m, state, op, a, b, line);
  return onEach(m, state, [a, b], ([x = NONE, y = NONE], own) => {
    const exact = attempt(m, own, () => compare(m, own, op, always(m.t, x), always(m.t, y), line));
    return exact instanceof Unsupported ? unknownComparison(m, own, op, x, y, line) : exact;
  });
}

function unknownComparison(
  m: Machine,
  state: State,
  op: Exclude<CompareOp, "In" | "NotIn">,
  x: Plain,
  y: Plain,
  line: number,
): Value {
  const [name, negated, turned] = comparisons[op];
  if (name === "Is") checkSingleton(x, y, line);
  else if (isContainerOfFloats(x) && isContainerOfFloats(y)) checkNoFloats([x, y], line);
  const numbers = [x, y].every(({ kind }) => kind === "int" || kind === "bool" || kind === "float");
  const sets = [x, y].every(
    (each) => each.kind === "opaque" && (each.type.of === "set" || each.type.of === "frozenset"),
  );
  const raises = name === "Eq" || name === "Is" || numbers || sets ? "nothing" : "TypeError";
  // Equality and identity are symmetric for these types.
  const is_swapped = turned || ((name === "Eq" || name === "Is") && rank(x) > rank(y));
  const value = unknownResult(m, state, name, is_swapped ? [y, x] : [x, y], { result: TRUTH, raises }, line);
  return negated ? always(m.t, bool(m.t.not(truth(m, value, line)))) : value;
}

/** For each comparison, the one that it negates, or that it equals with its operands swapped. */
const comparisons = {
  Eq: ["Eq", false, false],
  NotEq: ["Eq", true, false],
  Is: ["Is", false, false],
  IsNot: ["Is", true, false],
  Lt: ["Lt", false, false],
  Gt: ["Lt", false, true],
  LtE: ["LtE", false, false],
  GtE: ["LtE", false, true],
} as const;

function rank(plain: Plain): string {
  return `${typeText(typeOf(plain))} ${partsOf(plain).map(({ id }) => id)}`;
}

/** Rejects `is` for values other than None, True and False, which are the same objects everywhere. */
function checkSingleton(x: Plain, y: Plain, line: number): void {
  const is_singleton = (each: Plain) => each.kind === "none" || (each.kind === "bool" && each.term.op === "literal");
  if (!is_singleton(x) && !is_singleton(y))
    throw new Unsupported("`is` and `is not` with anything but None, True and False", line);
}

function isContainerOfFloats(plain: Plain): boolean {
  return plain.kind !== "float" && mayHoldFloats(typeOf(plain));
}

/** Executes `in`. */
export function unknownMembership(m: Machine, state: State, item: Plain, container: Plain, line: number): Value {
  if (mayHoldFloats(typeOf(item)) && mayHoldFloats(typeOf(container))) checkNoFloats([item, container], line);
  return unknownResult(
    m,
    state,
    "In",
    [item, container],
    { result: TRUTH, raises: membershipRaises(item, container) },
    line,
  );
}

function membershipRaises(item: Plain, container: Plain): Known["raises"] {
  const type = typeOf(container);
  if (type.kind === "tuple" || type.kind === "list") return "nothing";
  if (type.kind === "opaque" && type.of === "tuple") return "nothing";
  if (type.kind === "str") return "TypeError";
  const is_hashed = type.kind === "opaque" && ["dict", "set", "frozenset"].includes(type.of);
  if (!is_hashed) return undefined;
  return isHashable(typeOf(item)) ? "nothing" : "TypeError";
}

const hashable_kinds: ReadonlySet<Type["kind"]> = new Set(["int", "bool", "float", "none", "str", "enum"]);

/** Whether every value of a type has a hash. */
export function isHashable(type: Type): boolean {
  if (type.kind === "tuple") return type.items.every(isHashable);
  if (type.kind === "opaque") return type.of === "frozenset" || type.of === "bytes";
  return hashable_kinds.has(type.kind);
}

/** Executes `of[at]`. */
export function unknownItem(m: Machine, state: State, of: Plain, at: Plain, line: number): Value {
  const type = typeOf(of);
  if (type.kind === "opaque" && type.of === "dict") return entry(m, state, of, at, type, line);
  if (mayHoldFloats(type) && mayHoldFloats(typeOf(at))) checkNoFloats([of, at], line);
  const place = asInt(m.t, at);
  if (place && of.kind === "opaque" && isPlainTuple(of.type)) return itemOfTuple(m, state, of, place, line);
  if (type.kind === "opaque" && type.of !== "value" && type.of !== "tuple" && type.of !== "bytes")
    throw new Unsupported(`indices of a value of type ${typeText(type)}`, line);
  const result = itemType(type) ?? anything([of]);
  return unknownResult(
    m,
    state,
    "item at",
    [of, at],
    { result, raises: at.kind === "int" && type.kind === "tuple" ? "IndexError" : undefined },
    line,
  );
}

function itemOfTuple(
  m: Machine,
  state: State,
  of: Extract<Plain, { kind: "opaque" }>,
  place: Term,
  line: number,
): Value {
  const { t } = m;
  const { count, at } = itemsOf(m, of);
  const index = t.ite(t.lt(place, t.zero), t.add(place, count), place);
  m.raise(state, t.not(t.and(t.le(t.zero, index), t.lt(index, count))), "IndexError", line);
  return state.live === t.no ? m.nothing() : always(t, at(index));
}

function itemType(type: Type): Type | undefined {
  if (type.kind === "opaque")
    return type.of === "tuple" && type.items.length === 1 ? type.items[0] : type.of === "bytes" ? INTEGER : undefined;
  if (type.kind === "str") return STR;
  if (type.kind === "list") return type.item;
  if (type.kind !== "tuple") return undefined;
  const [first, ...others] = type.items;
  return first && others.every((each) => typeText(each) === typeText(first)) ? first : undefined;
}

/** Returns a dict's value for a key. Raises KeyError exactly when `in` is false. */
function entry(m: Machine, state: State, of: Plain, key: Plain, type: OpaqueType, line: number): Value {
  const { t } = m;
  const is_there = truth(m, unknownMembership(m, state, key, of, line), line);
  m.raise(state, t.not(is_there), "KeyError", line);
  if (state.live === t.no) return m.nothing();
  return entryOf(m, of, key, type);
}

/** Returns a dict's value for a key that the dict has. */
export function entryOf(m: Machine, of: Plain, key: Plain, type: OpaqueType): Value {
  const known = type.items[1] ?? anything([of]);
  return unknownResult(
    m,
    { live: m.t.yes, variables: new Map() },
    "entry",
    [of, key],
    { result: known, raises: "nothing" },
    0,
  );
}
