/**
 * What icontract does to tell of a condition that is broken: it reads the text of the decorator, evaluates
 * each part of the condition again, and prints all values. Any of that may fail, which is one unknown.
 */

import { inOrder, type Term, type Terms } from "../logic/terms.ts";
import { partsOf, typeOf, typeText, type Value } from "../logic/values.ts";
import { untellable } from "../python/exceptions.ts";
import { type Contract, contractOf, importedName, type Program } from "../python/program.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression, FunctionDef } from "../python/tree.ts";
import { nodesIn, targetNames } from "../python/walk.ts";
import { builtin } from "./builtins.ts";
import type { Machine, Raised } from "./machine.ts";
import { isMethod } from "./methods.ts";

/** What `isinstance` may be asked for, besides the types that are builtins of the prover. */
const types: ReadonlySet<string> = new Set(["str", "tuple"]);

const untold_name = "icontract fails to tell";

/**
 * Whether that fails: the same for the same condition where all parameters have the same names and values. Those that
 * the condition does not ask for are printed too, and stand for the globals of their names.
 */
export function untold(m: Machine, { condition, names }: Contract, known: ReadonlyMap<string, Value>): Term {
  const choices = [...known].flatMap(([name, value]) => value.map((choice) => ({ name, ...choice })));
  const types = choices.map(({ name, plain }) => `${name}: ${typeText(typeOf(plain))}`);
  const written = JSON.stringify([names, condition, types], (key, value) =>
    /line|column/.test(key) ? undefined : value,
  );
  const parts = choices.flatMap(({ when, plain }) => [when, ...partsOf(plain)]);
  const sorts = parts.map(({ sort }) => sort.text).join(" ");
  return m.unknown(`${untold_name} ${encodeURIComponent(written)} ${sorts}`, parts);
}

function untoldIn(term: Term): Term[] {
  return inOrder([term]).filter(({ op, name }) => op === "apply" && name?.startsWith(untold_name));
}

/** When a condition of the function itself is broken, told or not. */
export function brokenAnyway(t: Terms, { when, exception }: Raised): Term {
  return t.replace(when, new Map(untoldIn(when).map((each) => [each, t.bool(exception === untellable)])));
}

/** What is owed may not depend on whether another broken condition can be told of: `brokenAnyway` takes them for one. */
export function checkOwn(broken: Term, line: number): void {
  if (untoldIn(broken).length > 0) throw new Unsupported("a condition that catches what icontract raises", line);
}

/**
 * Refuses conditions of which a part could do more than have a value when it is evaluated again: end the
 * process, go on for ever, change a list. `proved` is a function of which a broken condition is claimed nothing.
 */
export function checkConditions(program: Program, proved: FunctionDef | undefined): void {
  for (const definition of program.functions.values())
    for (const decorator of definition === proved ? [] : definition.decorator_list) {
      const contract = contractOf(decorator, program.imports);
      if (contract && !isHarmless(program, definition, contract))
        throw new Unsupported(`a condition of ${definition.name} that icontract evaluates otherwise`, decorator.line);
    }
}

function isHarmless(program: Program, { args }: FunctionDef, { condition, names }: Contract): boolean {
  const all = nodesIn(condition);
  const targets = all.flatMap((node) => (isComprehension(node) ? node.generators : [])).map(({ target }) => target);
  const own = new Set([...names, ...targets.flatMap(targetNames)]);
  const calls = (node: Expression) => node.is === "Name" && !own.has(node.id) && program.functions.has(node.id);
  // In the place of a global, icontract takes a parameter of that name.
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

/** The parts of an expression that Python may leave out. */
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
