/** Methods that change a list in place: the only variable that holds it gets another list. */

import { always, NONE, type Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression } from "../python/tree.ts";
import { type Change, type ChangingMethod, nodesIn, statementsIn } from "../python/walk.ts";
import { append } from "./iteration.ts";
import type { Machine } from "./machine.ts";
import { withItem } from "./opaque/changes.ts";
import { concatenate, index, sequenceOf } from "./operators/lists.ts";
import type { State } from "./parts.ts";
import { part, whole } from "./sequences.ts";

/** Executes a call that changes a list, and returns its value. */
export function changeList(m: Machine, state: State, { name, method, call }: Change): Value {
  const { args, keywords, line, func } = call;
  const variable = m.variableOf(name);
  if (!isModelled(method)) return changeUnknown(m, state, { name, method, call });
  if (variable === undefined || func.is !== "Attribute") throw new Unsupported(`${method} on a global variable`, line);
  if (args.length > 1 || keywords.length > 0)
    throw new Unsupported(`${method} with more than one argument or with keyword arguments`, line);
  const list = m.evaluate(state, func.value);
  const [argument] = args;
  if (method === "pop") return pop(m, state, { list, variable, argument, line });
  if (!argument) throw new Unsupported(`${method} without an argument`, line);
  const added = m.evaluate(state, argument);
  if (state.live === m.t.no) return m.nothing();
  state.variables.set(variable, additions[method](m, state, list, added, line));
  return always(m.t, NONE);
}

/** What the other methods make of a list and their argument; each of them returns None. */
const additions: Readonly<Record<"append" | "extend", typeof extend>> = { append, extend };

function isModelled(method: ChangingMethod): method is "append" | "extend" | "pop" {
  return method === "append" || method === "extend" || method === "pop";
}

/** Changes of sets and dicts, and the order of a list; only to compare two functions. */
function changeUnknown(m: Machine, state: State, { name, method, call }: Change): Value {
  const { args, keywords, line, func } = call;
  const variable = m.variableOf(name);
  const [argument, ...more] = args;
  if (!m.program.congruent || variable === undefined || func.is !== "Attribute")
    throw new Unsupported(`calls of the method ${method}`, line);
  const before = state.live;
  const place = { line, column: call.column, end_line: call.end_line, end_column: call.end_column };
  // While a list is sorted, it is empty for everyone else.
  if (keywords.flatMap(({ value }) => nodesIn(value)).some((each) => each.is === "Name" && each.id === name))
    throw new Unsupported(`a call of ${method} that reads ${name}`, line);
  if ((method === "sort" || method === "reverse") && !argument) {
    const as_call = (id: string, given: Call["args"], named: Call["keywords"]): Call => ({
      ...place,
      is: "Call",
      func: { ...place, is: "Name", id },
      args: given,
      keywords: named,
    });
    const list = m.evaluate(state, func.value);
    if (
      list.some(({ plain }) => sequenceOf(plain)?.type.kind !== "list") ||
      !m.isBuiltin("sorted") ||
      !m.isBuiltin("list")
    )
      throw new Unsupported(`the method ${method} of this value`, line);
    const value =
      method === "sort"
        ? m.evaluate(state, as_call("sorted", [func.value], keywords))
        : m.evaluate(state, as_call("list", [as_call("reversed", [func.value], [])], []));
    // A list that could not be sorted is left in any order.
    if (state.live !== before && mayHandle(m))
      throw new Unsupported(`${method} that can raise an exception here`, line);
    state.variables.set(variable, value);
    return always(m.t, NONE);
  }
  if (!argument || more.length > 0 || keywords.length > 0 || (method !== "add" && method !== "discard"))
    throw new Unsupported(`calls of the method ${method}`, line);
  const set = m.evaluate(state, func.value);
  const item = m.evaluate(state, argument);
  if (state.live === m.t.no) return m.nothing();
  state.variables.set(variable, withItem(m, state, set, item, method, line));
  return always(m.t, NONE);
}

/** Whether the function could go on after an exception. */
function mayHandle(m: Machine): boolean {
  return statementsIn(m.frame.definition.body).some(({ is }) => is === "Try");
}

/** The list extended by another list; other iterables are not modelled. */
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

/** Removes the last item, or the first one. Raises IndexError if there is none. */
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
  // Facts also hold after an exception, so no length may become negative.
  const left = t.ite(t.lt(t.zero, own.length), t.sub(own.length, t.one), t.zero);
  const rest = is_first ? whole(m, part(t, own, t.one, undefined, line)) : { ...own, length: left };
  if (state.live !== t.no) state.variables.set(variable, always(t, { kind: "sequence", sequence: rest }));
  return item;
}
