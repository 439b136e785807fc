/** Executes methods that change a list in place: the only variable that holds the list gets a different list. */

import { always, type Mapping, NONE, type Plain, typeOf, typeText, type Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression, Place } from "../python/tree.ts";
import { type Change, type ChangingMethod, nodesIn, statementsIn } from "../python/walk.ts";
import { append } from "./iteration.ts";
import type { Machine } from "./machine.ts";
import { withItem } from "./opaque/changes.ts";
import { concatenate, index, sequenceOf } from "./operators/lists.ts";
import { containsKey, entryAt, entryOr, withEntry, withoutEntry } from "./operators/mappings.ts";
import type { State } from "./parts.ts";
import { part, whole } from "./sequences.ts";

/** The types that have each method. */
const holders: Readonly<Record<ChangingMethod, readonly string[]>> = {
  append: ["list"],
  extend: ["list"],
  pop: ["list", "dict", "set"],
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
  pop: popFrom,
  add: changeSet,
  discard: changeSet,
  remove: refuse,
  setdefault: refuse,
  sort: (m, state, change) =>
    reorder(m, state, change, (place, list) => callOf(place, "sorted", list, change.call.keywords)),
  reverse: (m, state, change) =>
    reorder(m, state, change, (place, list) => callOf(place, "list", callOf(place, "reversed", list, []), [])),
};

/** Returns the variable that holds the list, and the only argument if there is one. */
function partsOf(m: Machine, { name, method, call }: Change) {
  const { args, keywords, line, func } = call;
  const variable = m.variableOf(name);
  if (variable === undefined || func.is !== "Attribute") throw new Unsupported(`${method} on a global variable`, line);
  if (args.length > 1 || keywords.length > 0)
    throw new Unsupported(`${method} with more than one argument or with keyword arguments`, line);
  return { variable, value: func.value, argument: args[0], line };
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

function popFrom(m: Machine, state: State, change: Change): Value {
  const { variable, value, argument, line } = partsOf(m, change);
  return pop(m, state, { list: m.evaluate(state, value), variable, argument, line });
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
  if (func.is !== "Attribute" || variable === undefined || keywords.length > 0)
    throw new Unsupported(`calls of the method ${method} with keyword arguments`, line);
  const receiver = m.evaluate(state, func.value);
  const values = args.map((each) => m.evaluate(state, each));
  const [[only, ...others], [first, ...firsts] = []] = [receiver, values[0]];
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

/** Extends a list by another list. Other iterables are not modelled. */
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

interface Pop {
  readonly list: Value;
  readonly variable: string;
  readonly argument: Expression | undefined;
  readonly line: number;
}

/** Removes the last or the first item and returns it. Raises IndexError if the list is empty. */
function pop(m: Machine, state: State, { list, variable, argument, line }: Pop): Value {
  const { t } = m;
  const [place, other] = argument ? m.evaluate(state, argument) : [];
  const is_first = place?.plain.kind === "int" && place.plain.term === t.zero && !other;
  const [only, second] = list;
  const sequence = only && sequenceOf(only.plain);
  if (state.live === t.no) return m.nothing();
  if ((argument && !is_first) || second || sequence?.type.kind !== "list")
    throw new Unsupported("pop of anything but the last item (`pop()`) or the first (`pop(0)`) of a list", line);
  const own = whole(m, sequence);
  const item = index(m, state, own, is_first ? t.zero : t.int(-1n), line);
  // Facts must also hold after an exception, so no length may become negative.
  const left = t.ite(t.lt(t.zero, own.length), t.sub(own.length, t.one), t.zero);
  const rest = is_first ? whole(m, part(t, own, t.one, undefined, line)) : { ...own, length: left };
  if (state.live !== t.no) state.variables.set(variable, always(t, { kind: "sequence", sequence: rest }));
  return item;
}
