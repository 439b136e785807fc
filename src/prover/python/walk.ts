/** Walks over syntax trees: finds their contents, the names that they bind, and the lists that they change. */
import { partsOfExpression, partsOfStatement } from "./children.ts";
import type { Call, Expression, FunctionDef, Statement } from "./tree.ts";

/** Returns an expression and all expressions in it. */
export function nodesIn(root: Expression): Expression[] {
  return [root, ...partsOfExpression(root).flatMap(nodesIn)];
}

/** Returns a statement's own expressions, without those of its inner statements. */
export function expressionsOf(statement: Statement): Expression[] {
  const { targets, tests, values } = partsOfStatement(statement);
  return [...targets, ...tests, ...values];
}

/** Returns statements and all statements in them. */
export function statementsIn(statements: readonly Statement[]): Statement[] {
  return statements.flatMap((each) => [each, ...statementsIn(partsOfStatement(each).bodies.flat())]);
}

/** Returns the calls of a function's own name in its body. */
export function callsItself({ name, body }: FunctionDef): Call[] {
  return statementsIn(body)
    .flatMap(expressionsOf)
    .flatMap(nodesIn)
    .flatMap((node) => (node.is === "Call" && node.func.is === "Name" && node.func.id === name ? [node] : []));
}

/**
 * Methods that change a list, set or dict in place. The call must be a statement, or the whole value of an assignment
 * or return.
 */
const changing_methods = [
  "append",
  "extend",
  "insert",
  "pop",
  "popitem",
  "add",
  "discard",
  "remove",
  "setdefault",
  "sort",
  "reverse",
] as const;
export type ChangingMethod = (typeof changing_methods)[number];
const changing_with_result: readonly ChangingMethod[] = ["pop", "popitem", "setdefault"];

/** Returns the in-place method with this name; undefined if there is none. */
export function changingMethod(
  name: string,
  among: readonly ChangingMethod[] = changing_methods,
): ChangingMethod | undefined {
  return among.find((method) => method === name);
}

/** A call that changes a variable's list in place. */
export interface Change {
  readonly name: string;
  readonly method: ChangingMethod;
  readonly call: Extract<Expression, { is: "Call" }>;
}

/**
 * Returns the call that a statement consists of, or takes its value from, if the call changes a variable's list in
 * place.
 */
export function changeIn(statement: Statement): Change | undefined {
  const change = changeOf(statement);
  return change?.list.is === "Name" ? { ...change, name: change.list.id } : undefined;
}

/** Returns such a call if it changes the list in an attribute of a variable: `self.items.append(1)`. */
export function fieldChangeIn(statement: Statement): FieldChange | undefined {
  const change = changeOf(statement);
  if (change?.list.is !== "Attribute" || change.list.value.is !== "Name") return undefined;
  return field_changes.includes(change.method) ? { ...change, list: change.list } : undefined;
}

type AttributeNode = Extract<Expression, { is: "Attribute" }>;
export type FieldChange = Omit<Change, "name"> & { readonly list: AttributeNode };

const field_changes: readonly ChangingMethod[] = ["append", "extend", "pop"];

function changeOf(statement: Statement): (Omit<Change, "name"> & { readonly list: Expression }) | undefined {
  const valued = statement.is === "Assign" || statement.is === "AnnAssign" || statement.is === "Return";
  const methods = valued ? changing_with_result : changing_methods;
  const call = valued || statement.is === "Expr" ? statement.value : null;
  if (call?.is !== "Call" || call.func.is !== "Attribute") return undefined;
  const method = changingMethod(call.func.attr, methods);
  return method && { list: call.func.value, method, call };
}

/** Whether a statement adds items to a list by `+=`. The added value shows that the target is a list. */
export function isExtension(statement: Statement): boolean {
  if (statement.is !== "AugAssign" || statement.op !== "Add") return false;
  if (statement.target.is !== "Name" && statement.target.is !== "Attribute") return false;
  return statement.value.is === "List" || statement.value.is === "ListComp";
}

/** Returns the names that statements assign values to: a function's local variables. */
export function boundIn(statements: readonly Statement[]): Set<string> {
  return new Set(statementsIn(statements).flatMap((each) => partsOfStatement(each).targets.flatMap(targetNames)));
}

/** Returns the names that statements assign values to, and those whose lists they change. */
export function assignedIn(statements: readonly Statement[]): Set<string> {
  const changed = statementsIn(statements).flatMap(mutationsOf);
  return new Set([...boundIn(statements), ...changed.map(({ name }) => name)]);
}

/** Returns the names that a target binds. */
export function targetNames(target: Expression): string[] {
  return leaves(target).flatMap((each) => (each.is === "Name" ? [each.id] : []));
}

/** Returns the single targets that a target consists of. */
export function leaves(target: Expression): Expression[] {
  return target.is === "Tuple" || target.is === "List" ? target.elts.flatMap(leaves) : [target];
}

/** Returns the lists that one statement changes in place, by the names of their variables. */
export function mutationsOf(statement: Statement): { name: string; line: number }[] {
  const change = changeIn(statement);
  const extends_one = isExtension(statement);
  const targets = partsOfStatement(statement)
    .targets.flatMap(leaves)
    .flatMap((target) => {
      const list = target.is === "Subscript" ? target.value : extends_one ? target : undefined;
      return list?.is === "Name" ? [{ name: list.id, line: target.line }] : [];
    });
  return change ? [{ name: change.name, line: change.call.line }, ...targets] : targets;
}

/**
 * Returns the attributes that a function assigns to or whose lists it changes. Attributes that `__init__` sets on the
 * new object do not count.
 */
export function writtenAttributes({ name, args, body }: FunctionDef): string[] {
  const self = /\.__(?:init|post_init)__$/.test(name) ? args.parameters[0]?.name : undefined;
  return statementsIn(body).flatMap((statement) => {
    const targets = partsOfStatement(statement).targets.flatMap(attributesOf);
    const own = targets.filter(({ value }) => value.is !== "Name" || value.id !== self).map(({ attr }) => attr);
    return [...own, ...listsChangedIn(statement)];
  });
}

/** Returns the attributes whose lists a statement changes in place. */
export function listsChangedIn(statement: Statement): string[] {
  const change = fieldChangeIn(statement);
  const targets = partsOfStatement(statement)
    .targets.flatMap(leaves)
    .flatMap((target) => {
      const list = target.is === "Subscript" ? target.value : isExtension(statement) ? target : undefined;
      return list?.is === "Attribute" ? [list.attr] : [];
    });
  return change ? [change.list.attr, ...targets] : targets;
}

/** Returns the attributes that a target assigns to. */
export function attributesOf(target: Expression): AttributeNode[] {
  return leaves(target).flatMap((each) => (each.is === "Attribute" ? [each] : []));
}

/** Returns how often each name is read in these statements. */
export function readsIn(statements: readonly Statement[]): Map<string, number> {
  const reads = new Map<string, number>();
  for (const statement of statementsIn(statements)) {
    const written = new Set(
      partsOfStatement(statement)
        .targets.flatMap(leaves)
        .filter((target) => target.is !== "Subscript" && target.is !== "Attribute")
        .flatMap(nodesIn),
    );
    const again = statement.is === "AugAssign" ? [statement.target] : [];
    for (const node of [...expressionsOf(statement).flatMap(nodesIn), ...again]) {
      if (node.is !== "Name" || (written.has(node) && !again.includes(node))) continue;
      reads.set(node.id, (reads.get(node.id) ?? 0) + 1);
    }
  }
  return reads;
}
