/** Executes displays and comprehensions of dicts and sets. Each adds one key after the other. */

import { emptyMapping } from "../logic/mappings.ts";
import { always, type Mapping, NONE, type Plain, type Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression } from "../python/tree.ts";
import { mappingOf } from "./comprehensions.ts";
import type { Machine } from "./machine.ts";
import { onEach } from "./opaque/functions.ts";
import { EMPTY_DICT, EMPTY_SET, withEntry } from "./operators/mappings.ts";
import type { State } from "./parts.ts";

type OneOf<Is extends Expression["is"]> = Extract<Expression, { is: Is }>;

/** Returns a dict or set without keys. */
export function empty(m: Machine, of: "dict" | "set"): Value {
  return always(m.t, { kind: "mapping", mapping: emptyMapping(m.t, of === "dict" ? EMPTY_DICT : EMPTY_SET) });
}

export function setDisplay(m: Machine, state: State, { elts, line }: OneOf<"Set">): Value {
  const values = elts.map((each) => m.evaluate(state, each));
  return onEach(m, state, values, (items) =>
    items.reduce((all, item) => added(m, all, item, undefined, line), empty(m, "set")),
  );
}

export function dictDisplay(m: Machine, state: State, { keys, values, line }: OneOf<"Dict">): Value {
  const pairs = keys.flatMap((key, i) => [key, values[i]].flatMap((each) => each ?? []));
  const evaluated = pairs.map((each) => m.evaluate(state, each));
  return onEach(m, state, evaluated, (operands) =>
    keys.reduce(
      (all, _, i) => added(m, all, operands[2 * i] ?? NONE, operands[2 * i + 1] ?? NONE, line),
      empty(m, "dict"),
    ),
  );
}

/** Executes a set or dict comprehension. */
export function mappingComprehension(m: Machine, state: State, node: OneOf<"SetComp" | "DictComp">): Value {
  const is_set = node.is === "SetComp";
  return mappingOf(m, state, node, empty(m, is_set ? "set" : "dict"), (own, known, item) =>
    onEach(m, own, [item], ([each = NONE]) => {
      if (is_set) return added(m, known, each, undefined, node.line);
      const [key = NONE, value = NONE] = each.kind === "tuple" ? each.items : [];
      return added(m, known, key, value, node.line);
    }),
  );
}

function added(m: Machine, known: Value, key: Plain, value: Plain | undefined, line: number): Value {
  return always(m.t, { kind: "mapping", mapping: withEntry(m, onlyMapping(known, line), key, value, line) });
}

function onlyMapping([only, ...others]: Value, line: number): Mapping {
  if (only?.plain.kind !== "mapping" || others.length > 0)
    throw new Unsupported("a dict or set of several types", line);
  return only.plain.mapping;
}
