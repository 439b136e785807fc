/** Rejects code that the prover would read incorrectly: constructs, names, and in-place changes of shared lists. */
import { partsOfExpression, partsOfStatement } from "./children.ts";
import { termOf } from "./construct_names.ts";
import { Unsupported } from "./refusal.ts";
import type { Call, Expression, FunctionDef, Statement } from "./tree.ts";
import {
  assignedIn,
  changeIn,
  expressionsOf,
  isExtension,
  leaves,
  listsChangedIn,
  mutationsOf,
  nodesIn,
  statementsIn,
  targetNames,
} from "./walk.ts";

/** What a reading of the program models, and what it treats as unknown functions. */
interface Reading {
  readonly congruent: boolean;
  readonly mappings: boolean;
}

/**
 * Rejects code anywhere in a function that could change the meaning of a name in the function. A name that the program
 * defines is not a builtin.
 */
export function checkFunction(
  definition: FunctionDef,
  reads: Reading & { readonly classes: Classes },
  isDefined: (name: string) => boolean,
): void {
  for (const statement of statementsIn(definition.body)) {
    checkStatement(statement);
    // An annotation is not evaluated, but the name that it annotates is still a variable.
    const annotations = statement.is === "AnnAssign" ? [statement.annotation] : [];
    checkExpressions([...expressionsOf(statement), ...annotations], reads);
  }
  const conditions = definition.decorator_list.flatMap(nodesIn).filter((each) => each.is === "Lambda");
  checkExpressions(
    conditions.map(({ body }) => body),
    { ...reads, congruent: false },
  );
  checkMutations(definition, reads.classes, isDefined);
}

/** Rejects a statement that a function may not contain at any depth. */
function checkStatement(statement: Statement): void {
  switch (statement.is) {
    case "Other":
      throw new Unsupported(termOf(statement), statement);
    case "FunctionDef":
    case "ClassDef":
    case "Import":
    case "ImportFrom":
      throw new Unsupported(`${termOf(statement)} inside of a function`, statement);
    case "Try":
      if (statement.finalbody.length > 0) throw new Unsupported("the finally clause of try statements", statement);
      for (const { name, line } of statement.handlers)
        if (name !== null) throw new Unsupported(`except clauses that bind a name (as ${name})`, line);
      return;
    case "Return":
    case "Assign":
    case "AugAssign":
    case "AnnAssign":
    case "For":
    case "While":
    case "If":
    case "Raise":
    case "Assert":
    case "Expr":
    case "Pass":
    case "Break":
    case "Continue":
      return;
    default:
      statement satisfies never;
  }
}

function checkExpressions(expressions: readonly Expression[], { congruent, mappings }: Reading): void {
  for (const node of expressions.flatMap(nodesIn)) {
    if (node.is === "Other") throw new Unsupported(termOf(node), node);
    if (!congruent && (node.is === "Lambda" || (!mappings && of_mappings.has(node.is))))
      throw new Unsupported(termOf(node), node);
  }
}

const of_mappings: ReadonlySet<Expression["is"]> = new Set(["Dict", "SetComp", "DictComp"]);

/**
 * Rejects in-place changes of lists that another variable might hold. The prover treats lists as values, so a list can
 * be changed in place only while exactly one variable holds it. The list must be created in this function and never be
 * passed on to another variable, list or function.
 */
function checkMutations(definition: FunctionDef, classes: Classes, isDefined: (name: string) => boolean): void {
  const all = statementsIn(definition.body);
  // If one of the program's classes has a method with this name, the call is not on a list.
  const on_lists = all.filter((each) => !isOwnMethod(classes, changeIn(each)?.method));
  const mutated = new Map(on_lists.flatMap(mutationsOf).map(({ name, line }) => [name, line]));
  for (const statement of all) {
    const plain = statement.is === "AugAssign" && !isExtension(statement);
    if (plain && statement.target.is === "Name" && mutated.has(statement.target.id))
      throw new Unsupported(
        `augmented assignments to the list ${statement.target.id} other than \`+= [...]\``,
        statement,
      );
  }
  for (const [name, line] of mutated) {
    const is_parameter = definition.args.parameters.some((each) => each.name === name);
    if (is_parameter && !isReplaced(definition, name))
      throw new Unsupported(`in-place changes of the parameter ${name} (change a copy: \`${name}.copy()\`)`, line);
    for (const statement of all) checkOwned(statement, name, isDefined);
  }
}

/** Whether a parameter is assigned before every other statement, except the docstring and asserts. */
function isReplaced({ body }: FunctionDef, name: string): boolean {
  const first = body.find((each) => each.is !== "Assert" && !(each.is === "Expr" && each.value.is === "Constant"));
  const target = first?.is === "Assign" ? first.targets[0] : undefined;
  return target?.is === "Name" && target.id === name;
}

function checkOwned(statement: Statement, name: string, isDefined: (name: string) => boolean): void {
  for (const target of partsOfStatement(statement).targets) {
    if (!targetNames(target).includes(name) || isExtension(statement)) continue;
    const fresh = (statement.is === "Assign" || statement.is === "AnnAssign") && statement.value;
    const one_target = statement.is !== "Assign" || statement.targets.length === 1;
    if (target.is !== "Name" || !fresh || !one_target || !isFresh(fresh, isDefined))
      throw new Unsupported(
        `in-place changes of ${name}, as it is not new here (assign a copy, such as \`list(...)\`, or a display)`,
        statement,
      );
  }
  // A range is computed only once, from numbers.
  const over_range = statement.is === "For" && isRange(statement.iter, isDefined);
  if (statement.is === "For" && !over_range && mentions(statement.iter, name) && assignedIn(statement.body).has(name))
    throw new Unsupported(
      statement.iter.is === "Name" && statement.iter.id === name
        ? `in-place changes of ${name} while a loop iterates over it`
        : `assignments to ${name} in a loop whose iterable depends on ${name}`,
      statement,
    );
  if (statement.is === "Return") return;
  if (statement.is === "For" && holderIn(statement.iter) === name) return;
  const list = { name, isDefined };
  const { targets, tests, values } = partsOfStatement(statement);
  const uses = [...targets.filter((each) => each.is !== "Name"), ...values];
  const [first] = [
    ...tests.flatMap((each) => sharingInTest(each, list)),
    ...uses.flatMap((each) => sharing(each, list)),
  ];
  if (first)
    throw new Unsupported(
      `a second reference to ${name}, as the function changes it in place (use a copy here)`,
      first.line === statement.line ? statement : first,
    );
}

type Classes = ReadonlyMap<
  string,
  {
    readonly methods: ReadonlyMap<string, { readonly kind: string; readonly definition: FunctionDef }>;
    readonly fields: readonly { readonly name: string; readonly parameter: string | undefined }[];
  }
>;

/** Whether one of the program's classes has a method with this name. */
export function isOwnMethod(classes: Classes, name: string | undefined): boolean {
  return name !== undefined && [...classes.values()].some(({ methods }) => methods.has(name));
}

/** The data with which a program's functions are checked. */
interface Text {
  readonly functions: ReadonlyMap<string, FunctionDef>;
  readonly classes: Classes;
  readonly changed_lists: ReadonlySet<string>;
  readonly isDefined: (name: string) => boolean;
}

/**
 * Rejects a program in which an attribute's list is changed in place although something else could hold it. The list
 * must be new where it is assigned, and may only be read elsewhere.
 */
export function checkFields(text: Text): void {
  for (const attr of text.changed_lists)
    for (const { body } of text.functions.values())
      for (const statement of statementsIn(body)) {
        const [shared] = [...holdersIn(statement, attr, text), ...liveUses(statement, attr, text)];
        if (shared)
          throw new Unsupported(
            `in-place changes of the list ${attr} of an object, as it can have a second reference here (use a copy)`,
            shared,
          );
      }
}

function isHeld(node: Expression, attr: string): boolean {
  return node.is === "Attribute" && node.attr === attr;
}

/**
 * Returns the places where an attribute's list could get a second holder. For example, a dataclass keeps the list that
 * it is called with.
 */
function holdersIn(statement: Statement, attr: string, { classes, isDefined }: Text): (Expression | Statement)[] {
  const list = { name: `.${attr}`, isDefined };
  const { targets, tests, values } = partsOfStatement(statement);
  const [only, second] = targets;
  const value = (statement.is === "Assign" || statement.is === "AnnAssign") && !second ? statement.value : null;
  const is_new = value && only && isHeld(only, attr) && isFresh(value, isDefined);
  const single = targets.flatMap(leaves);
  const assigned = single.filter((target) => isHeld(target, attr) && !is_new && !isExtension(statement));
  const read = values.filter((each) => !(statement.is === "For" && each === statement.iter && isHeld(each, attr)));
  return [
    ...assigned,
    ...tests.flatMap((each) => sharingInTest(each, list)),
    ...[...single.filter(({ is }) => is === "Subscript"), ...read].flatMap((each) => sharing(each, list)),
    ...expressionsOf(statement)
      .flatMap(nodesIn)
      .filter((node) => node.is === "Call" && node.func.is === "Name" && isMade(node, attr, classes)),
  ];
}

/**
 * Returns the places where something could change an attribute's list during an iteration over it, or between two
 * operands.
 */
function liveUses(statement: Statement, attr: string, { classes, isDefined }: Text): (Expression | Statement)[] {
  // Reading a property calls it.
  const calls = (node: Expression) =>
    nodesIn(node).some((each) =>
      each.is === "Attribute"
        ? isOwnMethod(classes, each.attr)
        : each.is === "Call" && each.func.is !== "Attribute" && (each.func.is !== "Name" || isDefined(each.func.id)),
    );
  const changes = (each: Statement) => listsChangedIn(each).includes(attr) || expressionsOf(each).some(calls);
  const isOver = (iter: Expression) => nodesIn(iter).some((node) => isHeld(node, attr));
  const loop = statement.is === "For" && !isRange(statement.iter, isDefined) && isOver(statement.iter);
  const isLive = (node: Expression) => {
    if ("generators" in node) return node.generators.some(({ iter }) => isOver(iter)) && calls(node);
    const operands =
      node.is === "Call" && node.func.is === "Attribute" ? [node.func.value, ...node.args] : partsOfExpression(node);
    const first = operands.findIndex((each) => isHeld(each, attr));
    return first >= 0 && operands.slice(first + 1).some(calls);
  };
  return [
    ...(loop && statementsIn(statement.body).some(changes) ? [statement] : []),
    ...expressionsOf(statement).flatMap(nodesIn).filter(isLive),
  ];
}

/** Whether a call can create an object with this field and pass a value for it that is not a new list. */
function isMade({ func, args, keywords }: Call, attr: string, classes: Classes): boolean {
  const own_name = func.is === "Name" ? func.id : "";
  const isOwn = ({ kind, definition }: { kind: string; definition: FunctionDef }) =>
    kind === "class" && definition.args.parameters[0]?.name === own_name;
  const known = classes.get(own_name);
  const made = known ? [known] : [...classes.values()].filter(({ methods }) => [...methods.values()].some(isOwn));
  return made.some(({ fields }) => {
    const at = fields.findIndex((each) => each.name === attr && each.parameter === attr);
    const own = at < 0 ? undefined : (args[at] ?? keywords.find(({ arg }) => arg === attr)?.value);
    return own !== undefined && own.is !== "List" && own.is !== "ListComp";
  });
}

function isRange(node: Expression, isDefined: (name: string) => boolean): boolean {
  return node.is === "Call" && node.func.is === "Name" && node.func.id === "range" && !isDefined("range");
}

/** Builtins that make a new container. */
const returns_fresh: ReadonlySet<string> = new Set(["list", "sorted", "dict", "set"]);
const fresh_displays: ReadonlySet<Expression["is"]> = new Set([
  "List",
  "ListComp",
  "Dict",
  "DictComp",
  "Set",
  "SetComp",
]);

/** Whether an expression creates a list that nothing else holds. */
function isFresh(value: Expression, isDefined: (name: string) => boolean): boolean {
  if (fresh_displays.has(value.is)) return true;
  if (value.is === "Call" && value.func.is === "Name")
    return returns_fresh.has(value.func.id) && !isDefined(value.func.id);
  if (value.is === "Call" && value.func.is === "Attribute") return value.func.attr === "copy" && !isDefined("copy");
  if (value.is === "BinOp" && value.op === "Add") return true;
  // A slice of a list is a new list; a slice of anything else can't be changed in place.
  if (value.is === "Subscript" && value.slice.is === "Slice") return true;
  return value.is === "BinOp" && value.op === "Mult" && (value.left.is === "List" || value.right.is === "List");
}

/** Builtins that only read their arguments. */
const read_only: ReadonlySet<string> = new Set("len sum min max any all sorted list tuple set dict".split(" "));
/** Methods that keep no reference to their arguments. */
const read_only_methods: ReadonlySet<string> = new Set(
  "join count index union intersection difference issubset issuperset isdisjoint".split(" "),
);
/** Methods that return a view of a dict. The view changes with the dict. */
const views: ReadonlySet<string> = new Set(["keys", "values", "items"]);

/**
 * Returns the variable whose items an expression yields: the variable's own name, or a view of it. For an attribute, it
 * is a name such as `.items`.
 */
function holderIn(node: Expression): string | undefined {
  if (node.is === "Name") return node.id;
  if (node.is === "Attribute") return `.${node.attr}`;
  const func = node.is === "Call" && node.args.length === 0 ? node.func : undefined;
  return func?.is === "Attribute" && views.has(func.attr) && func.value.is === "Name" ? func.value.id : undefined;
}

function mentions(node: Expression, name: string): boolean {
  return nodesIn(node).some((each) => each.is === "Name" && each.id === name);
}

interface OwnedList {
  readonly name: string;
  readonly isDefined: (name: string) => boolean;
}

/** Returns the expressions in which the variable's list could get a second holder. */
function sharing(node: Expression, list: OwnedList): Expression[] {
  const { name, isDefined } = list;
  if (node.is === "Name") return node.id === name ? [node] : [];
  if (node.is === "Attribute" && name === `.${node.attr}`) return [node];
  const own = (each: Expression) => holderIn(each) === name;
  if (node.is === "Subscript" && own(node.value)) return sharing(node.slice, list);
  if (node.is === "Compare")
    return [node.left, ...node.comparators].filter((each) => !own(each)).flatMap((each) => sharing(each, list));
  // Adding or repeating creates a new list.
  if (node.is === "BinOp")
    return [node.left, node.right].filter((each) => !own(each)).flatMap((each) => sharing(each, list));
  if (node.is === "UnaryOp" && node.op === "Not") return sharingInTest(node, list);
  if (node.is === "IfExp")
    return [...sharingInTest(node.test, list), ...[node.body, node.orelse].flatMap((each) => sharing(each, list))];
  if (node.is === "Call") {
    const { func, args } = node;
    // With several arguments, min and max return one of them.
    const looks =
      func.is === "Attribute"
        ? read_only_methods.has(func.attr) && !isDefined(func.attr)
        : func.is === "Name" && read_only.has(func.id) && !isDefined(func.id) && args.length === 1;
    const method = func.is === "Attribute" && own(func.value) && !views.has(func.attr);
    const rest = args.filter((each) => !(looks && own(each)));
    return [...(method ? [] : [func]), ...rest, ...node.keywords.map((each) => each.value)].flatMap((each) =>
      sharing(each, list),
    );
  }
  if (node.is === "FormattedValue" && own(node.value)) return node.format_spec ? sharing(node.format_spec, list) : [];
  // A comprehension extracts the items immediately and does not keep their container.
  const taken = "generators" in node ? node.generators.map(({ iter }) => iter).filter(own) : [];
  return partsOfExpression(node)
    .filter((each) => !taken.includes(each))
    .flatMap((each) => sharing(each, list));
}

/** Returns such expressions in a test. A test uses only the truth value. */
function sharingInTest(node: Expression, list: OwnedList): Expression[] {
  if (node.is === "Name" || holderIn(node) === list.name) return [];
  if (node.is === "UnaryOp" && node.op === "Not") return sharingInTest(node.operand, list);
  return node.is === "BoolOp" ? node.values.flatMap((each) => sharingInTest(each, list)) : sharing(node, list);
}
