/** Claims about programs: the functions of a claim, and the states that would refute it. */

import { withKeptCopy, withOwnCopy } from "./changed_parameter.ts";
import type { Goal, Target } from "./goal.ts";
import { differs } from "./logic/differences.ts";
import type { Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import { isExactly, isPlainTuple, type Type, typeOf, typeText, type Value } from "./logic/values.ts";
import { partsOfStatement } from "./python/children.ts";
import { isInstanceOf } from "./python/classes.ts";
import { exhaustions, isA, unknown_exception, unmet } from "./python/exceptions.ts";
import { contractOf, type Program } from "./python/program.ts";
import { Unsupported } from "./python/refusal.ts";
import type { Expression, FunctionDef, Statement } from "./python/tree.ts";
import { callsItself, expressionsOf, nodesIn, statementsIn } from "./python/walk.ts";
import { genericOf, isDots, typesOf } from "./run/annotations.ts";
import { brokenAnyway, checkConditions, checkDocumented } from "./run/contracts.ts";
import { outcomeKey } from "./run/machine.ts";
import type { ObligationRules, Raised, Spot } from "./run/parts.ts";
import type { Ended, Final, Summary } from "./summary.ts";

/** What a claim excludes. Every proof of the claim lists these exclusions. */
export const meanings = {
  equivalent: ["exceptions are compared by their class: their messages are not"],
  preconditions: ["an input on which a precondition raises an exception does not meet it"],
} as const;

/** A state that refutes a claim. */
export interface Refutation {
  readonly when: Term;
  /** The position of the state, if it is not the end of the function. */
  readonly place: Spot | undefined;
}

export interface Claim {
  readonly definitions: readonly FunctionDef[];
  /** For each function, where the contents of arguments are found that one of the functions changes in place. */
  readonly finals?: readonly (readonly Final[])[];
  readonly refuted: (t: Terms, summaries: readonly Summary[]) => Refutation[];
  /** The condition for inputs to which the claim does not apply. */
  readonly excluded: (t: Terms, summaries: readonly Summary[]) => Term;
  /** Which loops must terminate for the claim to hold: none, all, or those of both functions together. */
  readonly ends: "no" | "all" | "together";
  /** Whether the claim itself implies that a recursive call does not raise this exception. */
  readonly neverRaises: (exception: string) => boolean;
  /** The claim's own assumptions, in addition to those of all claims. */
  readonly assumes: readonly string[];
  /** In a proof by given invariants, the exceptions that must be ruled out one by one. */
  readonly by_invariants?: ObligationRules;
}

/** Reads a goal. Raises Unsupported for names that do not exist. */
export function claimOf(program: Program, goal: Goal): Claim {
  checkConditions(program, goal.kind === "meets_contract" ? functionOf(program, goal.function) : undefined);
  switch (goal.kind) {
    case "equivalent":
      return equivalence(program, functionOf(program, goal.function_a), functionOf(program, goal.function_b));
    case "never_raises":
      return absence(program, ownCopyIn(program, functionOf(program, goal.function)), goal.exceptions);
    case "meets_contract":
      return contract(program, ownCopyIn(program, functionOf(program, goal.function)), goal.allowed ?? []);
    case "never_reached":
      return unreached(functionOf(program, goal.function), goal.target);
  }
}

function ownCopyIn(program: Program, definition: FunctionDef): FunctionDef {
  return withOwnCopy(program, definition, endOfPreconditions(definition));
}

function functionOf(program: Program, name: string): FunctionDef {
  const definition = program.functions.get(name);
  if (!definition) throw new Unsupported(`a function ${name} that the module does not define at its top level`, 1);
  return definition;
}

function equivalence(program: Program, a: FunctionDef, b: FunctionDef): Claim {
  // If the defaults differ, calls that omit arguments pass different values.
  if (defaultsText(a) !== defaultsText(b))
    throw new Unsupported("comparing functions whose default values differ", b.line);
  const changed = [a, b].map((each) => withKeptCopy(program, each, endOfPreconditions(each)));
  const places = new Set(changed.flatMap(({ final }) => final?.place ?? []));
  return {
    definitions: changed.map(({ definition }) => definition),
    finals: changed.map(({ final }) =>
      [...places].map((place) => ({ place, variable: final?.place === place ? final.variable : undefined })),
    ),
    assumes: meanings.equivalent,
    ends: "together",
    neverRaises: () => false,
    excluded: (t) => t.no,
    refuted(t, [x, y]) {
      if (!x || !y) throw new Error("two functions are compared");
      const values = x.returns.flatMap((left) =>
        y.returns.map((right) =>
          t.and(left.when, right.when, t.or(differs(t, left.value, right.value), changes(t, left, right))),
        ),
      );
      const classes = x.raises.flatMap((left) =>
        y.raises.map((right) =>
          t.and(left.when, right.when, t.or(t.not(sameClass(t, left, right)), changes(t, left, right))),
        ),
      );
      const [returned, raised] = [returns(t, x), raises(t, x)];
      const kinds = [t.and(returned, raises(t, y)), t.and(raised, returns(t, y))];
      return [{ when: t.or(...values, ...classes, ...kinds), place: undefined }];
    },
  };
}

/** Returns the condition that two calls leave different objects in their arguments. */
function changes(t: Terms, left: Ended, right: Ended): Term {
  return t.or(...left.after.map((value, i) => differs(t, value, right.after[i] ?? [])));
}

function sameClass(t: Terms, left: Raised, right: Raised): Term {
  if (left.thrown && right.thrown) return t.eq(left.thrown, right.thrown);
  return t.bool(!left.thrown && !right.thrown && left.exception === right.exception);
}

/** Returns a text that is the same only for the same default values. Raises Unsupported if one is not a literal. */
function defaultsText({ args }: FunctionDef): string {
  return JSON.stringify(args.parameters.map(({ default: value }) => value && literalText(value)));
}

function literalText(value: Expression): string {
  if (value.is === "Constant" && value.type !== "other") return `${value.type} ${value.value}`;
  if (value.is === "UnaryOp" && value.op === "USub") return `-(${literalText(value.operand)})`;
  throw new Unsupported("comparing functions with a default value that is not a literal", value);
}

function returns(t: Terms, summary: Summary): Term {
  return t.or(...summary.returns.map(({ when }) => when));
}

function raises(t: Terms, summary: Summary): Term {
  return t.or(...summary.raises.map(({ when }) => when));
}

function absence(program: Program, definition: FunctionDef, exceptions: "any" | readonly string[]): Claim {
  const isTarget = (name: string) =>
    name === unknown_exception ||
    exceptions === "any" ||
    exceptions.some((each) => isA(program.exceptions, name, each));
  if (exceptions !== "any")
    for (const name of exceptions)
      if (!program.exceptions.has(name) || exhaustions.has(name))
        throw new Unsupported(`claims about the exception ${name}`, definition.line);
  checkDocumented(definition);
  // A recursive call can violate an assert at the function's beginning. That counts, because the function itself chose
  // the call's arguments.
  const owed = callsItself(definition).length === 0 ? preconditionLines(program, definition) : new Set();
  return {
    definitions: [definition],
    assumes: owed.size > 0 || definition.documented?.length ? meanings.preconditions : [],
    ends: "no",
    neverRaises: isTarget,
    excluded: (t) => t.no,
    refuted(t, [summary]) {
      const targets = (summary?.raises ?? []).filter(
        ({ exception, line }) =>
          isTarget(exception) && !(owed.has(line) && isA(program.exceptions, exception, "AssertionError")),
      );
      return [{ when: t.or(...targets.map(({ when }) => when)), place: undefined }];
    },
  };
}

/**
 * Makes the claim that a function meets its contract. Asserts at the very beginning, `require` and `pre:` are
 * preconditions that the caller must meet. All other conditions are obligations of the function.
 */
function contract(program: Program, definition: FunctionDef, allowed_exceptions: readonly string[]): Claim {
  checkDocumented(definition);
  const owed = preconditionLines(program, definition);
  const asserts = definition.body.filter(({ is, line }) => is === "Assert" && owed.has(line));
  if (callsItself({ ...definition, body: asserts }).length > 0)
    throw new Unsupported("preconditions that call the function itself", definition.line);
  const conditions = new Set(definition.decorator_list.map(({ line }) => line));
  // The exception does not matter: a precondition that can't be evaluated does not hold.
  const isPrecondition = ({ exception, line }: Pick<Summary["raises"][number], "exception" | "line">) =>
    exception === unmet || owed.has(line);
  // A failing assert violates the contract, even if the docstring declares its exception.
  const isAllowed = ({ exception }: Pick<Summary["raises"][number], "exception">) =>
    !isA(program.exceptions, exception, "AssertionError") &&
    allowed_exceptions.some((each) => isA(program.exceptions, exception, each));
  return {
    definitions: [definition],
    assumes: owed.size > 0 ? meanings.preconditions : [],
    ends: "all",
    by_invariants: { isOwed: (exception, line) => !isPrecondition({ exception, line }) && !isAllowed({ exception }) },
    neverRaises: () => false,
    excluded: (t, [summary]) =>
      t.or(
        ...(summary?.raises ?? [])
          .filter(isPrecondition)
          .map((each) => (conditions.has(each.line) ? brokenAnyway(t, each) : each.when)),
      ),
    refuted(t, [summary]) {
      const broken = (summary?.raises ?? [])
        .filter((each) => !isPrecondition(each) && !isAllowed(each))
        .map(({ when }) => when);
      const mistyped = (summary?.returns ?? []).map(({ when, value }) =>
        t.and(when, mismatch(t, program, value, definition.returns)),
      );
      return [{ when: t.or(...broken, ...mistyped), place: undefined }];
    },
  };
}

/** Returns the index of the first statement after the docstring and the asserts at the beginning. */
function endOfPreconditions({ body }: Pick<FunctionDef, "body">): number {
  const begin = body.findIndex((each) => each.is !== "Expr" || each.value.is !== "Constant");
  const end = body.findIndex(({ is }, i) => i >= begin && is !== "Assert");
  return end < 0 ? body.length : end;
}

function preconditionLines(program: Program, { body, decorator_list }: FunctionDef): Set<number> {
  const lines = new Set<number>();
  for (const each of decorator_list) if (contractOf(each, program.imports)?.kind === "require") lines.add(each.line);
  const end = endOfPreconditions({ body });
  const rest = body.slice(end);
  for (const { is, line } of body.slice(0, end)) if (is === "Assert") lines.add(line);
  // An assert is identified by its line, but calls and other statements on that line can raise AssertionError too.
  for (const { line } of statementsIn(rest))
    if (lines.has(line))
      throw new Unsupported("a precondition (assert) that shares its line with another statement", line);
  return lines;
}

/**
 * Returns the condition that a function returns a value that its annotation excludes. Recursive calls are assumed not
 * to do so.
 */
export function ofOtherType(
  t: Terms,
  program: Program,
  { returns: annotation }: FunctionDef,
  summary: Summary | undefined,
): Term {
  const [expected, ...more] = annotation ? typesOf(program, annotation) : [];
  if (!expected || more.length > 0) return t.yes;
  const others = (summary?.returns ?? []).flatMap(({ when, value }) =>
    value.filter(({ plain }) => !isExactly(typeOf(plain), expected)).map((choice) => t.and(when, choice.when)),
  );
  return t.or(...others);
}

function mismatch(t: Terms, program: Program, value: Value, annotation: Expression | null): Term {
  if (!annotation) return t.no;
  return t.or(
    ...value.filter(({ plain }) => !isReturnable(program, typeOf(plain), annotation)).map(({ when }) => when),
  );
}

/**
 * Whether an annotation of a result allows all values of a type. Such an annotation can allow more types than the prover
 * can represent.
 */
function isReturnable(program: Program, own: Type, annotation: Expression): boolean {
  const allows = (type: Type | undefined, node: Expression | undefined) =>
    !node || (type !== undefined && isReturnable(program, type, node));
  if (annotation.is === "BinOp" && annotation.op === "BitOr")
    return isReturnable(program, own, annotation.left) || isReturnable(program, own, annotation.right);
  const { name, inside } = genericOf(program, annotation);
  const [first, second] = inside;
  switch (name) {
    case "Any":
    case "object":
      return own.kind !== "unbound";
    case "Optional":
      return own.kind === "none" || allows(own, first);
    case "Union":
      return inside.some((each) => isReturnable(program, own, each));
    case "list":
      return own.kind === "list" && (!own.item || allows(own.item, first));
    case "dict":
      return own.kind === "dict" && (!own.key || (allows(own.key, first) && allows(own.value, second)));
    case "set":
      return own.kind === "set" && (!own.key || allows(own.key, first));
    case "tuple":
      if (annotation.is !== "Subscript" || isDots(second))
        return hasItems(own) && own.items.every((each) => allows(each, first));
      return (
        own.kind === "tuple" &&
        own.items.length === inside.length &&
        own.items.every((each, i) => allows(each, inside[i]))
      );
    case "Iterable":
    case "Sequence":
    case "Collection":
      return own.kind === "list" && (!own.item || allows(own.item, first));
  }
  return typesOf(program, annotation).some((type) => conforms(own, type));
}

/** Whether a type consists of tuples whose item types are known. */
function hasItems(type: Type): type is Extract<Type, { kind: "tuple" | "opaque" }> {
  return type.kind === "tuple" || (type.kind === "opaque" && isPlainTuple(type));
}

/**
 * Whether a value of one type is accepted as another type. bool is a subtype of int. Integers are accepted as floats,
 * as in type checkers and in the check of counterexamples. The empty list is a list of any type.
 */
function conforms(own: Type, expected: Type): boolean {
  if (own.kind === "bool" && expected.kind === "int") return true;
  if ((own.kind === "bool" || own.kind === "int") && expected.kind === "float") return true;
  if (expected.kind === "enum") return own.kind === "enum" && own.of === expected.of;
  if ((own.kind === "tuple" && expected.kind === "tuple") || (own.kind === "record" && expected.kind === "record"))
    return (
      (!expected.of || isInstanceOf(own.of, expected.of)) &&
      own.items.length === expected.items.length &&
      own.items.every((item, i) => conforms(item, expected.items[i] ?? { kind: "unbound" }))
    );
  if (own.kind === "list" && expected.kind === "list")
    return !own.item || (expected.item !== undefined && conforms(own.item, expected.item));
  if ((own.kind === "dict" || own.kind === "set") && own.kind === expected.kind)
    return [
      [own.key, expected.key],
      [own.value, expected.value],
    ].every(([a, b]) => !a || (b !== undefined && conforms(a, b)));
  // A value of which nothing is known can have any type.
  if (own.kind === "opaque" || expected.kind === "opaque")
    return own.kind === "opaque" && own.of !== "value" && typeText(own) === typeText(expected);
  return own.kind === expected.kind && own.kind !== "complex" && own.kind !== "unbound";
}

function unreached(definition: FunctionDef, target: Target): Claim {
  const key = target.kind === "line" ? `line ${target.line}` : outcomeKey(target, target.outcome);
  checkDocumented(definition);
  if (!isThere(definition, target)) throw new Unsupported("a target that is not in the function", target.line);
  return {
    definitions: [definition],
    assumes: definition.documented?.length ? meanings.preconditions : [],
    ends: "no",
    neverRaises: () => false,
    excluded: (t) => t.no,
    refuted: (_, [summary]) =>
      (summary?.reachable ?? []).filter((each) => each.key === key).map(({ when, place }) => ({ when, place })),
  };
}

/**
 * Whether the target exists in the function. Only a statement, or a test that runs record, can be proved unreachable.
 */
function isThere(definition: FunctionDef, target: Target): boolean {
  const statements = statementsIn(definition.body);
  if (target.kind === "line") return statements.some(({ line }) => line === target.line);
  const tests = statements.flatMap(testsOf);
  return tests.some((test) => outcomeKey(test, true) === outcomeKey(target, true));
}

function testsOf(statement: Statement): Expression[] {
  const inside = expressionsOf(statement)
    .flatMap(nodesIn)
    .flatMap((node) => {
      if (node.is === "IfExp") return [node.test];
      if (node.is === "ListComp" || node.is === "GeneratorExp") return node.generators.flatMap(({ ifs }) => ifs);
      return [];
    });
  return [...partsOfStatement(statement).tests, ...inside].flatMap(partsOfTest);
}

function partsOfTest(test: Expression): Expression[] {
  if (test.is === "BoolOp") return [test, ...test.values.flatMap(partsOfTest)];
  return test.is === "UnaryOp" && test.op === "Not" ? [test, ...partsOfTest(test.operand)] : [test];
}
