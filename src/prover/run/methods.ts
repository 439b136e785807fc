/** Executes methods of lists and strings that change nothing. */

import { always, bool, int, NONE, type Plain, type Sequence, typeOf, typeText, type Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression } from "../python/tree.ts";
import { changingMethod } from "../python/walk.ts";
import { accumulate, itemIs, type Look, look, over } from "./iteration.ts";
import type { Machine } from "./machine.ts";
import { onEach } from "./opaque/functions.ts";
import { entryOr } from "./operators/mappings.ts";
import type { State } from "./parts.ts";
import { countOf, occurrencesOf, placeIn } from "./ranges.ts";
import { placesFor, standsAt, stringOf, whole } from "./sequences.ts";

/** A method call with evaluated arguments. `argument` is the only one. */
interface Called {
  readonly own: Sequence;
  readonly argument: Plain;
  readonly line: number;
}

type Method = (m: Machine, state: State, called: Called) => Value;

const methods: Readonly<Record<string, Method>> = {
  "list.count": (m, state, called) => count(m, state, called),
  "list.index"(m, state, { own, argument, line }) {
    const isHere = itemIs(m, argument, own, line);
    return orValueError(m, state, line, place(m, state, { line, places: own.length, isHere }));
  },
  "str.count"(m, state, called) {
    if (!m.plan.by_invariants) throw new Unsupported("the method count of str", called.line);
    const part = textOf(m, state, called);
    return part ? always(m.t, int(occurrencesOf(m, state, part, called.own, called.line))) : m.nothing();
  },
  "str.find": (m, state, called) => find(m, state, called),
  "str.index": (m, state, called) => orValueError(m, state, called.line, find(m, state, called)),
  "str.startswith": (m, state, called) => stands(m, state, called, "first"),
  "str.endswith": (m, state, called) => stands(m, state, called, "last"),
};

/** Whether lists or strings have a method with this name that changes nothing. */
export function isMethod(name: string): boolean {
  return name === "copy" || ["list", "str"].some((type) => Object.hasOwn(methods, `${type}.${name}`));
}

type Attribute = Extract<Expression, { is: "Attribute" }>;

/** Evaluates what a method is called on. Python looks the method up before it evaluates the arguments. */
function receiverOf(m: Machine, state: State, { attr, value }: Attribute, line: number): Value {
  const receiver = m.evaluate(state, value);
  for (const { plain } of receiver) {
    const kind = plain.kind === "sequence" ? plain.sequence.type.kind : plain.kind;
    const is_copied = attr === "copy" && (kind === "list" || kind === "mapping");
    if (!is_copied && !(attr === "get" && kind === "mapping") && kind !== "unbound" && !methods[`${kind}.${attr}`])
      throw new Unsupported(`the method ${attr} of ${typeText(typeOf(plain))}`, line);
  }
  return receiver;
}

export function callMethod(m: Machine, state: State, func: Attribute, node: Call): Value {
  const { line, args, keywords } = node;
  const { attr } = func;
  if (changingMethod(attr) !== undefined)
    throw new Unsupported(
      `calls of ${attr} inside of a larger expression, or on anything but a local variable (make the call a statement of its own)`,
      line,
    );
  const copies = attr === "copy";
  if (attr === "get" && m.program.mappings) return get(m, state, func, node);
  if (!isMethod(attr) || keywords.length > 0 || args.length !== (copies ? 0 : 1))
    throw new Unsupported(
      `calls of the method ${attr}${isMethod(attr) ? ` with other arguments than ${copies ? "none" : "one by position"}` : ""}`,
      line,
    );
  const receiver = receiverOf(m, state, func, line);
  const [argument] = args.map((each) => m.evaluate(state, each));
  if (state.live === m.t.no) return m.nothing();
  return m.each(state, receiver, (plain, own) => {
    if (copies && plain.kind === "mapping") return always(m.t, plain);
    const kind = plain.kind === "sequence" ? plain.sequence.type.kind : plain.kind;
    const method = methods[`${kind}.${attr}`];
    if (plain.kind !== "sequence" || (copies ? kind !== "list" : !method))
      throw new Unsupported(`the method ${attr} of ${typeText(typeOf(plain))}`, line);
    const { sequence } = plain;
    if (!method) return always(m.t, { kind: "sequence", sequence: whole(m, sequence) });
    return m.each(own, argument ?? [], (item, both) => method(m, both, { own: sequence, argument: item, line }));
  });
}

/** Executes `d.get(key)`, with or without a default. */
function get(m: Machine, state: State, of: Attribute, { args, keywords, line }: Call): Value {
  const values = [receiverOf(m, state, of, line), ...args.map((each) => m.evaluate(state, each))];
  if (args.length < 1 || args.length > 2 || keywords.length > 0)
    throw new Unsupported("calls of the method get with arguments other than one or two by position", line);
  const [receiver = [], key = [], otherwise = always(m.t, NONE)] = values;
  return onEach(m, state, [receiver, key], ([plain = NONE, at = NONE]) => {
    if (plain.kind !== "mapping" || plain.mapping.type.kind !== "dict")
      throw new Unsupported(`the method get of ${typeText(typeOf(plain))}`, line);
    return entryOr(m, plain.mapping, at, otherwise, line);
  });
}

/** Returns how many items are equal to the argument. */
function count(m: Machine, state: State, { own, argument, line }: Called): Value {
  const { t } = m;
  if (m.plan.by_invariants) return always(t, int(countOf(m, state, argument, own, line)));
  const isHere = itemIs(m, argument, own, line);
  return accumulate(m, state, "total", always(t, int(t.zero)), (total) =>
    over(m, state, { count: own.length, at: int }, line, [total], (inner, at) => {
      const [known] = inner.variables.get(total) ?? [];
      if (known?.plain.kind !== "int" || at.kind !== "int") throw new Error("a count and a place are whole numbers");
      const more = t.ite(isHere(at.term), t.one, t.zero);
      inner.variables.set(total, always(t, int(t.add(known.plain.term, more))));
    }),
  );
}

/** Returns the first index at which something is found, or -1. */
function place(m: Machine, state: State, sought: Pick<Look, "line" | "places" | "isHere">): Value {
  return look(m, state, { ...sought, result: int, nowhere: int(m.t.int(-1n)) });
}

function orValueError(m: Machine, state: State, line: number, position: Value): Value {
  return m.each(state, position, (plain, own) => {
    if (plain.kind === "int") m.raise(own, m.t.lt(plain.term, m.t.zero), "ValueError", line);
    return always(m.t, plain);
  });
}

function find(m: Machine, state: State, called: Called): Value {
  const { own, line } = called;
  const part = textOf(m, state, called);
  if (!part) return m.nothing();
  if (m.plan.by_invariants) return always(m.t, int(placeIn(m, state, part, own, line)));
  const isHere: Look["isHere"] = (at) => standsAt(m, part, own, at);
  return place(m, state, { line, places: placesFor(m, part, own), isHere });
}

/** Whether a string begins or ends with another, or with one of several. */
function stands(m: Machine, state: State, called: Called, where: "first" | "last"): Value {
  const { t } = m;
  const { argument, own } = called;
  const parts = argument.kind === "tuple" ? argument.items.flatMap((each) => stringOf(each) ?? []) : [];
  const is_choice = argument.kind === "tuple" && parts.length === argument.items.length;
  const only = is_choice ? undefined : textOf(m, state, called);
  const at = (part: Sequence) => (where === "first" ? t.zero : t.sub(own.length, part.length));
  const here = (part: Sequence) => t.and(t.le(part.length, own.length), standsAt(m, part, own, at(part)));
  if (!is_choice && !only) return m.nothing();
  return always(t, bool(t.or(...(only ? [only] : parts).map(here))));
}

/** Returns the string to search for. Raises TypeError for any other type. A tuple of strings is rejected. */
function textOf(m: Machine, state: State, { argument, line }: Called): Sequence | undefined {
  const part = stringOf(argument);
  if (part) return part;
  if (argument.kind === "tuple" || argument.kind === "sequence")
    throw new Unsupported(`a search in a string for ${typeText(typeOf(argument))}`, line);
  m.raise(state, m.t.yes, "TypeError", line);
  return undefined;
}
