/**
 * Iterates over iterables, which are a number of items and the item at each index. Comprehensions and searches are
 * loops over iterables.
 */

import { BOOL, type Term } from "../logic/term.ts";
import {
  always,
  bool,
  int,
  itemOf,
  listOf,
  NONE,
  type Plain,
  type Sequence,
  STR,
  typeOf,
  typeText,
  type Value,
} from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import { runLoop } from "./loops.ts";
import type { Machine } from "./machine.ts";
import { itemsOf } from "./opaque/functions.ts";
import { equals } from "./operators/comparison.ts";
import { appendItem, assume, sequenceOf } from "./operators/lists.ts";
import { type Part, partsOfMapping } from "./operators/mappings.ts";
import type { State } from "./parts.ts";

export interface Iteration {
  readonly count: Term;
  /** Whether the iterable is a range, whose length can exceed what `len` can represent. */
  readonly ranges?: boolean;
  /**
   * The range of a variable with which formulas can refer to the items, and the item for each value of the variable.
   * This keeps terms simple.
   */
  readonly span?: { readonly from: Term; readonly to: Term; readonly at: (place: Term) => Plain };
  at(index: Term): Plain;
  /** Whether `reversed` raises TypeError for it, or may. */
  readonly one_way?: boolean;
}

/** Values of which Python has no iterator. */
const no_iterables: ReadonlySet<Plain["kind"]> = new Set(["none", "int", "bool", "float"]);

/** How to iterate over a value. */
export interface Way {
  /** Whether the order of the items makes no difference; if it matters, a set has an unknown order. */
  readonly in_any_order?: boolean;
  /** The view of a dict that is meant. */
  readonly part?: Part | undefined;
  /** Whether nothing else is evaluated before Python asks the value for an iterator. */
  readonly is_next?: boolean;
}

/** Returns the iteration over a value's items, or over a view of a dict. */
export function overValue(
  m: Machine,
  state: State,
  value: Value,
  line: number,
  { in_any_order = false, part, is_next = false }: Way = {},
): Iteration {
  const { t } = m;
  const possible = value.filter(({ when }) => t.and(state.live, when) !== t.no);
  const [only, second] = possible.filter(({ plain }) => !no_iterables.has(plain.kind));
  if (only && (second || (possible.length > 1 && !is_next)))
    throw new Unsupported("iteration over a value that can have several types", line);
  if (only && possible.length > 1) {
    const others = possible.flatMap((each) => (each === only ? [] : each.when));
    m.raise(state, t.or(...others), part ? "AttributeError" : "TypeError", line);
  }
  const plain = (only ?? possible[0])?.plain ?? NONE;
  const has_views = plain.kind === "mapping" && plain.mapping.type.kind === "dict";
  if (part && !has_views)
    throw new Unsupported(`the method ${part} of a value of type ${typeText(typeOf(plain))}`, line);
  if (plain.kind === "sequence") return overSequence(m, plain.sequence);
  if (plain.kind === "tuple") return overSequence(m, listOfTuple(m, plain.items, line));
  if (plain.kind === "mapping") {
    const parts = partsOfMapping(m, plain.mapping, part ?? "keys", in_any_order, line);
    return plain.mapping.type.kind === "set" ? { ...parts, one_way: true } : parts;
  }
  if (plain.kind === "opaque") {
    if (plain.type.of === "value") m.raise(state, t.apply("~iter raises", [plain.term], BOOL), "TypeError", line);
    return { ...itemsOf(m, plain), one_way: true };
  }
  if (plain.kind === "complex" || plain.kind === "unbound")
    throw new Unsupported(`iteration over a value that can be ${plain.kind}`, line);
  m.raise(state, t.yes, "TypeError", line);
  return { count: t.zero, at: () => ({ kind: "unbound" }) };
}

export function overSequence(m: Machine, sequence: Sequence): Iteration {
  const { start, type, length } = sequence;
  const at = (place: Term) => itemOf(m.t, sequence, m.t.sub(place, start));
  return {
    count: length,
    ...(type.view !== "backwards" && { span: { from: start, to: m.t.add(start, length), at } }),
    at(index) {
      const item = itemOf(m.t, sequence, index);
      assume(m, item);
      return item;
    },
  };
}

/** Returns a tuple's items as a list. They must all have the same type. */
export function listOfTuple(m: Machine, items: readonly Plain[], line: number): Sequence {
  const [first] = items;
  const type = first && typeOf(first);
  const one_type = items.every((item) => type && typeText(typeOf(item)) === typeText(type));
  if (!one_type) throw new Unsupported("iteration over a tuple whose items have several types", line);
  const list = sequenceOf(listOf(m.t, { kind: "list", item: type, view: "whole" }, items));
  if (!list) throw new Error("a list is a sequence");
  return list;
}

/** A loop over all items. `body` receives each item, and can change the variables in `names`. */
export interface Walk {
  readonly line: number;
  readonly names: readonly string[];
  readonly isReadOutside: (name: string) => boolean;
  readonly body: (state: State, item: Plain) => void;
  readonly otherwise?: (state: State) => void;
  readonly heads?: ReadonlySet<number>;
}

export function walk(m: Machine, state: State, iteration: Iteration, { body, names, ...shape }: Walk): void {
  const { t } = m;
  const { count } = iteration;
  const index = m.hidden("i");
  state.variables.set(index, always(t, int(t.zero)));
  const place = (own: State): Term => {
    const plain = own.variables.get(index)?.[0]?.plain;
    return plain?.kind === "int" ? plain.term : t.zero;
  };
  runLoop(m, state, {
    otherwise: () => {},
    ...shape,
    names: [...names, index],
    test: (own) => t.lt(place(own), count),
    left: (own) => t.sub(count, place(own)),
    body(own) {
      const at = place(own);
      // The index counts up from 0.
      if (at.op !== "literal") m.facts.push(t.le(t.zero, at));
      own.variables.set(index, always(t, int(t.add(at, t.one))));
      body(own, iteration.at(at));
    },
  });
  state.variables.delete(index);
}

/** Runs a loop that implements an expression. The variables that it changes are read afterwards. */
export function over(
  m: Machine,
  state: State,
  iteration: Iteration,
  line: number,
  names: readonly string[],
  body: Walk["body"],
): void {
  walk(m, state, iteration, { line, names, isReadOutside: () => true, body });
}

/** Runs a loop with a new variable, whose name is passed to `run`. Returns the variable's final value. */
export function accumulate(m: Machine, state: State, hint: string, first: Value, run: (name: string) => void): Value {
  const name = m.hidden(hint);
  state.variables.set(name, first);
  run(name);
  const value = state.variables.get(name) ?? m.nothing();
  state.variables.delete(name);
  return value;
}

/** Runs a loop and collects the values that it yields in a list or string. */
export function collect(
  m: Machine,
  state: State,
  line: number,
  run: (names: readonly string[], each: (state: State, value: Value) => void) => void,
  kind: "list" | "str" = "list",
): Value {
  const empty = listOf(m.t, kind === "str" ? STR : { kind, item: undefined, view: "whole" }, []);
  return accumulate(m, state, "list", always(m.t, empty), (list) =>
    run([list], (own, value) =>
      own.variables.set(list, append(m, own, own.variables.get(list) ?? [], value, line, kind)),
    ),
  );
}

export function append(
  m: Machine,
  state: State,
  list: Value,
  value: Value,
  line: number,
  kind: "list" | "str" = "list",
): Value {
  return m.each(state, list, (to, own) => {
    if (to.kind !== "sequence" || to.sequence.type.kind !== kind)
      throw new Unsupported("append to a value that is not a list", line);
    const { sequence } = to;
    return m.eachOf(own, value, (plain) =>
      always(m.t, { kind: "sequence", sequence: appendItem(m, sequence, plain, line) }),
    );
  });
}

/** What a search compares at each index, and the search's result if the item is found, and if it is not. */
export interface Look {
  readonly line: number;
  readonly places: Term;
  readonly isHere: (place: Term) => Term;
  readonly result: (place: Term) => Plain;
  readonly nowhere: Plain;
}

/** Runs a loop that searches for something and stops where it is found. */
export function look(m: Machine, state: State, { line, places, isHere, result, nowhere }: Look): Value {
  const { t } = m;
  return accumulate(m, state, "found", always(t, nowhere), (found) =>
    over(m, state, { count: places, at: int }, line, [found], (own, at) => {
      const place = at.kind === "int" ? at.term : t.zero;
      const here = isHere(place);
      const variables = new Map(own.variables).set(found, always(t, result(place)));
      m.exits.breaks.push({ when: t.and(own.live, here), variables });
      own.live = t.and(own.live, t.not(here));
    }),
  );
}

/** Whether something is found at one of the first `places` indices. */
export function search(m: Machine, state: State, places: Term, line: number, isHere: Look["isHere"]): Term {
  const { t } = m;
  const answer = look(m, state, { line, places, isHere, result: () => bool(t.yes), nowhere: bool(t.no) });
  const plain = answer[0]?.plain;
  return plain?.kind === "bool" ? plain.term : t.no;
}

/** Returns a function that decides whether the item at an index of a list is the searched item. */
export function itemIs(m: Machine, element: Plain, within: Sequence, line: number): Look["isHere"] {
  const { at } = overSequence(m, within);
  return (place) => {
    const item = at(place);
    if (item.kind === "float" || element.kind === "float") throw new Unsupported("a search for floats in a list", line);
    return equals(m, item, element, line);
  };
}
