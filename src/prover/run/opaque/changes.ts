/** Executes changes of dicts and sets that only one variable holds: the variable gets a different value. */

import {
  always,
  mayHoldFloats,
  NONE,
  type OpaqueType,
  type Plain,
  typeOf,
  typeText,
  type Value,
} from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Expression } from "../../python/tree.ts";
import { mappingOf } from "../comprehensions.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";
import { emptyDict } from "./displays.ts";
import { checkNoFloats, type Known, onEach, unknownResult } from "./functions.ts";
import { isHashable } from "./operators.ts";

/** Returns the type of a dict or set. Rejects any other value. */
function container(plain: Plain, of: "dict" | "set", line: number): OpaqueType {
  if (plain.kind !== "opaque" || plain.type.of !== of)
    throw new Unsupported(`this change of a value of type ${typeText(typeOf(plain))}`, line);
  return plain.type;
}

function unlessHashed(key: Plain): Known["raises"] {
  return isHashable(typeOf(key)) ? "nothing" : "TypeError";
}

/** Returns the dict with a different value for a key. Raises TypeError before anything changes. */
export function withEntry(m: Machine, state: State, dict: Value, key: Value, value: Value, line: number): Value {
  return onEach(m, state, [dict, key, value], ([of = NONE, at = NONE, entry = NONE], own) => {
    const type = container(of, "dict", line);
    checkNoFloats([at], line);
    const [k, v] = type.items;
    const fits = k && v && typeText(k) === typeText(typeOf(at)) && typeText(v) === typeText(typeOf(entry));
    const floats = mayHoldFloats(type) || mayHoldFloats(typeOf(entry));
    const result: OpaqueType = fits ? type : { kind: "opaque", of: "dict", items: [], floats };
    return unknownResult(m, own, "set entry", [of, at, entry], { result, raises: unlessHashed(at) }, line);
  });
}

/** Returns the set with or without an item. */
export function withItem(
  m: Machine,
  state: State,
  set: Value,
  item: Value,
  how: "add" | "discard",
  line: number,
): Value {
  return onEach(m, state, [set, item], ([of = NONE, each = NONE], own) => {
    container(of, "set", line);
    checkNoFloats([each], line);
    const result: OpaqueType = { kind: "opaque", of: "set", items: [], floats: false };
    return unknownResult(m, own, `set ${how}`, [of, each], { result, raises: unlessHashed(each) }, line);
  });
}

/** Executes a set or dict comprehension as a loop that adds each item. */
export function unknownComprehension(
  m: Machine,
  state: State,
  node: Extract<Expression, { is: "SetComp" | "DictComp" }>,
): Value {
  const { line } = node;
  if (node.is === "SetComp") {
    const result: OpaqueType = { kind: "opaque", of: "set", items: [], floats: false };
    const empty = unknownResult(m, state, "set()", [], { result, raises: "nothing" }, line);
    return mappingOf(m, state, node, empty, (own, set, item) => withItem(m, own, set, item, "add", line));
  }
  return mappingOf(m, state, node, emptyDict(m, state, line), (own, dict, item) =>
    onEach(m, own, [item], ([each = NONE], inner) => {
      const [key = NONE, value = NONE] = each.kind === "tuple" ? each.items : [];
      return withEntry(m, inner, dict, always(m.t, key), always(m.t, value), line);
    }),
  );
}
