/** Reads the fields that an `__init__` sets. */

import { partsOfStatement } from "./children.ts";
import type { Constant, Expression, FunctionDef, Statement } from "./tree.ts";
import { attributesOf, boundIn, expressionsOf, nodesIn, statementsIn } from "./walk.ts";

/** An attribute of a class's objects. */
export interface Field {
  readonly name: string;
  readonly annotation: Expression | undefined;
  /** Whether the type is not declared but inferred from a parameter or constant. */
  readonly is_inferred?: boolean | undefined;
  /** The field's value if a call omits it; "list" for a new empty list. */
  readonly default: Expression | "list" | undefined;
  /** The parameter of `__init__` whose value the field of a new object always has, whatever else `__init__` does. */
  readonly parameter: string | undefined;
  /** Whether every new object has the field. */
  readonly is_set: boolean;
}

/** Returns the attributes that an `__init__` assigns to. */
export function fieldsSetBy(method: FunctionDef): Field[] {
  const { args, body } = method;
  const [self, ...parameters] = args.parameters;
  const all = statementsIn(body);
  const sets = all.flatMap((statement) =>
    partsOfStatement(statement)
      .targets.flatMap(attributesOf)
      .filter(({ value }) => value.is === "Name" && value.id === self?.name)
      .map((target) => ({ name: target.attr, target, statement })),
  );
  const names = new Set(sets.map(({ name }) => name));
  const bound = boundIn(body);
  const is_kept = !passesOn(body, self?.name ?? "", names);
  const isTop = (statement: Statement) =>
    body.includes(statement) &&
    (statement.is === "Assign" || (statement.is === "AnnAssign" && statement.value !== null));
  return [...names].map((name) => {
    const own = sets.filter((each) => each.name === name);
    const parameter = parameters.find(
      (each) =>
        own.length === 1 &&
        !bound.has(each.name) &&
        own.every((set) => isTop(set.statement) && isSetTo(set, each.name)),
    );
    const written = own.map(({ statement }) => (statement.is === "AnnAssign" ? statement.annotation : undefined));
    const constants = typeOfConstants(own.map(({ statement }) => statement));
    return {
      name,
      annotation: written.find(Boolean) ?? parameter?.annotation ?? constants,
      is_inferred: !written.some(Boolean),
      default: parameter?.default ?? undefined,
      parameter: is_kept ? parameter?.name : undefined,
      is_set: own.some(({ statement }) => isTop(statement)) && all.every(({ is }) => is !== "Return"),
    };
  });
}

/** Whether a method always calls `super().__init__`. */
export function initialisesBase({ body }: FunctionDef): boolean {
  const is_certain = statementsIn(body).every(({ is }) => is !== "Return");
  return is_certain && body.some((each) => each.is === "Expr" && isInit(each.value));
}

function isInit(node: Expression): boolean {
  if (node.is !== "Call" || node.func.is !== "Attribute" || node.func.attr !== "__init__") return false;
  const { value } = node.func;
  return value.is === "Call" && value.func.is === "Name" && value.func.id === "super";
}

/**
 * Returns the first value that a method assigns to a field although it does not have the field's inferred type: a
 * constant or a quotient.
 */
export function otherValueIn({ body }: FunctionDef, { name, annotation, is_inferred }: Field): Expression | undefined {
  const type = is_inferred && annotation?.is === "Name" ? annotation.id : "";
  if (!["int", "bool", "float", "str"].includes(type)) return undefined;
  const sets = statementsIn(body).filter((each) =>
    partsOfStatement(each)
      .targets.flatMap(attributesOf)
      .some(({ attr }) => attr === name),
  );
  const isOther = (value: Expression) =>
    (value.is === "Constant" && value.type !== type) || (value.is === "BinOp" && value.op === "Div" && type === "int");
  return sets
    .flatMap((each) => {
      if (each.is === "Assign") return resultsOf(each.value).filter(isOther);
      if (each.is !== "AugAssign") return [];
      const is_float = each.op === "Div" || (each.value.is === "Constant" && each.value.type === "float");
      return type === "bool" || (type === "int" && is_float) ? [each.value] : [];
    })
    .at(0);
}

/** Returns the expressions that can be the value of an expression, or an item of its value. */
function resultsOf(value: Expression): Expression[] {
  if (value.is === "IfExp") return [value.body, value.orelse].flatMap(resultsOf);
  if (value.is === "BoolOp") return value.values.flatMap(resultsOf);
  return value.is === "Tuple" ? value.elts.flatMap(resultsOf) : [value];
}

function isSetTo({ target, statement }: { target: Expression; statement: Statement }, name: string): boolean {
  if (statement.is !== "Assign" && statement.is !== "AnnAssign") return false;
  const targets = statement.is === "Assign" ? statement.targets : [statement.target];
  return targets.length === 1 && targets[0] === target && statement.value?.is === "Name" && statement.value.id === name;
}

/**
 * Whether code does anything with an object besides setting and reading these attributes, so that other code could
 * change the object.
 */
function passesOn(body: readonly Statement[], self: string, names: ReadonlySet<string>): boolean {
  const nodes = statementsIn(body).flatMap(expressionsOf).flatMap(nodesIn);
  const called = new Set(nodes.flatMap((node) => (node.is === "Call" ? [node.func] : [])));
  const plain = nodes.flatMap((node) =>
    node.is === "Attribute" && names.has(node.attr) && !called.has(node) ? [node.value] : [],
  );
  return nodes.some((node) => node.is === "Name" && (node.id === self || node.id === "super") && !plain.includes(node));
}

/** Returns the type of the assigned constants, as an annotation. */
function typeOfConstants(statements: readonly Statement[]): Expression | undefined {
  const constants = statements.map((each) => (each.is === "Assign" ? constantOf(each.value) : undefined));
  const [first] = constants;
  if (!first || first.type === "none" || constants.some((each) => each?.type !== first.type)) return undefined;
  const { line, column, end_line, end_column } = first;
  return { is: "Name", id: first.type, line, column, end_line, end_column };
}

/** Returns the constant that an expression is, including a negative number; undefined for any other expression. */
export function constantOf(value: Expression): Constant | undefined {
  if (value.is === "Constant" && value.type !== "other") return value;
  if (value.is !== "UnaryOp" || value.op !== "USub" || value.operand.is !== "Constant" || value.operand.type !== "int")
    return undefined;
  return { ...value.operand, value: `-${value.operand.value}` };
}
