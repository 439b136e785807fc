/** Executes methods that change a list in place: the only variable that holds the list gets a different list. */

import type { Term } from "../logic/term.ts";
import {
  always,
  int,
  type Mapping,
  NONE,
  type Plain,
  type Sequence,
  typeOf,
  typeText,
  type Value,
} from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression, Place } from "../python/tree.ts";
import { type Change, type ChangingMethod, nodesIn, statementsIn } from "../python/walk.ts";
import { append, itemIs, look } from "./iteration.ts";
import { type Machine, written_out_max } from "./machine.ts";
import { withItem } from "./opaque/changes.ts";
import { asInt } from "./operators/conversions.ts";
import { appendItem, concatenate, index, sequenceOf } from "./operators/lists.ts";
import { containsKey, entryAt, entryOr, partsOfMapping, withEntry, withoutEntry } from "./operators/mappings.ts";
import type { State } from "./parts.ts";
import { part, whole } from "./sequences.ts";

/** The types that have each method. */
const holders: Readonly<Record<ChangingMethod, readonly string[]>> = {
  append: ["list"],
  extend: ["list"],
  insert: ["list"],
  pop: ["list", "dict", "set"],
  popitem: ["dict"],
  add: ["set"],
  discard: ["set"],
  remove: ["list", "set"],
  setdefault: ["dict"],
  sort: ["list"],
  reverse: ["list"],
};

/** Executes a call that changes a list, set or dict, and returns the call's value. */
export function changeList(m: Machine, state: State, change: Change): Value {
  const known = state.variables.get(m.variableOf(change.name) ?? "") ?? [];
  // Python looks up the method before it evaluates the arguments.
  for (const { plain } of known) {
    const type = typeOf(plain);
    const kind = type.kind === "opaque" ? type.of : type.kind;
    if (kind !== "unbound" && !holders[change.method].includes(kind))
      throw new Unsupported(`the method ${change.method} of ${typeText(type)}`, change.call.line);
  }
  if (known.some(({ plain }) => plain.kind === "mapping")) return changeMapping(m, state, change);
  return changes[change.method](m, state, change);
}

const changes: Readonly<Record<ChangingMethod, typeof changeList>> = {
  append: (m, state, change) => addTo(m, state, change, append),
  extend: (m, state, change) => addTo(m, state, change, extend),
  insert,
  pop: popFrom,
  popitem: refuse,
  add: changeSet,
  discard: changeSet,
  remove,
  setdefault: refuse,
  sort: (m, state, change) =>
    reorder(m, state, change, (place, list) => callOf(place, "sorted", list, change.call.keywords)),
  reverse: (m, state, change) =>
    reorder(m, state, change, (place, list) => callOf(place, "list", callOf(place, "reversed", list, []), [])),
};

/** Returns the variable that holds the list, and the arguments. */
function partsOf(m: Machine, { name, method, call }: Change, count = 1) {
  const { args, keywords, line, func } = call;
  const variable = m.variableOf(name);
  if (variable === undefined || func.is !== "Attribute") throw new Unsupported(`${method} on a global variable`, line);
  if (args.length > count || keywords.length > 0)
    throw new Unsupported(`${method} with this number of arguments or with keyword arguments`, line);
  return { variable, value: func.value, argument: args[0], second: args[1], line };
}

/** Executes a method that adds something to a list. It returns None. */
function addTo(m: Machine, state: State, change: Change, add: typeof extend): Value {
  const { variable, value, argument, line } = partsOf(m, change);
  const list = m.evaluate(state, value);
  if (!argument) throw new Unsupported(`${change.method} without an argument`, line);
  const added = m.evaluate(state, argument);
  if (state.live === m.t.no) return m.nothing();
  state.variables.set(variable, add(m, state, list, added, line));
  return always(m.t, NONE);
}

/** Executes `insert`. An index outside the list counts as its nearest end. */
function insert(m: Machine, state: State, change: Change): Value {
  const { variable, value, argument, second, line } = partsOf(m, change, 2);
  if (!argument || !second) throw new Unsupported("insert with this number of arguments", line);
  const list = m.evaluate(state, value);
  const place = m.evaluate(state, argument);
  const added = m.evaluate(state, second);
  if (state.live === m.t.no) return m.nothing();
  const own = onlyList(m, list, change.method, line);
  const at = indexOf(m, state, place, own, line);
  const changed = m.eachOf(state, added, (plain) => {
    const before = appendItem(m, part(m.t, own, undefined, at, line), plain, line);
    const sequence = concatenate(m, before, part(m.t, own, at, undefined, line), line);
    return always(m.t, { kind: "sequence", sequence });
  });
  if (state.live !== m.t.no) state.variables.set(variable, changed);
  return always(m.t, NONE);
}

/** Executes `remove`. Raises ValueError if no item is equal to the argument. */
function remove(m: Machine, state: State, change: Change): Value {
  const { t } = m;
  const { variable, value, argument, line } = partsOf(m, change);
  const list = m.evaluate(state, value);
  const [sought, other] = argument ? m.evaluate(state, argument) : [];
  if (state.live === t.no) return m.nothing();
  if (!sought || other) throw new Unsupported("remove of a value that can have several types", line);
  const own = onlyList(m, list, change.method, line);
  const isHere = itemIs(m, sought.plain, own, line);
  const [found] = look(m, state, { line, places: own.length, isHere, result: int, nowhere: int(t.int(-1n)) });
  if (found?.plain.kind !== "int") throw new Error("an index is a whole number");
  const at = found.plain.term;
  m.raise(state, t.lt(at, t.zero), "ValueError", line);
  if (state.live !== t.no)
    state.variables.set(variable, always(t, { kind: "sequence", sequence: without(m, own, at, line) }));
  return always(t, NONE);
}

/** Returns a list without the item at an index that is not negative. Short lists are written out. */
function without(m: Machine, list: Sequence, at: Term, line: number): Sequence {
  const { t } = m;
  const { value } = list.length;
  if (typeof value !== "bigint" || value > BigInt(written_out_max) || value === 0n)
    return concatenate(m, part(t, list, undefined, at, line), part(t, list, t.add(at, t.one), undefined, line), line);
  const places = Array.from({ length: Number(value) - 1 }, (_, i) => t.int(BigInt(i)));
  const arrays = list.arrays.map((array) =>
    places.reduce((rest, i) => {
      const next = t.select(array, t.add(i, t.one));
      return t.store(rest, i, t.ite(t.lt(i, at), t.select(array, i), next));
    }, array),
  );
  return { ...list, length: t.int(value - 1n), arrays };
}

/** Returns the list in a variable, in its own arrays. Refuses any other value. */
function onlyList(m: Machine, [only, other]: Value, method: ChangingMethod, line: number): Sequence {
  const sequence = only && sequenceOf(only.plain);
  if (other || sequence?.type.kind !== "list") throw new Unsupported(`the method ${method} of this value`, line);
  return whole(m, sequence);
}

/** Returns an integer index. Raises OverflowError if it has more than 64 bits, which no index into a list has. */
function indexOf(m: Machine, state: State, [place, other]: Value, { length }: Sequence, line: number): Term {
  const { t } = m;
  const at = place && !other ? asInt(t, place.plain) : undefined;
  if (!at) throw new Unsupported("an index of a list that is not always an int", line);
  const limit = t.int(2n ** 63n);
  const is_after = t.and(t.le(limit, at), t.lt(length, at));
  const is_before = t.and(t.lt(at, t.neg(limit)), t.lt(t.add(at, length), t.zero));
  m.raise(state, t.or(is_after, is_before), "OverflowError", line);
  return at;
}

/** Removes an item, by default the last one, and returns it. Raises IndexError if there is no such item. */
function popFrom(m: Machine, state: State, change: Change): Value {
  const { t } = m;
  const { variable, value, argument, line } = partsOf(m, change);
  const list = m.evaluate(state, value);
  const place = argument ? m.evaluate(state, argument) : always(t, int(t.int(-1n)));
  if (state.live === t.no) return m.nothing();
  const own = onlyList(m, list, change.method, line);
  const at = indexOf(m, state, place, own, line);
  const item = index(m, state, own, at, line);
  // Facts must also hold after an exception, so no length may become negative.
  const left = t.ite(t.lt(t.zero, own.length), t.sub(own.length, t.one), t.zero);
  const first = m.isNotNegative(at) ? at : t.ite(t.lt(at, t.zero), t.add(at, own.length), at);
  const rest = at.value === -1n ? { ...own, length: left } : whole(m, without(m, own, first, line));
  if (state.live !== t.no) state.variables.set(variable, always(t, { kind: "sequence", sequence: rest }));
  return item;
}

/** Executes `add` and `discard`, which are supported only when two functions are compared. */
function changeSet(m: Machine, state: State, change: Change): Value {
  const { method, call } = change;
  if (!m.program.congruent || call.args.length !== 1 || (method !== "add" && method !== "discard"))
    throw new Unsupported(`calls of the method ${method}`, call.line);
  const { variable, value, argument, line } = partsOf(m, change);
  const set = m.evaluate(state, value);
  const item = argument ? m.evaluate(state, argument) : m.nothing();
  if (state.live === m.t.no) return m.nothing();
  state.variables.set(variable, withItem(m, state, set, item, method, line));
  return always(m.t, NONE);
}

function refuse(_: Machine, __: State, { method, call }: Change): Value {
  throw new Unsupported(`calls of the method ${method}`, call.line);
}

/** Executes a method that changes a dict or set: the variable gets a different one. */
function changeMapping(m: Machine, state: State, { name, method, call }: Change): Value {
  const { t } = m;
  const { line, func, args, keywords } = call;
  const variable = m.variableOf(name);
  if (func.is !== "Attribute" || variable === undefined || keywords.length > 0 || (method === "popitem" && args[0]))
    throw new Unsupported(`calls of the method ${method} with these arguments`, line);
  const receiver = m.evaluate(state, func.value);
  const values = args.map((each) => m.evaluate(state, each));
  const [[only, ...others], [first, ...firsts] = method === "popitem" ? always(t, NONE) : []] = [receiver, values[0]];
  if (state.live === t.no) return m.nothing();
  if (only?.plain.kind !== "mapping" || others.length > 0 || !first || firsts.length > 0)
    throw new Unsupported(`calls of the method ${method} on a value that can have several types, or with one`, line);
  const { mapping } = only.plain;
  const changed = changeOf(m, state, { mapping, method, key: first.plain, others: values.slice(1), line });
  if (!changed)
    throw new Unsupported(`the method ${method} of a ${mapping.type.kind} with ${args.length} arguments`, line);
  if (state.live !== t.no) state.variables.set(variable, always(t, { kind: "mapping", mapping: changed.mapping }));
  return changed.value;
}

interface MappingChange {
  readonly mapping: Mapping;
  readonly method: ChangingMethod;
  readonly key: Plain;
  readonly others: readonly Value[];
  readonly line: number;
}

/** Returns the mapping that a method call leaves, and the call's value. Raises KeyError. */
function changeOf(
  m: Machine,
  state: State,
  { mapping, method, key, others, line }: MappingChange,
): { mapping: Mapping; value: Value } | undefined {
  const none = always(m.t, NONE);
  const [other, ...more] = others;
  const is_set = mapping.type.kind === "set";
  const form = `${mapping.type.kind}.${method}`;
  if (more.length > 0 || (is_set && other)) return undefined;
  if (form === "dict.popitem") return lastRemoved(m, state, mapping, line);
  if (form === "set.add") return { mapping: withEntry(m, mapping, key, undefined, line), value: none };
  if (form === "set.discard") return { mapping: withoutEntry(m, mapping, key, line), value: none };
  if (form === "set.remove") {
    m.raise(state, m.t.not(containsKey(m, mapping, key, line)), "KeyError", line);
    return { mapping: withoutEntry(m, mapping, key, line), value: none };
  }
  if (form === "dict.pop") {
    const value = other ? entryOr(m, mapping, key, other, line) : entryAt(m, state, mapping, key, line);
    return { mapping: withoutEntry(m, mapping, key, line), value };
  }
  if (form !== "dict.setdefault") return undefined;
  const value = entryOr(m, mapping, key, other ?? none, line);
  const [entry, ...entries] = value;
  if (!entry || entries.length > 0) throw new Unsupported("setdefault with a value of another type", line);
  return { mapping: withEntry(m, mapping, key, entry.plain, line), value };
}

/** Removes the newest entry of a dict. Raises KeyError if there is none. The order of the other keys stays. */
function lastRemoved(m: Machine, state: State, mapping: Mapping, line: number): { mapping: Mapping; value: Value } {
  const { t } = m;
  if (!mapping.type.ordered) throw new Unsupported("popitem of a dict whose order is unknown", line);
  m.raise(state, t.le(mapping.count, t.zero), "KeyError", line);
  if (state.live === t.no || !mapping.type.key) return { mapping, value: m.nothing() };
  const item = partsOfMapping(m, mapping, "items", false, line).at(t.sub(mapping.count, t.one));
  const [key = NONE] = item.kind === "tuple" ? item.items : [];
  const { type, ...rest } = withoutEntry(m, mapping, key, line);
  return { mapping: { ...rest, type: { ...type, ordered: true } }, value: always(t, item) };
}

function callOf(
  { line, column, end_line, end_column }: Place,
  id: string,
  argument: Expression,
  keywords: Call["keywords"],
): Call {
  const place = { line, column, end_line, end_column };
  return { ...place, is: "Call", func: { ...place, is: "Name", id }, args: [argument], keywords };
}

/**
 * Reorders a list: the variable gets a new list in that order. This is supported only when two functions are compared.
 */
function reorder(
  m: Machine,
  state: State,
  { name, method, call }: Change,
  made: (place: Place, list: Expression) => Call,
): Value {
  const { args, keywords, line, func } = call;
  const variable = m.variableOf(name);
  const is_known = m.isBuiltin("sorted") && m.isBuiltin("list") && m.isBuiltin("reversed");
  if (!m.program.congruent || variable === undefined || func.is !== "Attribute" || args.length > 0 || !is_known)
    throw new Unsupported(`calls of the method ${method}`, line);
  // While Python sorts a list, the list appears empty to all other code.
  if (keywords.flatMap(({ value }) => nodesIn(value)).some((each) => each.is === "Name" && each.id === name))
    throw new Unsupported(`a call of ${method} that reads ${name}`, line);
  const before = state.live;
  const list = m.evaluate(state, func.value);
  if (list.some(({ plain }) => sequenceOf(plain)?.type.kind !== "list"))
    throw new Unsupported(`the method ${method} of this value`, line);
  const value = m.evaluate(state, made(call, func.value));
  // If sorting fails, the list is left in an arbitrary order, which an exception handler could see.
  const may_go_on = statementsIn(m.frame.definition.body).some(({ is }) => is === "Try");
  if (state.live !== before && may_go_on) throw new Unsupported(`${method} that can raise an exception here`, line);
  state.variables.set(variable, value);
  return always(m.t, NONE);
}

/** Extends a list with another list. Other iterables are not modelled. */
function extend(m: Machine, state: State, list: Value, added: Value, line: number): Value {
  return m.each(state, list, (to, own) =>
    m.each(own, added, (more) => {
      const [a, b] = [sequenceOf(to), sequenceOf(more)];
      if (a?.type.kind !== "list" || b?.type.kind !== "list")
        throw new Unsupported("extend with anything but a list", line);
      return always(m.t, { kind: "sequence", sequence: concatenate(m, a, b, line) });
    }),
  );
}
