/**
 * Conditions in the docstring of the function whose contract is in question. No real call checks them: they
 * say of which inputs the claim speaks, and what it claims of the results.
 */

import type { Value } from "../logic/values.ts";
import { unkept, unmet } from "../python/exceptions.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression, FunctionDef } from "../python/tree.ts";
import { callsItself, nodesIn } from "../python/walk.ts";
import { evaluate } from "./expressions.ts";
import type { Machine, State } from "./machine.ts";
import { truth } from "./operators.ts";

/** What a condition calls the result. */
const result_names = ["__return__", "_"];

type Known = ReadonlyMap<string, Value>;

/** Refuses conditions on a function that calls itself: its own calls keep to none of them. */
export function checkDocumented(definition: FunctionDef): void {
  for (const { condition, line } of definition.documented ?? []) {
    const names = nodesIn(condition).flatMap((node) => (node.is === "Name" ? [node.id] : []));
    if (callsItself(definition).length > 0 || names.includes(definition.name))
      throw new Unsupported("recursion with conditions in a docstring", line);
  }
}

/** Takes the inputs away that break a precondition, or for which it raises. */
export function demandDocumented(m: Machine, state: State, definition: FunctionDef, known: Known): void {
  for (const { is, condition, line } of asked(m, definition))
    if (is === "pre") test(m, state, condition, known, { line, ending: unmet });
}

/** Checks each result from a place of the list on, and takes those away that break a postcondition. */
export function promiseDocumented(m: Machine, state: State, definition: FunctionDef, known: Known, from: number): void {
  const promises = asked(m, definition).filter(({ is }) => is === "post");
  if (promises.length === 0) return;
  for (const { when, value, line: end } of m.exits.returns.splice(from)) {
    const own: State = { live: when, variables: new Map(state.variables) };
    const more = new Map([...known, ...result_names.map((name): [string, Value] => [name, value])]);
    for (const { condition, line } of promises) test(m, own, condition, more, { line, ending: unkept });
    m.exits.returns.push({ when: own.live, value, line: end });
  }
}

/** The conditions, where the function was not called by another one. */
function asked(m: Machine, definition: FunctionDef): NonNullable<FunctionDef["documented"]> {
  return m.frames.length === 1 ? (definition.documented ?? []) : [];
}

function test(
  m: Machine,
  state: State,
  condition: Expression,
  known: Known,
  { line, ending }: { readonly line: number; readonly ending: string },
): void {
  const before = m.exits.raises.length;
  const value = evaluateWith(m, state, condition, known, line);
  const raised = m.exits.raises.splice(before);
  m.exits.raises.push(...raised.map((each) => ({ ...each, exception: ending, line })));
  m.raise(state, m.t.not(truth(m, value, line)), ending, line);
}

/** The value of an expression in a scope of its own, in which only these names are local. */
export function evaluateWith(m: Machine, state: State, node: Expression, known: Known, line: number): Value {
  const around = state.variables;
  state.variables = new Map(known);
  m.enter({ definition: m.frame.definition, locals: new Set(known.keys()), scopes: [] }, line);
  const value = evaluate(m, state, node);
  m.leave();
  state.variables = around;
  return value;
}
