import type { Type } from "./logic/values.ts";
import { partsOfStatement } from "./python/children.ts";
import type { Program } from "./python/program.ts";
import type { Expression, FunctionDef, Statement } from "./python/tree.ts";
import { expressionsOf, isExtension, mutationsOf, nodesIn, statementsIn, targetNames } from "./python/walk.ts";
import { typesOf } from "./run/annotations.ts";
import type { Final } from "./summary.ts";

/**
 * Lets a function change one of its parameters in place, also by the name of a variable to which it was moved (`x = xs`,
 * and no other use of `xs`): it works on a copy instead, made after the preconditions. In a claim about this function
 * alone, only its caller could notice that. So nothing else may refer to the same object (no other parameter, global or
 * item), no other code may call the function, and no postcondition may mention the change.
 */
export function withOwnCopy(program: Program, definition: FunctionDef, preconditions: number): FunctionDef {
  return ownCopy(program, definition, preconditions)?.definition ?? definition;
}

/**
 * Does the same for a comparison, where the contents at the end are part of the result: the variable must hold the copy
 * until then.
 */
export function withKeptCopy(
  program: Program,
  definition: FunctionDef,
  preconditions: number,
): { readonly definition: FunctionDef; readonly final?: Final } {
  const own = ownCopy(program, definition, preconditions);
  if (!own) return { definition };
  const { variable, place, move } = own;
  const binds = (each: Statement) =>
    each !== move && !isExtension(each) && partsOfStatement(each).targets.flatMap(targetNames).includes(variable);
  if (statementsIn(definition.body).some(binds)) return { definition };
  return { definition: own.definition, final: { place, variable } };
}

function ownCopy(program: Program, definition: FunctionDef, preconditions: number) {
  const { args, body } = definition;
  const rest = body.slice(preconditions);
  const changed = new Set(
    statementsIn(body)
      .flatMap(mutationsOf)
      .map(({ name }) => name),
  );
  const [own, second] = args.parameters.filter(({ name }) => changed.has(name) || movedIn(rest, name, changed));
  const [next] = rest;
  if (!own?.annotation || own.default || second || !next || !isAlone(program, definition)) return undefined;
  for (const { name, annotation } of args.parameters) {
    const types = annotation ? typesOf(program, annotation) : [];
    const is_safe = name === own.name ? types.length === 1 && types.every(isCopyable) : types.every(isImmutable);
    if (types.length === 0 || !is_safe) return undefined;
  }
  const moved = changed.has(own.name) ? undefined : movedIn(rest, own.name, changed);
  const { line, column, end_line, end_column } = moved?.statement ?? next;
  const at = { line, column, end_line, end_column };
  const name: Expression = { is: "Name", id: own.name, ...at };
  const copy: Expression = { is: "Attribute", value: name, attr: "copy", ...at };
  const value: Expression = { is: "Call", func: copy, args: [], keywords: [], ...at };
  const copied = moved
    ? rest.map((each) => (each === moved.statement ? { ...moved.statement, value } : each))
    : [{ is: "Assign", targets: [name], value, ...at } as const, ...rest];
  return {
    definition: { ...definition, body: [...body.slice(0, preconditions), ...copied] },
    place: args.parameters.indexOf(own),
    variable: moved?.variable ?? own.name,
    move: moved?.statement,
  };
}

/** Returns the statement that gives a parameter's object to a variable whose value is changed, if that is its only use. */
function movedIn(statements: readonly Statement[], parameter: string, changed: ReadonlySet<string>) {
  const names = statementsIn(statements).flatMap(expressionsOf).flatMap(nodesIn);
  if (names.filter((node) => node.is === "Name" && node.id === parameter).length !== 1) return undefined;
  for (const each of statements) {
    if (each.is !== "Assign" && each.is !== "AnnAssign") continue;
    const [target, other] = each.is === "Assign" ? each.targets : [each.target];
    const is_move = each.value?.is === "Name" && each.value.id === parameter;
    if (is_move && target?.is === "Name" && !other && changed.has(target.id))
      return { statement: each, variable: target.id };
  }
  return undefined;
}

/** Whether no code of the program calls the function, keeps objects, or states postconditions. */
function isAlone({ functions, classes, tables }: Program, { name, decorator_list, documented }: FunctionDef): boolean {
  const expressions = [...functions.values()].flatMap((each) => [
    ...statementsIn(each.body).flatMap(expressionsOf),
    ...each.decorator_list,
    ...(each.documented ?? []).map(({ condition }) => condition),
  ]);
  const is_used = expressions.flatMap(nodesIn).some((node) => node.is === "Name" && node.id === name);
  const has_conditions = decorator_list.length > 0 || documented?.some(({ is }) => is === "post") === true;
  return classes.size === 0 && tables.size === 0 && !is_used && !has_conditions;
}

/** Whether a shallow copy shares nothing that can be changed. */
function isCopyable(type: Type): boolean {
  if (type.kind === "list") return type.item !== undefined && isImmutable(type.item);
  if (type.kind !== "dict" && type.kind !== "set") return false;
  return [type.key, type.value].every((part) => part === undefined || isImmutable(part));
}

function isImmutable(type: Type): boolean {
  if (type.kind === "tuple") return type.items.every(isImmutable);
  return ["int", "bool", "float", "none", "str"].includes(type.kind);
}
