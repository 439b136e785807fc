/** Executes calls of builtin functions, and calls of the program's own functions, which are inlined. */

import { always, NONE, UNBOUND, type Value } from "../logic/values.ts";
import { checkFields, checkFunction, isOwnMethod } from "../python/checks.ts";
import { untellable, violation } from "../python/exceptions.ts";
import { contractOf } from "../python/program.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression, FunctionDef } from "../python/tree.ts";
import { boundIn } from "../python/walk.ts";
import { argumentValues } from "./arguments.ts";
import { builtin } from "./builtins/builtins.ts";
import { mathFunction } from "./builtins/math.ts";
import { callClass, callOwnMethod, classNamed, givenValues } from "./classes.ts";
import {
  checkOwn,
  demandDocumented,
  evaluateWith,
  messageFailure,
  promiseDocumented,
  promiseOne,
} from "./contracts.ts";
import { isDefined, type Machine } from "./machine.ts";
import { callMethod } from "./methods.ts";
import { truth } from "./operators/conversions.ts";
import { fieldsIn, noExits, type State, type Variables } from "./parts.ts";
import { hasTailCallsOnly, runAsLoop } from "./tail_calls.ts";

export function callExpression(m: Machine, state: State, node: Call): Value {
  const { func, line } = node;
  const imported = m.importedName(func);
  if (imported !== undefined) {
    const value = mathFunction(m, state, imported, node);
    if (!value) throw new Unsupported(`calls of ${imported}`, line);
    return value;
  }
  const of = classNamed(m, state, func);
  if (of) return callClass(m, state, of, node);
  if (func.is === "Attribute") return callOwnMethod(m, state, func, node) ?? callMethod(m, state, func, node);
  if (func.is !== "Name" || m.variableOf(func.id) !== undefined)
    throw new Unsupported("calls of anything but a function by its name, or a method", line);
  const definition = m.program.functions.get(func.id);
  if (definition) return callFunction(m, state, definition, node);
  const known = m.isBuiltin(func.id) ? builtin(func.id) : undefined;
  if (!known) throw new Unsupported(`calls of ${func.id}`, line);
  return known(m, state, node);
}

function callFunction(m: Machine, state: State, definition: FunctionDef, node: Call): Value {
  if (isNested(definition)) checkOuterVariables(m, state, definition, node);
  const args = argumentValues(m, state, definition, node);
  if (state.live === m.t.no) return m.nothing();
  if (m.recursion?.isFor(definition)) {
    if (fieldsIn(state.variables).size > 0) throw new Unsupported("recursion with objects that are changed", node.line);
    return m.recursion.call(m, state, { definition, args, line: node.line });
  }
  return callDefinition(m, state, definition, args, node.line);
}

/** Whether a function was defined inside another one; the outer variables that it reads are its first parameters. */
function isNested({ name }: FunctionDef): boolean {
  return name.includes(".<locals>.");
}

/** Rejects a call of a nested function if an outer variable may have no value yet: only reading it would raise. */
function checkOuterVariables(m: Machine, state: State, { args }: FunctionDef, node: Call): void {
  for (const { name } of args.parameters.slice(0, args.parameters.length - args.named.length)) {
    const value = state.variables.get(m.variableOf(name) ?? name);
    const unbound = value?.find(({ plain }) => plain.kind === "unbound");
    if (!value || (unbound && m.t.and(state.live, unbound.when) !== m.t.no))
      throw new Unsupported(`calls of a nested function before ${name} has a value`, node);
  }
}

/** Executes a call of one of the program's functions with these arguments. */
export function callDefinition(
  m: Machine,
  state: State,
  definition: FunctionDef,
  args: readonly Value[],
  line: number,
): Value {
  if (m.frames.some((frame) => frame.definition === definition))
    throw new Unsupported(recursionOf(m, definition), line);
  return inline(m, state, definition, args, line);
}

/** Describes the kind of recursion that is not modelled. */
function recursionOf(m: Machine, { name }: FunctionDef): string {
  const between = m.frames.slice(m.frames.findIndex(({ definition }) => definition.name === name) + 1);
  const through = [...new Set(between.map(({ definition }) => definition.name))].filter((each) => each !== name);
  return through.length > 0 ? `recursion of ${name} through ${through.join(", ")}` : `recursion of the helper ${name}`;
}

/** Executes the body of a function in place of its call. */
export function inline(m: Machine, state: State, definition: FunctionDef, args: readonly Value[], line: number): Value {
  const caller = state.variables;
  const exits = noExits();
  state.variables = fieldsIn(caller);
  m.inContext({ exits, handled: [] }, () => runBody(m, state, definition, args, line));
  const returned = (callee: Variables): Variables => new Map([...caller, ...fieldsIn(callee)]);
  for (const raised of exits.raises) m.exits.raises.push({ ...raised, variables: returned(raised.variables) });
  const flows = exits.returns.map(({ when, value, fields }) => ({
    when,
    variables: new Map([...fields, ["", value]]),
  }));
  m.joinFlows(state, flows);
  const value = state.variables.get("") ?? m.nothing();
  state.variables = returned(state.variables);
  return value;
}

/** Runs a function's body with its conditions around it. Every way in which the body ends is an exit. */
export function runBody(m: Machine, state: State, definition: FunctionDef, args: readonly Value[], line: number): void {
  const { parameters } = definition.args;
  const { classes } = m.program;
  const isKnown = (name: string) => isDefined(m.program, name) || isOwnMethod(classes, name);
  checkFunction(definition, m.program, isKnown);
  const names = parameters.map(({ name }) => name);
  const locals = new Set([...names, ...boundIn(definition.body)]);
  const unbound: Value = always(m.t, UNBOUND);
  m.enter({ definition, locals, scopes: [], kept: m.frames.length === 0 ? m.kept : undefined }, line);
  for (const name of locals) state.variables.set(m.variableOf(name) ?? name, unbound);
  // Only the claim's own arguments are created here; the arguments of other calls already exist.
  const is_claimed = m.frames.length === 1;
  if (is_claimed && classes.size > 0) checkFields({ ...m.program, isDefined: isKnown });
  const own = is_claimed ? givenValues(m, state, args, line) : args;
  const argument_values = new Map(names.map((name, i): [string, Value] => [name, own[i] ?? unbound]));
  for (const [name, value] of argument_values) state.variables.set(m.variableOf(name) ?? name, value);
  demand(m, state, definition, "require", argument_values);
  demandDocumented(m, state, definition, argument_values);
  const returned = m.exits.returns.length;
  const by_invariants = m.plan.by_invariants !== undefined && m.frames.length === 1;
  // An invariant may no longer hold where a loop returns, so results are checked at the return.
  if (by_invariants)
    m.promise = (own, value) => {
      promiseOne(m, own, definition, argument_values, value);
      demand(m, own, definition, "ensure", new Map([...argument_values, ["result", value]]));
    };
  if (hasTailCallsOnly(definition)) runAsLoop(m, state, definition, locals);
  else m.runAll(state, definition.body);
  if (state.live !== m.t.no) {
    if (by_invariants) m.promise?.(state, always(m.t, NONE));
    m.exits.returns.push({
      when: state.live,
      value: always(m.t, NONE),
      fields: fieldsIn(state.variables),
      line: definition.line,
    });
  }
  state.live = m.t.no;
  if (!by_invariants) {
    promiseDocumented(m, state, definition, argument_values, returned);
    ensure(m, state, definition, own, returned);
  }
  m.leave();
}

/**
 * Checks the conditions of one kind, innermost first, as icontract does. A condition that fails raises an exception.
 */
function demand(
  m: Machine,
  state: State,
  definition: FunctionDef,
  kind: "require" | "ensure",
  known: ReadonlyMap<string, Value>,
): void {
  for (const decorator of definition.decorator_list.toReversed()) {
    const contract = contractOf(decorator, m.program.imports);
    if (contract?.kind !== kind) continue;
    const assuming = m.context.assuming || (kind === "require" && m.frames.length === 1);
    const broken = m.inContext({ assuming }, () =>
      m.t.not(condition(m, state, contract.condition, contract.names, known, kind, decorator.line)),
    );
    // To report a violation, icontract evaluates each part again, without short-circuiting `and` and `or`, and prints
    // the values.
    const failing: State = { live: m.t.and(state.live, broken), variables: state.variables };
    if (kind === "require" && m.frames.length === 1) checkOwn(failing.live, decorator.line);
    m.raise(failing, messageFailure(m, contract, known), untellable, decorator.line);
    m.raise(failing, m.t.yes, violation, decorator.line);
    state.live = m.t.and(state.live, m.t.not(broken));
  }
}

/** Returns the truth of a lambda's body, evaluated in its own scope. */
function condition(
  m: Machine,
  state: State,
  node: Expression,
  names: readonly string[],
  known: ReadonlyMap<string, Value>,
  kind: "require" | "ensure",
  line: number,
): ReturnType<typeof truth> {
  const own = new Map<string, Value>();
  for (const name of names) {
    const value = known.get(name);
    if (!value) throw new Unsupported(`the name ${name} as a parameter of a condition`, line);
    own.set(name, value);
  }
  const before = state.live;
  const value = evaluateWith(m, state, node, own, line);
  const kinds = m.frame.definition.decorator_list.map((each) => contractOf(each, m.program.imports)?.kind);
  // Otherwise, the order in which several conditions are checked would matter.
  if (state.live !== before && kinds.filter((each) => each === kind).length > 1)
    throw new Unsupported("several conditions of a contract where one can raise an exception", line);
  return truth(m, value, line);
}

/** Checks the postconditions of each result, and removes the results that violate one. */
function ensure(m: Machine, state: State, definition: FunctionDef, args: readonly Value[], from: number): void {
  if (!definition.decorator_list.some((each) => contractOf(each, m.program.imports)?.kind === "ensure")) return;
  const results = m.exits.returns.splice(from);
  for (const { when, value, fields, line } of results) {
    const own: State = { live: when, variables: new Map([...state.variables, ...fields]) };
    const known = new Map<string, Value>([
      ...definition.args.parameters.map(({ name }, i): [string, Value] => [name, args[i] ?? []]),
      ["result", value],
    ]);
    demand(m, own, definition, "ensure", known);
    m.exits.returns.push({ when: own.live, value, fields, line });
  }
}
