/** Evaluates expressions in Python's order. Each one has a value, or ends the state with an exception. */

import type { Term } from "../logic/term.ts";
import {
  always,
  bool,
  float,
  join,
  listOf,
  merge,
  NONE,
  type Plain,
  partsOf,
  type Sequence,
  type Type,
  text,
  typeOf,
  typeText,
  type Value,
} from "../logic/values.ts";
import { termOf } from "../python/construct_names.ts";
import type { Display } from "../python/program.ts";
import { Unsupported } from "../python/refusal.ts";
import type { BoolOp, Compare, CompareOp, Expression, Subscript } from "../python/tree.ts";
import { viewIn } from "./builtins/iterables.ts";
import { callExpression } from "./calls.ts";
import { attributeOf } from "./classes.ts";
import { comprehension } from "./comprehensions.ts";
import { itemIs, search } from "./iteration.ts";
import type { Machine } from "./machine.ts";
import { dictDisplay, mappingComprehension, setDisplay } from "./mapping_displays.ts";
import { attempt } from "./opaque/attempt.ts";
import { unknownCall, unknownText } from "./opaque/calls.ts";
import { unknownComprehension } from "./opaque/changes.ts";
import { unknownDict, unknownList, unknownSet, unknownSlice } from "./opaque/displays.ts";
import { onEach } from "./opaque/functions.ts";
import { withGenerators } from "./opaque/generators.ts";
import { compareAny, operate, operateOne, unknownItem, unknownMembership } from "./opaque/operators.ts";
import { compare } from "./operators/comparison.ts";
import { constant, truth } from "./operators/conversions.ts";
import { index, withOwnItems } from "./operators/lists.ts";
import { containsKey, entryAt } from "./operators/mappings.ts";
import type { State } from "./parts.ts";
import { isAmong, isAmongValues, isShort, occursIn, samePermutation } from "./ranges.ts";
import { placesFor, standsAt, stringOf } from "./sequences.ts";
import { slice } from "./slices.ts";

/** Evaluates an expression. Raises Unsupported. */
export function evaluate(m: Machine, state: State, node: Expression): Value {
  try {
    return m.program.congruent && isOpen(node) ? evaluatedOrUnknown(m, state, node) : evaluated(m, state, node);
  } catch (error) {
    if (error instanceof Unsupported) error.runningIn(node);
    throw error;
  }
}

/** Expressions that become unknown functions of their parts if they are not modelled. */
type Open = Extract<
  Expression,
  { is: "Call" | "JoinedStr" | "List" | "Set" | "Dict" | "SetComp" | "DictComp" | "Subscript" }
>;

function isOpen(node: Expression): node is Open {
  return ["Call", "JoinedStr", "List", "Set", "Dict", "SetComp", "DictComp", "Subscript"].includes(node.is);
}

function evaluatedOrUnknown(m: Machine, state: State, original: Open): Value {
  const node = original.is === "Call" ? withGenerators(m, original) : original;
  const known = m.unmodelled.get(original);
  const exact = known ?? attempt(m, state, () => evaluated(m, state, node));
  if (!(exact instanceof Unsupported)) return exact;
  m.unmodelled.set(original, exact);
  m.step(node.line);
  if (state.live === m.t.no) return m.nothing();
  switch (node.is) {
    case "Call":
      return unknownCall(m, state, node, exact);
    case "JoinedStr":
      return unknownText(m, state, node);
    case "List":
      return unknownList(m, state, node.elts);
    case "Set":
      return unknownSet(m, state, node.elts, node.line);
    case "Dict":
      return unknownDict(m, state, node);
    case "SetComp":
    case "DictComp":
      return unknownComprehension(m, state, node);
    case "Subscript":
      if (node.slice.is !== "Slice") throw exact;
      return unknownSlice(m, state, node.value, node.slice);
    default:
      return node satisfies never;
  }
}

function evaluated(m: Machine, state: State, node: Expression): Value {
  m.step(node.line);
  if (state.live === m.t.no) return m.nothing();
  switch (node.is) {
    case "Constant":
      return always(m.t, constant(m, node));
    case "Name":
      return readName(m, state, node.id, node.line);
    case "BoolOp":
      return boolOp(m, state, node.op, node.values, node.line);
    case "UnaryOp":
      return operateOne(m, state, node.op, evaluate(m, state, node.operand), node.line);
    case "BinOp": {
      const left = evaluate(m, state, node.left);
      const right = evaluate(m, state, node.right);
      return operate(m, state, node.op, left, right, node);
    }
    case "Compare":
      return comparison(m, state, node);
    case "IfExp": {
      const condition = test(m, state, node.test);
      const results = m.branch(
        state,
        condition,
        (own) => evaluate(m, own, node.body),
        (own) => evaluate(m, own, node.orelse),
      );
      return merge(m.t, condition, results.yes ?? m.nothing(), results.no ?? m.nothing());
    }
    case "Tuple":
      return display(m, state, node.elts, (items) => ({ kind: "tuple", items }));
    case "List":
      return display(m, state, node.elts, (items) => listDisplay(m, items, node.line));
    case "Subscript":
      return subscript(m, state, node);
    case "ListComp":
      return comprehension(m, state, node);
    case "Call":
      return callExpression(m, state, node);
    case "Attribute":
      return attribute(m, state, node);
    case "GeneratorExp":
      throw new Unsupported(
        `${termOf(node)} other than as the argument of list, sorted, sum, min, max, any or all`,
        node,
      );
    case "JoinedStr":
      throw new Unsupported(`${termOf(node)} other than as the message of an exception`, node);
    case "Set":
      if (!m.program.mappings) throw new Unsupported(only_sets, node);
      return setDisplay(m, state, node);
    case "Dict":
      if (!m.program.mappings) throw new Unsupported(termOf(node), node);
      return dictDisplay(m, state, node);
    case "SetComp":
    case "DictComp":
      if (!m.program.mappings) throw new Unsupported(termOf(node), node);
      return mappingComprehension(m, state, node);
    case "Slice":
    case "Lambda":
    case "FormattedValue":
    case "Other":
      throw new Unsupported(termOf(node), node);
    default:
      return node satisfies never;
  }
}

const only_sets = "set displays other than a set of constants after `in`";

function readName(m: Machine, state: State, name: string, line: number): Value {
  const variable = m.variableOf(name);
  if (variable === undefined) return readGlobal(m, state, name, line);
  const value = state.variables.get(variable) ?? m.nothing();
  for (const { when, plain } of value) for (const part of [when, ...partsOf(plain)]) m.context.reads.add(part);
  const unbound = value.find(({ plain }) => plain.kind === "unbound");
  if (!unbound) return value;
  m.raise(state, unbound.when, isLocal(m, name) ? "UnboundLocalError" : "NameError", line);
  const bound = value.filter((each) => each !== unbound);
  return bound.length > 0 ? bound : m.nothing();
}

/** Whether a variable belongs to the running function or comprehension, and not to an enclosing one. */
function isLocal(m: Machine, name: string): boolean {
  const { scopes } = m.frame;
  const owner = scopes.findLastIndex(({ names }) => names.has(name));
  return !scopes.slice(owner + 1).some(({ nested }) => nested);
}

function readGlobal(m: Machine, state: State, name: string, line: number): Value {
  const known = m.program.constants.get(name);
  if (known) return always(m.t, constant(m, known));
  const table = m.program.tables.get(name);
  if (table) return m.evaluate(state, table);
  const imported = importedConstant(m, m.program.imports.get(name));
  if (imported) return imported;
  throw new Unsupported(`the name ${name} as a value (only local variables, and global constants)`, line);
}

function attribute(m: Machine, state: State, node: Extract<Expression, { is: "Attribute" }>): Value {
  const known = importedConstant(m, m.importedName(node));
  if (!known && m.program.classes.size > 0 && !m.importedName(node)) return attributeOf(m, state, node);
  if (!known) throw new Unsupported(`the attribute ${node.attr} (only constants of math and string)`, node);
  return known;
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const texts: Readonly<Record<string, string>> = {
  "string.ascii_lowercase": letters,
  "string.ascii_uppercase": letters.toUpperCase(),
  "string.ascii_letters": letters + letters.toUpperCase(),
  "string.digits": "0123456789",
  "string.hexdigits": "0123456789abcdefABCDEF",
  "string.octdigits": "01234567",
  "string.punctuation": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
  "string.whitespace": " \t\n\r\v\f",
};

function importedConstant(m: Machine, name: string | undefined): Value | undefined {
  const constants: Readonly<Record<string, number>> = {
    "math.pi": Math.PI,
    "math.e": Math.E,
    "math.inf": Number.POSITIVE_INFINITY,
    "math.nan": Number.NaN,
  };
  if (name === undefined) return undefined;
  if (Object.hasOwn(texts, name)) return always(m.t, text(m.t, texts[name] ?? ""));
  const value = constants[name];
  return value === undefined ? undefined : always(m.t, float(m.t.float(value)));
}

/** Evaluates a test and records its outcomes. The parts of `and`, `or` and `not` are tests too. */
export function test(m: Machine, state: State, node: Expression): Term {
  const value = node.is === "BoolOp" ? boolTest(m, state, node) : plainTest(m, state, node);
  m.recordOutcome(node, true, state, value);
  m.recordOutcome(node, false, state, value);
  return value;
}

function plainTest(m: Machine, state: State, node: Expression): Term {
  if (node.is === "UnaryOp" && node.op === "Not") return m.t.not(test(m, state, node.operand));
  const value = evaluate(m, state, node);
  return state.live === m.t.no ? m.t.no : truth(m, value, node.line);
}

/** Evaluates `and` or `or` in a test. Only the truth counts, so the operands themselves are not returned. */
function boolTest(m: Machine, state: State, node: Extract<Expression, { is: "BoolOp" }>): Term {
  const { t } = m;
  const [first, ...rest] = node.values;
  if (!first) return t.yes;
  const every = node.op === "And";
  const value = test(m, state, first);
  if (rest.length === 0) return value;
  const after = (own: State) => boolTest(m, own, { ...node, values: rest });
  const results = every ? m.branch(state, value, after, () => t.no) : m.branch(state, value, () => t.yes, after);
  return t.ite(value, results.yes ?? t.no, results.no ?? t.no);
}

/** Evaluates `and` or `or` to one of the operands itself, as Python does, and not to its truth. */
function boolOp(m: Machine, state: State, op: BoolOp, values: readonly Expression[], line: number): Value {
  const [first, ...rest] = values;
  if (!first) return m.nothing();
  const left = evaluate(m, state, first);
  if (rest.length === 0 || state.live === m.t.no) return left;
  const condition = truth(m, left, line);
  const after = (own: State) => boolOp(m, own, op, rest, line);
  const keep = () => left;
  const results = op === "And" ? m.branch(state, condition, after, keep) : m.branch(state, condition, keep, after);
  return merge(m.t, condition, results.yes ?? m.nothing(), results.no ?? m.nothing());
}

/** Evaluates a comparison chain. Each operand is evaluated once, and evaluation stops at the first false comparison. */
function comparison(m: Machine, state: State, node: Compare): Value {
  const [only, second] = node.comparators;
  const same =
    m.plan.by_invariants && node.ops[0] === "Eq" && only && !second
      ? samePermutation(m, state, node.left, only)
      : undefined;
  if (same) return always(m.t, bool(same));
  const left = evaluate(m, state, node.left);
  return chain(m, state, left, node.ops, node.comparators, node.line);
}

function chain(
  m: Machine,
  state: State,
  left: Value,
  ops: readonly CompareOp[],
  comparators: readonly Expression[],
  line: number,
): Value {
  const [op, ...more_ops] = ops;
  const [next, ...more] = comparators;
  if (op === undefined || !next) throw new Error("a comparison compares");
  const searches = op === "In" || op === "NotIn";
  if (next.is === "Set" && !m.program.congruent && !m.program.mappings && (!searches || more.length > 0))
    throw new Unsupported(only_sets, next);
  const view = searches && m.program.mappings && more.length === 0 ? viewIn(next) : undefined;
  if (view && view.what !== "keys") {
    const among = isAmongValues(m, state, left, next, line);
    return always(m.t, bool(op === "In" ? among : m.t.not(among)));
  }
  const elements = searches && more.length === 0 ? elementsIn(m, next) : undefined;
  const right = evaluate(m, state, (elements && constants(left, elements)) ?? next);
  const value = searches ? contains(m, state, op, left, right, line) : compareAny(m, state, op, left, right, line);
  if (more.length === 0 || state.live === m.t.no) return value;
  const condition = truth(m, value, line);
  const results = m.branch(
    state,
    condition,
    (own) => chain(m, own, right, more_ops, more, line),
    () => value,
  );
  return merge(m.t, condition, results.yes ?? m.nothing(), results.no ?? m.nothing());
}

/** Returns a display of what a set display or a global frozenset contains. */
function elementsIn(m: Machine, node: Expression): Display | undefined {
  if (node.is === "Set") return node;
  return node.is === "Name" && m.variableOf(node.id) === undefined ? m.program.frozensets.get(node.id) : undefined;
}

/** Returns a set of constants as a tuple. For hashable values without NaN, membership in both is the same. */
function constants(left: Value, { elts, ...place }: Display): Expression | undefined {
  const has_hash = left.every(({ plain }) => isHashed(plain));
  const are_plain = elts.every((each) => each.is === "Constant" && ["int", "bool", "str", "none"].includes(each.type));
  if (!has_hash || !are_plain) return undefined;
  return { ...place, is: "Tuple", elts };
}

function isHashed(plain: Plain): boolean {
  return stringOf(plain) !== undefined || ["int", "bool", "none", "unbound"].includes(plain.kind);
}

/** Evaluates `in` for a tuple, or for a list by a loop. */
function contains(m: Machine, state: State, op: "In" | "NotIn", item: Value, container: Value, line: number): Value {
  return onEach(m, state, [container, item], ([inside = NONE, plain = NONE], own) => {
    const exact = m.program.congruent
      ? attempt(m, own, () => containsPlain(m, own, plain, inside, line))
      : containsPlain(m, own, plain, inside, line);
    const value = exact instanceof Unsupported ? unknownMembership(m, own, plain, inside, line) : exact;
    return op === "In" ? value : always(m.t, bool(m.t.not(truth(m, value, line))));
  });
}

function containsPlain(m: Machine, state: State, plain: Plain, inside: Plain, line: number): Value {
  const { t } = m;
  if (inside.kind === "tuple") {
    const any = inside.items.map((each) => {
      if (each.kind === "float" || plain.kind === "float") throw new Unsupported("`in` with floats", line);
      const result = compare(m, state, "Eq", always(t, plain), always(t, each), line);
      return truth(m, result, line);
    });
    return always(t, bool(t.or(...any)));
  }
  if (inside.kind === "mapping") return always(t, bool(containsKey(m, inside.mapping, plain, line)));
  if (inside.kind !== "sequence" || plain.kind === "opaque")
    throw new Unsupported(`\`in\` with a container of type ${typeText(typeOf(inside))}`, line);
  return always(t, bool(within(m, state, plain, inside.sequence, line)));
}

/** Evaluates `in` for a list, or for a string, which is searched for a substring. */
function within(m: Machine, state: State, plain: Plain, of: Sequence, line: number): Term {
  const { t } = m;
  if (of.type.kind === "list" && m.plan.by_invariants) return isAmong(m, state, plain, of, line);
  if (of.type.kind === "list") return search(m, state, of.length, line, itemIs(m, plain, of, line));
  const part = stringOf(plain);
  if (part && (m.plan.by_invariants || (part.length === t.one && isShort(of.length))))
    return occursIn(m, state, part, of, line);
  if (part) return search(m, state, placesFor(m, part, of), line, (place) => standsAt(m, part, of, place));
  m.raise(state, t.yes, "TypeError", line);
  return t.no;
}

/**
 * Makes a tuple or list of the given items. If an item can have several types, there is one value per combination of
 * types.
 */
function display(
  m: Machine,
  state: State,
  elements: readonly Expression[],
  make: (items: readonly Plain[]) => Plain,
): Value {
  const values = elements.map((each) => evaluate(m, state, each));
  const combine = (items: readonly Plain[], rest: readonly Value[]): Value => {
    const [first, ...more] = rest;
    if (!first) return always(m.t, make(items));
    return m.eachOf(state, first, (plain) => combine([...items, plain], more));
  };
  return combine([], values);
}

function listDisplay(m: Machine, given: readonly Plain[], line: number): Plain {
  const items = given.map((each) => withOwnItems(m, each));
  const [first, ...rest] = items.map(typeOf);
  const item = rest.reduce<Type | undefined>((a, b) => a && join(a, b), first);
  if (items.length > 0 && (!item || items.some((each) => typeText(typeOf(each)) !== typeText(item))))
    throw new Unsupported("list displays whose items have several types", line);
  return listOf(m.t, { kind: "list", item, view: "whole" }, items);
}

function subscript(m: Machine, state: State, node: Subscript): Value {
  const of = evaluate(m, state, node.value);
  if (node.slice.is === "Slice") return slice(m, state, of, node.slice);
  const at = evaluate(m, state, node.slice);
  return itemAt(m, state, of, at, node.line);
}

/** Evaluates `of[at]`. */
export function itemAt(m: Machine, state: State, of: Value, at: Value, line: number): Value {
  return m.eachOf(state, of, (plain, own) =>
    m.eachOf(own, at, (place, both) => itemOrUnknown(m, both, plain, place, line)),
  );
}

function itemOrUnknown(m: Machine, state: State, of: Plain, place: Plain, line: number): Value {
  if (!m.program.congruent) return item(m, state, of, place, line);
  const exact = attempt(m, state, () => item(m, state, of, place, line));
  return exact instanceof Unsupported ? unknownItem(m, state, of, place, line) : exact;
}

function item(m: Machine, state: State, of: Plain, place: Plain, line: number): Value {
  const { t } = m;
  if (of.kind === "mapping") return entryAt(m, state, of.mapping, place, line);
  const at = place.kind === "int" ? place.term : place.kind === "bool" ? t.ite(place.term, t.one, t.zero) : undefined;
  if (!at || (of.kind !== "tuple" && of.kind !== "sequence")) {
    const known = of.kind === "tuple" || of.kind === "sequence" ? place : of;
    if (known.kind !== "none" && known.kind !== "float" && known.kind !== "int" && known.kind !== "bool")
      throw new Unsupported(`indices of type ${typeText(typeOf(place))}`, line);
    m.raise(state, t.yes, "TypeError", line);
    return m.nothing();
  }
  if (of.kind === "sequence") return index(m, state, of.sequence, at, line);
  const { value } = at;
  const length = of.items.length;
  if (typeof value !== "bigint") throw new Unsupported("an item of a tuple at an index that is not a constant", line);
  const element = of.items[Number(value < 0n ? value + BigInt(length) : value)];
  if (element) return always(t, element);
  m.raise(state, t.yes, "IndexError", line);
  return m.nothing();
}
