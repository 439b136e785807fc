/** Executes calls of methods and functions that are not modelled, and f-strings. */

import { BOOL } from "../../logic/term.ts";
import {
  always,
  bool,
  isPlainTuple,
  mayHoldFloats,
  NONE,
  type OpaqueType,
  type Plain,
  STR,
  type Type,
  text,
  typeOf,
  typeText,
  type Value,
} from "../../logic/values.ts";
import { partsOfExpression } from "../../python/children.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Call, Expression } from "../../python/tree.ts";
import { comprehension } from "../comprehensions.ts";
import type { Machine } from "../machine.ts";
import { binary } from "../operators/arithmetic.ts";
import { truth, truthOf } from "../operators/conversions.ts";
import { sequenceOf } from "../operators/lists.ts";
import type { State } from "../parts.ts";
import { assumeJoined } from "../ranges.ts";
import { stringOf } from "../sequences.ts";
import { closureOf } from "./closures.ts";
import { emptyDict } from "./displays.ts";
import { boxed, checkNoFloats, itemsOf, type Known, onEach, unknownResult } from "./functions.ts";
import { anything, entryOf, isHashable, unknownMembership } from "./operators.ts";
import { builtinFunction, checkOfText, importedFunction, isComparing, isReading, methodOfText } from "./signatures.ts";

type OneOf<Is extends Expression["is"]> = Extract<Expression, { is: Is }>;

/** Executes a call as an unknown function. Raises Unsupported unless the call is known to only read its arguments. */
export function unknownCall(m: Machine, state: State, node: Call, refusal: Unsupported): Value {
  const { func } = node;
  const imported = m.importedName(func);
  if (imported !== undefined) return ofModule(m, state, imported, node, refusal);
  if (func.is === "Attribute") return ofValue(m, state, func, node, refusal);
  if (func.is !== "Name" || !m.isBuiltin(func.id)) throw refusal;
  return ofPython(m, state, func.id, node, refusal);
}

/**
 * Returns the arguments in order, and what else distinguishes the call: the names of keyword arguments, and functions
 * that are passed.
 */
function argumentsOf(
  m: Machine,
  state: State,
  { args, keywords, line }: Call,
  isCalm?: Calm,
): { values: Value[]; names: string } {
  const values = args.map((each) =>
    each.is === "GeneratorExp" && isCalm ? listed(m, state, each, isCalm) : m.evaluate(state, each),
  );
  const names: string[] = [];
  for (const { arg, value } of keywords) {
    if (arg === null) throw new Unsupported("calls with `**`", line);
    const closure = arg === "key" ? closureOf(m, state, value) : undefined;
    names.push(closure ? `key=${closure.text}` : arg);
    values.push(...(closure ? closure.reads : [m.evaluate(state, value)]));
  }
  return { values, names: names.join(" ") };
}

/** Whether a consumer of a generator expression can't fail on an item of this type before it has taken all items. */
type Calm = (item: Type) => boolean;

/** Returns the list of what a generator expression yields, for a function that consumes it. */
function listed(m: Machine, state: State, node: Extract<Expression, { is: "GeneratorExp" }>, isCalm: Calm): Value {
  const value = comprehension(m, state, node);
  for (const { plain } of value) {
    const item = plain.kind === "sequence" ? plain.sequence.type.item : undefined;
    if (plain.kind !== "sequence" || (item && !isCalm(item)))
      throw new Unsupported("a generator expression as this argument", node);
  }
  return value;
}

/**
 * Functions that consume a generator, each with the item types for which it can't fail early. Some take all items
 * before they do anything else; others process each item immediately.
 */
const consumers: Readonly<Record<string, Calm>> = {
  list: () => true,
  tuple: () => true,
  sorted: () => true,
  ".join": () => true,
  set: isHashable,
  frozenset: isHashable,
  min: isOrdered,
  max: isOrdered,
  sum: ({ kind }) => kind === "float",
  dict: (item) => item.kind === "tuple" && item.items.length === 2 && item.items.slice(0, 1).every(isHashable),
};

function ofModule(m: Machine, state: State, name: string, node: Call, refusal: Unsupported, flags = ""): Value {
  const { values, names } = argumentsOf(m, state, node);
  return onEach(m, state, values, (operands, own) => {
    const found = importedFunction(name, typesText(operands, names));
    if (!found) throw refusal;
    if (name.startsWith("bisect.")) checkNoFloats(operands, node.line);
    // For bytes, these functions return bytes.
    const is_open = found.known?.result.kind === "str" && !operands.every(stringOf);
    const known = ofPattern(m, name, node, operands) ??
      (is_open ? undefined : found.known) ?? { result: anything(operands, found.has_identity) };
    const result = unknownResult(m, own, `${name}(${names})${flags}`, operands, known, node.line);
    if (name.startsWith("bisect.") && operands.length === 2 && names === "") assumePlace(m, operands, result);
    return result;
  });
}

/** Assumes that a search in a sequence returns a place in it, or its end. */
function assumePlace(m: Machine, [of]: readonly Plain[], [found]: Value): void {
  const { t } = m;
  const list = of && sequenceOf(of);
  const count = list?.length ?? (of?.kind === "opaque" && isPlainTuple(of.type) ? itemsOf(m, of).count : undefined);
  if (found?.plain.kind === "int" && count)
    m.facts.push(t.and(t.le(t.zero, found.plain.term), t.le(found.plain.term, count)));
}

/** The functions of `re` that are also methods of patterns, with the number of texts for which both do the same. */
const texts_of_patterns: ReadonlyMap<string, number> = new Map([
  ...["re.match", "re.fullmatch", "re.search", "re.split", "re.findall"].map((name) => [name, 1] as const),
  ["re.sub", 2],
]);

/** Returns what is known about a call of a function of `re` with a valid pattern, and with texts as arguments. */
function ofPattern(m: Machine, name: string, node: Call, operands: readonly Plain[]): Known | undefined {
  const [pattern, replacement] = node.args;
  const groups =
    pattern?.is === "Constant" && pattern.type === "str" ? m.program.patterns.get(pattern.value) : undefined;
  if (groups === undefined) return undefined;
  const count = 1 + (texts_of_patterns.get(name) ?? 0);
  if (node.keywords.length > 0 || operands.length !== count || !operands.every(stringOf)) return undefined;
  const raises = "nothing";
  // In a replacement, a backslash can refer to a group that does not exist.
  if (name === "re.sub")
    return replacement?.is === "Constant" && !replacement.value.includes("\\") ? { result: STR, raises } : undefined;
  if (name === "re.split" || name === "re.findall") {
    // Parts of a split can be None if there are groups; several groups are found as tuples.
    const of_texts = groups === 0 || (groups === 1 && name === "re.findall");
    const result: Type = of_texts ? { kind: "list", item: STR, view: "whole" } : anything(operands, true);
    return { result, raises };
  }
  return texts_of_patterns.has(name) ? { result: anything(operands, true), raises } : undefined;
}

function typesText(operands: readonly Plain[], names: string): string {
  return names === "" ? operands.map((each) => typeText(typeOf(each))).join(", ") : `with ${names}`;
}

function ofPython(m: Machine, state: State, name: string, node: Call, refusal: Unsupported): Value {
  const { line } = node;
  if (name === "isinstance") return isInstance(m, state, node);
  const has_key = node.keywords.some(({ arg }) => arg === "key");
  const is_item = node.args.length === 1 && node.keywords.every(({ arg }) => arg === "key");
  const isCalm =
    has_key && name !== "sorted" ? undefined : Object.hasOwn(consumers, name) ? consumers[name] : undefined;
  const { values, names } = argumentsOf(m, state, node, isCalm);
  return onEach(m, state, values, (operands, own) => {
    const found = builtinFunction(name, typesText(operands, names));
    if (!found) throw refusal;
    const [first] = operands;
    // What a function that is passed as an argument does with floats is not checked.
    if (names.includes("key=")) checkNoFloats(operands, line);
    if (name === "dict" && operands.length === 0) return emptyDict(m, own, line);
    // An argument passed by keyword is not in its parameter's place.
    const placed = names === "" ? operands.length : undefined;
    if (name === "str" && placed === 1 && first && stringOf(first)) return always(m.t, first);
    // The truth of a value of Python's own types raises nothing.
    if (name === "bool" && placed === 1 && first) return always(m.t, bool(truthOf(m, first, line)));
    if (isComparing(name) && !isListOfNumbers(name, operands)) checkNoFloats(operands, line);
    const known = {
      ...(found.known ?? { result: resultOf(name, operands, found.makes_floats, is_item) }),
      ...(placed !== undefined && raisesOf(name, operands)),
      ...(name === "format" && placed === 2 && first && formatRaises(first, node.args[1])),
    };
    return unknownResult(m, own, `${name}(${names})`, operands, known, line);
  });
}

/** Whether the argument is a list of floats to be ordered. Numbers are ordered by `<` alone. */
function isListOfNumbers(name: string, [first, ...more]: readonly Plain[]): boolean {
  const type = first && typeOf(first);
  return (
    ["sorted", "min", "max"].includes(name) && more.length === 0 && type?.kind === "list" && type.item?.kind === "float"
  );
}

const containers: ReadonlySet<string> = new Set(["list", "tuple", "set", "frozenset"]);

/** Returns what these builtins raise without an argument, or for an argument whose items have a known type. */
function raisesOf(name: string, [only, ...more]: readonly Plain[]): Pick<Known, "raises"> | undefined {
  if (!only && containers.has(name)) return { raises: "nothing" };
  const type = only && typeOf(only);
  if (!type || more.length > 0) return undefined;
  const is_sized = type.kind === "list" || type.kind === "str" || (type.kind === "opaque" && type.of !== "value");
  if (!is_sized) return undefined;
  if (name === "len" || name === "list" || name === "tuple") return { raises: "nothing" };
  const item = itemTypeOf(type);
  if (item && (name === "set" || name === "frozenset")) return { raises: isHashable(item) ? "nothing" : "TypeError" };
  if (!item || !isOrdered(item)) return undefined;
  if (name === "sorted") return { raises: "nothing" };
  return name === "min" || name === "max" ? { raises: "ValueError" } : undefined;
}

function isOrdered(type: Type): boolean {
  if (type.kind === "tuple") return type.items.every(isOrdered);
  return type.kind === "int" || type.kind === "bool" || type.kind === "float" || type.kind === "str";
}

function itemTypeOf(type: Type): Type | undefined {
  if (type.kind === "list") return type.item;
  if (type.kind === "str") return STR;
  return type.kind === "opaque" ? itemOf(type) : undefined;
}

/** Returns the type of these builtins' results. `is_item`: `min` and `max` return an item of their first argument. */
function resultOf(name: string, operands: readonly Plain[], makes_floats: boolean, is_item: boolean): Type {
  const [first, ...more] = operands;
  const type = first && typeOf(first);
  const item = type && itemTypeOf(type);
  const inside = item ? [item] : [];
  const floats = operands.some((each) => mayHoldFloats(typeOf(each)));
  if ((name === "sorted" || name === "list") && item) return { kind: "list", item, view: "whole" };
  if (name === "set" || name === "frozenset" || name === "tuple")
    return { kind: "opaque", of: name, items: inside, floats: floats && !item };
  if (name === "dict") return { kind: "opaque", of: "dict", items: [], floats };
  if ((name === "min" || name === "max") && is_item && item) return item;
  const [a, b] = [type?.kind, more[0]?.kind];
  if (name === "round" && b === "int" && (a === "int" || a === "float")) return { kind: a };
  if (name === "pow" && operands.length === 3 && operands.every(({ kind }) => kind === "int")) return { kind: "int" };
  return anything(operands, makes_floats);
}

function itemOf({ of, items }: OpaqueType): Type | undefined {
  return of === "value" || of === "bytes" ? undefined : items[0];
}

function isInstance(m: Machine, state: State, { args: [subject, classes, ...more], keywords, line }: Call): Value {
  const names = (classes?.is === "Tuple" ? classes.elts : [classes]).map((each) =>
    each?.is === "Name" && m.isBuiltin(each.id) && own_types.has(each.id) ? each.id : undefined,
  );
  if (!subject || more.length > 0 || keywords.length > 0 || names.includes(undefined))
    throw new Unsupported("isinstance with classes other than Python's own", line);
  return onEach(m, state, [m.evaluate(state, subject)], (operands, own) =>
    unknownResult(
      m,
      own,
      `isinstance ${names.toSorted()}`,
      operands,
      { result: { kind: "bool" }, raises: "nothing" },
      line,
    ),
  );
}

const own_types: ReadonlySet<string> = new Set(
  "int bool float complex str bytes list tuple dict set frozenset".split(" "),
);

/** Executes a method of a value that changes nothing. */
function ofValue(
  m: Machine,
  state: State,
  { attr, value }: OneOf<"Attribute">,
  node: Call,
  refusal: Unsupported,
): Value {
  const { line } = node;
  const pattern =
    value.is === "Name" && m.variableOf(value.id) === undefined ? m.program.compiled.get(value.id) : undefined;
  if (pattern) {
    // Any further argument is a position for the method, but flags for the function.
    const { args, keywords } = node;
    if (args.length !== texts_of_patterns.get(`re.${attr}`) || keywords.length > 0) throw refusal;
    return ofModule(m, state, `re.${attr}`, { ...node, args: [pattern.literal, ...args] }, refusal, pattern.flags);
  }
  if (!isReading(attr) || (attr === "format" && !printsArguments(value))) throw refusal;
  const receiver = m.evaluate(state, value);
  // Python looks up the method before it evaluates the arguments.
  onEach(m, state, [receiver], (operands, own) => {
    const [self = NONE] = operands;
    if (!hasMethod(typeOf(self), attr))
      m.raise(own, m.t.apply(`~lacks .${attr}`, [boxed(m.t, self)], BOOL), "AttributeError", line);
    return always(m.t, self);
  });
  const { values, names } = argumentsOf(m, state, node, attr === "join" ? consumers[".join"] : undefined);
  return onEach(m, state, [receiver, ...values], ([self = NONE, ...operands], own) => {
    const type = typeOf(self);
    if (type.kind === "opaque" && type.of === "dict" && names === "") {
      const known = ofDict(m, own, attr, self, operands, type, line);
      if (known) return known;
    }
    const types = typesText(operands, names);
    const encodes = attr === "encode" && names === "" && operands.length === 1 && isCodec(node.args[0]);
    const known: Known = (stringOf(self) && methodOfText(attr, encodes ? "" : types)) || {
      result: resultOfMethod(attr, self, operands),
    };
    if (isComparing(attr) && !stringOf(self)) checkNoFloats([self, ...operands], line);
    if (stringOf(self) && names === "") checkOfText(m, own, attr, operands, line);
    const result = unknownResult(m, own, `.${attr}(${names})`, [self, ...operands], known, line);
    const [separator, texts, joined] = [self, operands[0], result[0]?.plain].map((each) => each && sequenceOf(each));
    if (attr === "join" && m.plan.by_invariants && separator && texts?.type.item?.kind === "str" && joined)
      assumeJoined(m, own, separator, texts, joined);
    return result;
  });
}

/** Whether an expression is the name of a codec that Python has everywhere, and that encodes texts. */
function isCodec(node: Expression | undefined): boolean {
  return node?.is === "Constant" && node.type === "str" && ["ascii", "latin-1", "utf-8", "utf8"].includes(node.value);
}

/** Whether a format prints only its arguments: an attribute of one can be a method, whose text contains an address. */
function printsArguments(format: Expression): boolean {
  return format.is === "Constant" && format.type === "str" && !/\{[^{}:!]*[.[]/.test(format.value);
}

/** Whether all values of a type certainly have a method. */
function hasMethod(type: Type, attr: string): boolean {
  if (type.kind === "str") return methodOfText(attr, "") !== undefined;
  if (type.kind === "list") return ["copy", "count", "index"].includes(attr);
  return type.kind === "opaque" && type.of === "dict" && ["copy", "get", "keys", "values", "items"].includes(attr);
}

/** Methods whose results are compared by identity. */
const with_identity: ReadonlySet<string> = new Set(
  "match fullmatch search keys values items as_integer_ratio".split(" "),
);

function resultOfMethod(attr: string, self: Plain, operands: readonly Plain[]): Type {
  const type = typeOf(self);
  if (attr === "copy" && type.kind === "list") return type;
  if (attr === "copy" && type.kind === "opaque") return type;
  return anything([self, ...operands], with_identity.has(attr));
}

/** Executes `get` and the methods that return a view of a dict. */
function ofDict(
  m: Machine,
  state: State,
  attr: string,
  self: Plain,
  operands: readonly Plain[],
  type: OpaqueType,
  line: number,
): Value | undefined {
  const [key = NONE, otherwise = NONE] = operands;
  if (attr === "get" && (operands.length === 1 || operands.length === 2)) {
    const is_there = truth(m, unknownMembership(m, state, key, self, line), line);
    const found = entryOf(m, self, key, type).map((each) => ({ ...each, when: m.t.and(is_there, each.when) }));
    return [...found, { when: m.t.not(is_there), plain: otherwise }];
  }
  if (operands.length > 0 || !["keys", "values", "items"].includes(attr)) return undefined;
  const [k, v] = type.items;
  const item: Type | undefined =
    attr === "keys" ? k : attr === "values" ? v : k && v && { kind: "tuple", items: [k, v] };
  const floats = attr === "values" || (!item && type.floats);
  const result: Type = { kind: "opaque", of: "view", items: item ? [item] : [], floats };
  return unknownResult(m, state, `.${attr}()`, [self], { result, raises: "nothing" }, line);
}

/** Executes an f-string. Each part is formatted before the next one is evaluated. */
export function unknownText(m: Machine, state: State, node: OneOf<"JoinedStr">): Value {
  let whole: Value = always(m.t, text(m.t, ""));
  for (const part of node.values) {
    const next = part.is === "FormattedValue" ? formatted(m, state, part) : m.evaluate(state, part);
    if (state.live === m.t.no) return m.nothing();
    whole = binary(m, state, "Add", whole, next, node.line);
  }
  return whole;
}

const conversions: Readonly<Record<number, string>> = { 115: "str", 114: "repr", 97: "ascii" };

/**
 * Formats a part of an f-string. Without a format specification, `format` behaves like `str` for Python's own types.
 */
function formatted(m: Machine, state: State, { value, conversion, format_spec, line }: OneOf<"FormattedValue">): Value {
  const how = conversions[conversion];
  // Whether the conversion or the specification is evaluated first depends on the Python version.
  if (how && format_spec && partsOfExpression(format_spec).some(({ is }) => is !== "Constant"))
    throw new Unsupported("a conversion and a computed specification in one f-string", line);
  const subject = m.evaluate(state, value);
  const converted = how === undefined ? subject : printed(m, state, how, subject, line);
  if (!format_spec) return how === undefined ? printed(m, state, "str", converted, line) : converted;
  const specification = m.evaluate(state, format_spec);
  return onEach(m, state, [converted, specification], (operands, own) => {
    const [first = NONE] = operands;
    return unknownResult(m, own, "format()", operands, { result: STR, ...formatRaises(first, format_spec) }, line);
  });
}

/** What the formats of numbers and strings raise, by the type of the value. A decimal number can have too many digits. */
const formats: Readonly<Record<string, readonly (readonly [RegExp, "nothing" | "ValueError"])[]>> = {
  int: [
    [/^(.?[<>=^])?[-+ ]?#?(0|[1-9]\d{0,2}|0[1-9]\d{0,2})?_?[boxX]$/su, "nothing"],
    [/^(.?[<>=^])?[-+ ]?(0|[1-9]\d{0,2}|0[1-9]\d{0,2})?[,_]?d?$/su, "ValueError"],
  ],
  float: [[/^(.?[<>=^])?[-+ ]?(0|[1-9]\d{0,2}|0[1-9]\d{0,2})?[,_]?(\.\d{1,3})?[eEfFgG%]$/su, "nothing"]],
  str: [[/^(.?[<>^])?([1-9]\d{0,2})?(\.\d{1,3})?s?$/su, "nothing"]],
};

/** Returns what formatting a value raises, if the specification is a constant that suits the value. */
function formatRaises(value: Plain, specification: Expression | undefined): Pick<Known, "raises"> | undefined {
  if (!specification) return undefined;
  const parts = specification.is === "JoinedStr" ? specification.values : [specification];
  const texts = parts.flatMap((each) => (each.is === "Constant" && each.type === "str" ? each.value : []));
  const kind = typeOf(value).kind;
  const known = Object.hasOwn(formats, kind) && texts.length === parts.length ? formats[kind] : undefined;
  const found = known?.find(([form]) => form.test(texts.join("")));
  return found && { raises: found[1] };
}

function printed(m: Machine, state: State, how: string, value: Value, line: number): Value {
  return onEach(m, state, [value], (operands, own) => {
    const [first] = operands;
    if (how === "str" && first && stringOf(first)) return always(m.t, first);
    const known = builtinFunction(how, typesText(operands, ""))?.known ?? { result: STR };
    return unknownResult(m, own, `${how}()`, operands, known, line);
  });
}
