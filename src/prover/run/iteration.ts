/** Iterables: a number of items, and the item at each index. Comprehensions and searches are loops over them. */

import type { Term } from "../logic/term.ts";
import {
  always,
  bool,
  int,
  itemOf,
  listOf,
  type Plain,
  type Sequence,
  STR,
  typeOf,
  typeText,
  type Value,
} from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Comprehension, Expression } from "../python/tree.ts";
import { nodesIn } from "../python/walk.ts";
import { callIterable } from "./builtins/iterables.ts";
import { evaluate, test } from "./expressions.ts";
import { runLoop } from "./loops.ts";
import type { Machine, State } from "./machine.ts";
import { equals } from "./operators/comparison.ts";
import { appended, assume, sequenceOf } from "./operators/lists.ts";
import { assign } from "./statements.ts";

export interface Iteration {
  readonly count: Term;
  /** Whether it is a range, whose length can exceed what Python can represent. */
  readonly ranges?: boolean;
  at(index: Term): Plain;
}

/** The iteration over an expression's value. Raises Unsupported, and TypeError for numbers. */
export function iterationOver(m: Machine, state: State, node: Expression): Iteration {
  const known = node.is === "Call" ? callIterable(m, state, node) : undefined;
  return known ?? overValue(m, state, evaluate(m, state, node), node.line);
}

export function overValue(m: Machine, state: State, value: Value, line: number): Iteration {
  const { t } = m;
  const [only, second] = value;
  if (!only || second) throw new Unsupported("iteration over a value that can have several types", line);
  const { plain } = only;
  if (plain.kind === "sequence") return overSequence(m, plain.sequence);
  if (plain.kind === "tuple") return overSequence(m, listOfTuple(m, plain.items, line));
  if (plain.kind === "complex" || plain.kind === "unbound")
    throw new Unsupported(`iteration over a value that can be ${plain.kind}`, line);
  m.raise(state, t.yes, "TypeError", line);
  return { count: t.zero, at: () => ({ kind: "unbound" }) };
}

export function overSequence(m: Machine, sequence: Sequence): Iteration {
  return {
    count: sequence.length,
    at(index) {
      const item = itemOf(m.t, sequence, index);
      assume(m, item);
      return item;
    },
  };
}

/** The items of a tuple as a list; they must be of one type. */
export function listOfTuple(m: Machine, items: readonly Plain[], line: number): Sequence {
  const [first] = items;
  const type = first && typeOf(first);
  const one_type = items.every((item) => type && typeText(typeOf(item)) === typeText(type));
  if (!one_type) throw new Unsupported("iteration over a tuple whose items have several types", line);
  const list = sequenceOf(listOf(m.t, { kind: "list", item: type, view: "whole" }, items));
  if (!list) throw new Error("a list is a sequence");
  return list;
}

/** One loop over all items; `body` gets each, and `names` are the variables that it can change. */
export interface Walk {
  readonly line: number;
  readonly names: readonly string[];
  readonly isReadOutside: (name: string) => boolean;
  readonly body: (state: State, item: Plain) => void;
  readonly otherwise?: (state: State) => void;
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
      // It counts up from 0.
      if (at.op !== "literal") m.facts.push(t.le(t.zero, at));
      own.variables.set(index, always(t, int(t.add(at, t.one))));
      body(own, iteration.at(at));
    },
  });
  state.variables.delete(index);
}

/** A loop that an expression stands for: what it changes is read after it. */
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

/** Iterates over all values of a comprehension's generators, in its own scope. */
export function generate(
  m: Machine,
  state: State,
  node: Comprehension,
  names: readonly string[],
  each: (state: State, value: Value) => void,
): void {
  checkBound(node);
  const scope = new Map(targetsOf(node).map((name) => [name, m.hidden(name)]));
  const level = (own: State, depth: number, first: Iteration | undefined): void => {
    const generator = node.generators[depth];
    if (!generator) {
      each(own, evaluate(m, own, node.elt));
      return;
    }
    if (generator.is_async) throw new Unsupported("asynchronous comprehensions", node.line);
    const iteration = first ?? iterationOver(m, own, generator.iter);
    over(m, own, iteration, node.line, names, (inner, item) => {
      assign(m, inner, generator.target, always(m.t, item));
      filtered(m, inner, generator.ifs, (passing) => level(passing, depth + 1, undefined));
    });
  };
  // The first iterable belongs to the scope around.
  const [outermost] = node.generators;
  if (!outermost) return;
  const first = iterationOver(m, state, outermost.iter);
  // Up to Python 3.11, list comprehensions are separate functions.
  const [major = 0, minor = 0] = m.program.python;
  m.frame.scopes.push({ names: scope, nested: node.is === "GeneratorExp" || (major === 3 && minor < 12) });
  level(state, 0, first);
  m.frame.scopes.pop();
}

function filtered(m: Machine, state: State, tests: readonly Expression[], then: (state: State) => void): void {
  const [first, ...rest] = tests;
  if (!first) {
    then(state);
    return;
  }
  const condition = test(m, state, first);
  m.branch(
    state,
    condition,
    (own) => filtered(m, own, rest, then),
    () => {},
  );
}

function targetsOf({ generators, line }: Pick<Comprehension, "generators" | "line">): string[] {
  const names = (target: Expression): string[] => {
    if (target.is === "Name") return [target.id];
    if (target.is === "Tuple") return target.elts.flatMap(names);
    throw new Unsupported("targets of a comprehension other than names and tuples of names", line);
  };
  return generators.flatMap(({ target }) => names(target));
}

/**
 * Refuses names that are read before their own `for` clause binds them: they could hold a value of an earlier
 * iteration.
 */
function checkBound({ generators, line }: Comprehension): void {
  for (const [i, { iter, ifs }] of generators.entries()) {
    const own = i === 0 ? [] : readBefore([iter], targetsOf({ generators: generators.slice(i), line }));
    const [early] = [...own, ...readBefore(ifs, targetsOf({ generators: generators.slice(i + 1), line }))];
    if (early)
      throw new Unsupported(`a comprehension that reads ${early} before the \`for\` clause that binds it`, line);
  }
}

function readBefore(expressions: readonly Expression[], names: readonly string[]): string[] {
  return expressions
    .flatMap(nodesIn)
    .flatMap((node) => (node.is === "Name" && names.includes(node.id) ? [node.id] : []));
}

/** What a loop makes of a variable of its own, whose name it gets. */
export function accumulated(m: Machine, state: State, hint: string, first: Value, run: (name: string) => void): Value {
  const name = m.hidden(hint);
  state.variables.set(name, first);
  run(name);
  const value = state.variables.get(name) ?? m.nothing();
  state.variables.delete(name);
  return value;
}

/** The list, or string, of all that a loop gives: it appends each value. */
export function collected(
  m: Machine,
  state: State,
  line: number,
  run: (names: readonly string[], each: (state: State, value: Value) => void) => void,
  kind: "list" | "str" = "list",
): Value {
  const empty = listOf(m.t, kind === "str" ? STR : { kind, item: undefined, view: "whole" }, []);
  return accumulated(m, state, "list", always(m.t, empty), (list) =>
    run([list], (own, value) =>
      own.variables.set(list, append(m, own, own.variables.get(list) ?? [], value, line, kind)),
    ),
  );
}

/** `[… for …]`, or the list of all that a generator gives. */
export function comprehension(m: Machine, state: State, node: Comprehension): Value {
  return collected(m, state, node.line, (names, each) => generate(m, state, node, names, each));
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
    return m.each(own, value, (plain) =>
      always(m.t, { kind: "sequence", sequence: appended(m, sequence, plain, line) }),
    );
  });
}

/** What a search compares at each index, and its results if the item is found or not. */
export interface Look {
  readonly line: number;
  readonly places: Term;
  readonly isHere: (place: Term) => Term;
  readonly result: (place: Term) => Plain;
  readonly nowhere: Plain;
}

/** The loop that looks for something, and stops where it is. */
export function look(m: Machine, state: State, { line, places, isHere, result, nowhere }: Look): Value {
  const { t } = m;
  return accumulated(m, state, "found", always(t, nowhere), (found) =>
    over(m, state, { count: places, at: int }, line, [found], (own, at) => {
      const place = at.kind === "int" ? at.term : t.zero;
      const here = isHere(place);
      const variables = new Map(own.variables).set(found, always(t, result(place)));
      m.exits.breaks.push({ when: t.and(own.live, here), variables });
      own.live = t.and(own.live, t.not(here));
    }),
  );
}

/** Whether something is at one of this many indices. */
export function search(m: Machine, state: State, places: Term, line: number, isHere: Look["isHere"]): Term {
  const { t } = m;
  const answer = look(m, state, { line, places, isHere, result: () => bool(t.yes), nowhere: bool(t.no) });
  const plain = answer[0]?.plain;
  return plain?.kind === "bool" ? plain.term : t.no;
}

/** Whether the item at an index of a list is the searched one. */
export function itemIs(m: Machine, element: Plain, within: Sequence, line: number): Look["isHere"] {
  const { at } = overSequence(m, within);
  return (place) => {
    const item = at(place);
    if (item.kind === "float" || element.kind === "float") throw new Unsupported("a search for floats in a list", line);
    return equals(m, item, element, line);
  };
}
