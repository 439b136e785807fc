/** Executes displays and slices that are not modelled. */

import {
  always,
  isPlainTuple,
  listOf,
  mayHoldFloats,
  NONE,
  type OpaqueType,
  opaque,
  type Plain,
  STR,
  type Type,
  typeOf,
  typeText,
  type Value,
} from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Expression, Slice } from "../../python/tree.ts";
import { nodesIn } from "../../python/walk.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";
import { boxed, checkNoFloats, type Known, onEach, unknownResult } from "./functions.ts";
import { anything, isHashable } from "./operators.ts";

/** Returns a list whose items have several types. */
export function unknownList(m: Machine, state: State, elements: readonly Expression[]): Value {
  const values = elements.map((each) => m.evaluate(state, each));
  return onEach(m, state, values, (operands) => {
    const item = anything(operands);
    const items = operands.map((each) => opaque(boxed(m.t, each), item));
    return always(m.t, listOf(m.t, { kind: "list", item, view: "whole" }, items));
  });
}

/** Some Python versions build displays with more items than this in several steps. */
const items_at_once_max = 8;

export function unknownSet(m: Machine, state: State, elements: readonly Expression[], line: number): Value {
  const name = howMade(elements, line);
  const values = elements.map((each) => m.evaluate(state, each));
  return onEach(m, state, values, (operands, own) => {
    checkNoFloats(operands, line);
    const item = commonType(operands);
    const result: OpaqueType = { kind: "opaque", of: "set", items: item ? [item] : [], floats: false };
    return unknownResult(m, own, name, operands, { result, raises: raisesFor(operands, line) }, line);
  });
}

/**
 * Returns the name of the operation that creates a set. CPython creates a set of constants at compile time, and its
 * items can be in a different order from a set that is created from the same items at run time. Constants that CPython
 * can compute are rejected.
 */
function howMade(elements: readonly Expression[], line: number): string {
  if (elements.every(({ is }) => is === "Constant")) return "set of constants";
  if (elements.flatMap(nodesIn).some(({ is }) => is === "Name")) return "set display";
  throw new Unsupported("set displays of computed constants", line);
}

export function unknownDict(
  m: Machine,
  state: State,
  { keys, values, line }: Extract<Expression, { is: "Dict" }>,
): Value {
  const pairs = keys.flatMap((key, i) => [key, values[i]].flatMap((each) => each ?? []));
  return onEach(
    m,
    state,
    pairs.map((each) => m.evaluate(state, each)),
    (operands, own) => {
      const [own_keys, own_values] = [0, 1].map((rest) => operands.filter((_, i) => i % 2 === rest));
      if (!own_keys || !own_values) throw new Error("a dict has keys and values");
      checkNoFloats(own_keys, line);
      const [key, value] = [commonType(own_keys), commonType(own_values)];
      const items = key && value ? [key, value] : [];
      const floats = items.length === 0 && own_values.some((each) => mayHoldFloats(typeOf(each)));
      const result: OpaqueType = { kind: "opaque", of: "dict", items, floats };
      return unknownResult(m, own, "dict display", operands, { result, raises: raisesFor(own_keys, line) }, line);
    },
  );
}

/** Returns an empty dict, for `{}` and `dict()`. */
export function emptyDict(m: Machine, state: State, line: number): Value {
  const result: OpaqueType = { kind: "opaque", of: "dict", items: [], floats: false };
  return unknownResult(m, state, "dict display", [], { result, raises: "nothing" }, line);
}

function raisesFor(hashed: readonly Plain[], line: number): Known["raises"] {
  if (hashed.every((each) => isHashable(typeOf(each)))) return "nothing";
  if (hashed.length > items_at_once_max) throw new Unsupported("large displays of items that may have no hash", line);
  return "TypeError";
}

function commonType(operands: readonly Plain[]): Type | undefined {
  const [first, ...others] = operands.map(typeOf);
  return first && others.every((each) => typeText(each) === typeText(first)) ? first : undefined;
}

/** Executes a slice. Absent bounds are None. */
export function unknownSlice(m: Machine, state: State, of: Expression, { lower, upper, step, line }: Slice): Value {
  const none = always(m.t, NONE);
  const value = m.evaluate(state, of);
  const bounds = [lower, upper, step].map((each) => (each ? m.evaluate(state, each) : none));
  return onEach(m, state, [value, ...bounds], (operands, own) => {
    const [self = NONE, ...limits] = operands;
    const type = typeOf(self);
    const is_tuple = type.kind === "opaque" && isPlainTuple(type);
    const is_sequence = type.kind === "str" || type.kind === "list" || is_tuple;
    const whole: Type = type.kind === "list" ? { ...type, view: "whole" } : is_tuple ? type : anything([self]);
    const result = type.kind === "str" ? STR : whole;
    const calm = limits.every(({ kind }) => kind === "none" || kind === "int") && (!step || isNotZero(limits[2]));
    return unknownResult(
      m,
      own,
      "slice",
      operands,
      { result, raises: calm && is_sequence ? "nothing" : undefined },
      line,
    );
  });
}

function isNotZero(plain: Plain | undefined): boolean {
  return (
    plain?.kind === "none" || (plain?.kind === "int" && typeof plain.term.value === "bigint" && plain.term.value !== 0n)
  );
}
