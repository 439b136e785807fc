/** Executes comprehensions and generators as loops in their own scope. */

import { always, type Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Comprehension, Expression } from "../python/tree.ts";
import { nodesIn } from "../python/walk.ts";
import { iterationOver } from "./builtins/iterables.ts";
import { accumulate, collect, type Iteration, over } from "./iteration.ts";
import type { Machine } from "./machine.ts";
import type { State } from "./parts.ts";

/** Iterates over all values of a comprehension's generators, in the comprehension's own scope. */
export function generate(
  m: Machine,
  state: State,
  node: Comprehension,
  names: readonly string[],
  each: (state: State, value: Value) => void,
): void {
  const level = (own: State, depth: number, first: Iteration | undefined): void => {
    const generator = node.generators[depth];
    if (!generator) {
      each(own, m.evaluate(own, node.elt));
      return;
    }
    if (generator.is_async) throw new Unsupported("asynchronous comprehensions", node.line);
    const iteration = first ?? iterationOver(m, own, generator.iter, { is_next: true });
    over(m, own, iteration, node.line, names, (inner, item) => {
      m.assign(inner, generator.target, always(m.t, item));
      filterBy(m, inner, generator.ifs, (passing) => level(passing, depth + 1, undefined));
    });
  };
  const iterationOf = (own: State, over: Expression) => iterationOver(m, own, over, { is_next: true });
  inScope(m, state, node, iterationOf, (first) => level(state, 0, first));
}

/**
 * Runs `work` in a comprehension's scope. The first iterable is evaluated in the enclosing scope and passed to `work`.
 */
export function inScope<Result>(
  m: Machine,
  state: State,
  node: Comprehension,
  iterationOf: (state: State, node: Expression) => Iteration,
  work: (first: Iteration) => Result,
): Result {
  checkBound(node);
  const scope = new Map(targetsOf(node).map((name) => [name, m.hidden(name)]));
  const [outermost] = node.generators;
  if (!outermost) throw new Error("a comprehension iterates over something");
  const first = iterationOf(state, outermost.iter);
  // Up to Python 3.11, list comprehensions are separate functions.
  const [major = 0, minor = 0] = m.program.python;
  m.frame.scopes.push({ names: scope, nested: node.is === "GeneratorExp" || (major === 3 && minor < 12) });
  const result = work(first);
  m.frame.scopes.pop();
  return result;
}

function filterBy(m: Machine, state: State, tests: readonly Expression[], then: (state: State) => void): void {
  const [first, ...rest] = tests;
  if (!first) {
    then(state);
    return;
  }
  const condition = m.test(state, first);
  m.branch(
    state,
    condition,
    (own) => filterBy(m, own, rest, then),
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
 * Rejects names that are read before their own `for` clause binds them. Such a name could hold a value from an earlier
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

/** Executes a comprehension that starts from a value and adds each item to it. Returns the result. */
function comprehensionInto(
  m: Machine,
  state: State,
  node: Comprehension,
  first: Value,
  add: (state: State, known: Value, item: Value) => Value,
): Value {
  return accumulate(m, state, "made", first, (name) =>
    generate(m, state, node, [name], (own, item) => {
      own.variables.set(name, add(own, own.variables.get(name) ?? [], item));
    }),
  );
}

/**
 * Executes a set or dict comprehension that starts from a value and adds each item to it. The items of a dict
 * comprehension are pairs.
 */
export function mappingOf(
  m: Machine,
  state: State,
  node: Extract<Expression, { is: "SetComp" | "DictComp" }>,
  first: Value,
  add: (state: State, known: Value, item: Value) => Value,
): Value {
  const { line, column, end_line, end_column, generators } = node;
  const place = { line, column, end_line, end_column };
  const elt: Expression = node.is === "SetComp" ? node.elt : { ...place, is: "Tuple", elts: [node.key, node.value] };
  return comprehensionInto(m, state, { ...place, is: "ListComp", elt, generators }, first, add);
}

/** Executes `[… for …]`, or collects everything that a generator yields in a list. */
export function comprehension(m: Machine, state: State, node: Comprehension): Value {
  return collect(m, state, node.line, (names, each) => generate(m, state, node, names, each));
}
