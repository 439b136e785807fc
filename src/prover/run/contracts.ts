/**
 * Handles the contracts of executed functions: the preconditions and postconditions in docstrings, and icontract's
 * behaviour when one of its conditions is violated. A real call does not check the conditions in a docstring. They only
 * restrict the inputs and results of the claim.
 */

import { inOrder, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { partsOf, typeOf, typeText, type Value } from "../logic/values.ts";
import { conjuncts } from "../python/conjuncts.ts";
import { unkept, unmet, untellable } from "../python/exceptions.ts";
import { type Contract, contractOf, importedName, type Program } from "../python/program.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression, FunctionDef } from "../python/tree.ts";
import { callsItself, nodesIn, targetNames } from "../python/walk.ts";
import { builtin } from "./builtins/builtins.ts";
import type { Machine } from "./machine.ts";
import { isMethod } from "./methods.ts";
import { truth } from "./operators/conversions.ts";
import { fieldsIn, type Raised, type State } from "./parts.ts";

/** The names for the result in a condition. */
const result_names = ["__return__", "_"];

type Known = ReadonlyMap<string, Value>;
type Conditions = NonNullable<FunctionDef["documented"]>;

/**
 * Rejects docstring conditions on a function that calls itself, because its recursive calls are not checked against
 * them.
 */
export function checkDocumented(definition: FunctionDef): void {
  for (const { condition, line } of definition.documented ?? []) {
    const names = nodesIn(condition).flatMap((node) => (node.is === "Name" ? [node.id] : []));
    if (callsItself(definition).length > 0 || names.includes(definition.name))
      throw new Unsupported("recursion of a function with conditions in its docstring", line);
  }
}

/** Excludes the inputs that violate a precondition, or on which a precondition raises an exception. */
export function demandDocumented(m: Machine, state: State, definition: FunctionDef, known: Known): void {
  for (const each of asked(m, definition)) if (each.is === "pre") test(m, state, each, known, unmet);
}

/** Checks each result from index `from` on, and removes those that violate a postcondition. */
export function promiseDocumented(m: Machine, state: State, definition: FunctionDef, known: Known, from: number): void {
  if (!asked(m, definition).some(({ is }) => is === "post")) return;
  for (const { when, value, fields, line: end } of m.exits.returns.splice(from)) {
    const own: State = { live: when, variables: new Map([...state.variables, ...fields]) };
    promiseOne(m, own, definition, known, value);
    m.exits.returns.push({ when: own.live, value, fields, line: end });
  }
}

/** Checks one result against the postconditions. */
export function promiseOne(m: Machine, state: State, definition: FunctionDef, known: Known, value: Value): void {
  const more = new Map([...known, ...result_names.map((name): [string, Value] => [name, value])]);
  for (const each of asked(m, definition)) if (each.is === "post") test(m, state, each, more, unkept);
}

/** Returns the docstring's conditions, unless another function called this one. */
function asked(m: Machine, definition: FunctionDef): Conditions {
  return m.frames.length === 1 ? (definition.documented ?? []) : [];
}

function test(
  m: Machine,
  state: State,
  { condition: whole, text, line }: Conditions[number],
  known: Known,
  ending: string,
): void {
  for (const condition of m.plan.by_invariants ? conjuncts(whole) : [whole]) {
    const before = m.exits.raises.length;
    const value = m.inContext({ assuming: ending === unmet }, () => evaluateWith(m, state, condition, known, line));
    const raised = m.exits.raises.splice(before);
    m.exits.raises.push(...raised.map((each) => ({ ...each, exception: ending, line })));
    const own = m.plan.by_invariants ? { live: state.live, variables: new Map([...state.variables, ...known]) } : state;
    m.raise(own, m.t.not(truth(m, value, line)), ending, line, { stated: { condition, text } });
    state.live = own.live;
  }
}

/** Evaluates an expression in its own scope, in which only these names are local. */
export function evaluateWith(m: Machine, state: State, node: Expression, known: Known, line: number): Value {
  const outer_variables = state.variables;
  const fields = fieldsIn(outer_variables);
  state.variables = new Map([...fields, ...known]);
  m.enter({ definition: m.frame.definition, locals: new Set(known.keys()), scopes: [] }, line);
  const value = m.evaluate(state, node);
  m.leave();
  if ([...fields].some(([name, before]) => state.variables.get(name) !== before))
    throw new Unsupported("conditions that change an object", line);
  state.variables = outer_variables;
  return value;
}

/** The types that `isinstance` accepts, besides those that the prover models as builtins. */
const types: ReadonlySet<string> = new Set(["str", "tuple"]);

const message_failure_name = "icontract cannot write the message";

/**
 * Whether icontract fails to write its message. The result is the same for the same condition if all parameters have
 * the same names and values. Parameters that the condition does not use are also printed, and hide globals of the same
 * names.
 */
export function messageFailure(m: Machine, { condition, names }: Contract, known: ReadonlyMap<string, Value>): Term {
  const choices = [...known].flatMap(([name, value]) => value.map((choice) => ({ name, ...choice })));
  const types = choices.map(({ name, plain }) => `${name}: ${typeText(typeOf(plain))}`);
  const written = JSON.stringify([names, condition, types], (key, value) =>
    /line|column/.test(key) ? undefined : value,
  );
  const parts = choices.flatMap(({ when, plain }) => [when, ...partsOf(plain)]);
  const sorts = parts.map(({ sort }) => sort.text).join(" ");
  return m.unknown(`${message_failure_name} ${encodeURIComponent(written)} ${sorts}`, parts);
}

function messageFailuresIn(term: Term): Term[] {
  return inOrder([term]).filter(({ op, name }) => op === "apply" && name?.startsWith(message_failure_name));
}

/** Returns when a condition of the function itself is violated, whether or not icontract can report it. */
export function brokenAnyway(t: Terms, { when, exception }: Raised): Term {
  return t.replace(when, new Map(messageFailuresIn(when).map((each) => [each, t.bool(exception === untellable)])));
}

/**
 * Rejects a condition that depends on whether icontract can report another violation, because `brokenAnyway` treats
 * both cases as one.
 */
export function checkOwn(broken: Term, line: number): void {
  if (messageFailuresIn(broken).length > 0)
    throw new Unsupported("a condition that depends on whether another condition is violated", line);
}

/**
 * Rejects conditions with a part whose second evaluation could have an effect: exit the process, run forever or change
 * a list. `proved` is the function whose own violations the claim excludes.
 */
export function checkConditions(program: Program, proved: FunctionDef | undefined): void {
  for (const definition of program.functions.values())
    for (const decorator of definition === proved ? [] : definition.decorator_list) {
      const contract = contractOf(decorator, program.imports);
      if (contract && !isHarmless(program, definition, contract))
        throw new Unsupported(
          `a condition of ${definition.name} that can loop or fail when icontract evaluates it a second time for its message`,
          decorator,
        );
    }
}

function isHarmless(program: Program, { args }: FunctionDef, { condition, names }: Contract): boolean {
  const all = nodesIn(condition);
  const targets = all.flatMap((node) => (isComprehension(node) ? node.generators : [])).map(({ target }) => target);
  const own = new Set([...names, ...targets.flatMap(targetNames)]);
  const calls = (node: Expression) => node.is === "Name" && !own.has(node.id) && program.functions.has(node.id);
  // A parameter hides a global of the same name.
  const others = args.parameters.filter(({ name }) => !own.has(name)).map(({ name }) => name);
  const is_other = all.some((node) => node.is === "Name" && others.includes(node.id));
  if (all.some(calls) && (is_other || all.flatMap(leftOut).flatMap(nodesIn).some(calls))) return false;
  const methods = new Set(all.flatMap((node) => (node.is === "Call" ? [node.func] : [])));
  return all.every((node) => {
    if (node.is === "Attribute")
      return (methods.has(node) && isMethod(node.attr)) || isMath(importedName(node, program.imports));
    if (node.is !== "Name" || own.has(node.id) || calls(node)) return node.is !== "Other";
    const imported = program.imports.get(node.id);
    if (imported !== undefined) return isMath(imported);
    return program.constants.has(node.id) || builtin(node.id) !== undefined || types.has(node.id);
  });
}

function isMath(name: string | undefined): boolean {
  return name === "math" || name?.startsWith("math.") === true;
}

/** Returns the parts of an expression whose evaluation Python can skip. */
function leftOut(node: Expression): readonly Expression[] {
  if (node.is === "BoolOp") return node.values.slice(1);
  if (node.is === "Compare") return node.comparators.slice(1);
  if (node.is === "IfExp") return [node.body, node.orelse];
  if (!isComprehension(node)) return [];
  const [, ...inner] = node.generators.map(({ iter }) => iter);
  return [node.elt, ...inner, ...node.generators.flatMap(({ ifs }) => ifs)];
}

function isComprehension(node: Expression): node is Extract<Expression, { is: "ListComp" | "GeneratorExp" }> {
  return node.is === "ListComp" || node.is === "GeneratorExp";
}
