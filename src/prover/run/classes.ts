/** Executes code that uses the program's own classes: creates objects, reads attributes and calls methods. */

import {
  always,
  classOf,
  listOf,
  merge,
  type Plain,
  type Type,
  typeOf,
  typeText,
  UNBOUND,
  type Value,
} from "../logic/values.ts";
import { type Class, isInstanceOf, type Method } from "../python/classes.ts";
import { unmet } from "../python/exceptions.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, Expression } from "../python/tree.ts";
import { argumentValues } from "./arguments.ts";
import type { Machine } from "./machine.ts";
import { byChoice, combined, fieldOf, isChanged, newObject, recordOf } from "./objects.ts";
import { equals } from "./operators/comparison.ts";
import { constant } from "./operators/conversions.ts";
import { fieldName, type State } from "./parts.ts";

type Attribute = Extract<Expression, { is: "Attribute" }>;

/** Returns the class that a name refers to here. */
export function classNamed(m: Machine, state: State, node: Expression): Class | undefined {
  if (node.is !== "Name") return undefined;
  const variable = m.variableOf(node.id);
  if (variable === undefined) return m.program.classes.get(node.id);
  const [only, second] = state.variables.get(variable) ?? [];
  return only?.plain.kind === "class" && !second ? only.plain.of : undefined;
}

/** Reads an attribute of one of the program's classes, or of an object. */
export function attributeOf(m: Machine, state: State, { value, attr, line }: Attribute): Value {
  const of = classNamed(m, state, value);
  if (of) return classAttribute(m, of, attr, line);
  return byChoice(m, state, m.evaluate(state, value), (plain, own) => attributeOfPlain(m, own, plain, attr, line));
}

function classAttribute(m: Machine, of: Class, attr: string, line: number): Value {
  const member = of.member_numbers.get(attr);
  if (member !== undefined) return always(m.t, memberOf(m, of, member));
  const known = of.constants.get(attr);
  if (!known || of.methods.has(attr)) throw new Unsupported(`the attribute ${attr} of the class ${of.name}`, line);
  return always(m.t, constant(m, known));
}

function memberOf({ t }: Machine, of: Class, number: number): Plain {
  return { kind: "enum", of, term: t.int(BigInt(number)) };
}

/** Returns all members of an enumeration, in order. */
export function membersOf(m: Machine, of: Class): Value {
  return always(m.t, { kind: "tuple", items: of.members.map((_, i) => memberOf(m, of, i)) });
}

/** Reads an attribute of a value that has a single type. */
export function attributeOfPlain(m: Machine, state: State, plain: Plain, attr: string, line: number): Value {
  const of = classOf(plain);
  if (attr.startsWith("__") || (!of && plain.kind !== "none"))
    throw new Unsupported(`the attribute ${attr} of a value of type ${typeText(typeOf(plain))}`, line);
  if (plain.kind === "enum" && (attr === "value" || attr === "name")) return memberPart(m, plain, attr);
  const method = of?.methods.get(attr);
  if (method?.kind === "property") return m.call(state, method.definition, [always(m.t, plain)], line);
  if (method) throw new Unsupported(`methods as values (${attr})`, line);
  const field = fieldOf(m, state, plain, attr, line);
  if (field) return field;
  const known = of?.constants.get(attr);
  if (known) return always(m.t, constant(m, known));
  if (attr.startsWith("_") || plain.kind === "tuple" || plain.kind === "enum")
    throw new Unsupported(`the attribute ${attr} of a value of type ${typeText(typeOf(plain))}`, line);
  m.raise(state, m.t.yes, "AttributeError", line);
  return m.nothing();
}

function memberPart(m: Machine, { of, term }: Extract<Plain, { kind: "enum" }>, part: "name" | "value"): Value {
  const { t } = m;
  return of.members
    .map(({ name, value }) => always(t, constant(m, part === "value" ? value : { ...value, type: "str", value: name })))
    .reduceRight((rest, own, i) => merge(t, t.eq(term, t.int(BigInt(i))), own, rest));
}

/** Executes a call of a class: creates an object, or returns the member of an enumeration that has the given value. */
export function callClass(m: Machine, state: State, of: Class, node: Call): Value {
  const { t } = m;
  const { line } = node;
  if (of.kind === "enum") return memberWith(m, state, of, node);
  if (of.kind === "plain") return made(m, state, of, node);
  const values = fieldValues(m, state, of, node);
  if (state.live === t.no) return m.nothing();
  if (of.kind === "tuple") return combined(m, values, (items) => ({ kind: "tuple", items, of }), line);
  const after = of.methods.get("__post_init__");
  if (!after && !isChanged(m, of)) return combined(m, values, (items) => ({ kind: "record", items, of }), line);
  const object = newObject(m, state, of);
  of.fields.forEach(({ name }, i) => {
    state.variables.set(fieldName(object.id, name), values[i] ?? []);
  });
  if (after) m.call(state, after.definition, [always(t, object)], line);
  return finished(m, state, object, line);
}

function finished(m: Machine, state: State, object: Extract<Plain, { kind: "object" }>, line: number): Value {
  if (state.live === m.t.no) return m.nothing();
  return isChanged(m, object.of) ? always(m.t, object) : recordOf(m, state, object, line);
}

/** Creates an object of a class with an `__init__`. */
function made(m: Machine, state: State, of: Class, node: Call): Value {
  const init = of.methods.get("__init__");
  if (!init && (node.args.length > 0 || node.keywords.length > 0 || of.fields.length > 0))
    throw new Unsupported(`calls of the class ${of.name}, which has no \`__init__\``, node.line);
  const object = newObject(m, state, of);
  if (init) {
    const args = argumentValues(m, state, init.definition, node, always(m.t, object));
    if (state.live === m.t.no) return m.nothing();
    m.call(state, init.definition, args, node.line);
  }
  return finished(m, state, object, node.line);
}

/** Returns the values of the fields, in order. The arguments are evaluated in the order in which they are written. */
function fieldValues(m: Machine, state: State, of: Class, node: Call): Value[] {
  const { fields } = of;
  const known = new Map<string, Value>();
  for (const [i, arg] of node.args.entries()) {
    const field = fields[i];
    if (!field) throw new Unsupported(`a call of ${of.name} with too many arguments`, node.line);
    known.set(field.name, m.evaluate(state, arg));
  }
  for (const { arg, value } of node.keywords) {
    if (arg === null || known.has(arg) || !fields.some(({ name }) => name === arg))
      throw new Unsupported(`a call of ${of.name} with keyword arguments that do not match its fields`, node.line);
    known.set(arg, m.evaluate(state, value));
  }
  return fields.map(({ name, default: value }) => {
    const own = known.get(name);
    if (own) return own;
    if (value === "list") return always(m.t, listOf(m.t, { kind: "list", item: undefined, view: "whole" }, []));
    if (!value) throw new Unsupported(`a call of ${of.name} without its argument ${name}`, node.line);
    return defaultValue(m, state, value);
  });
}

/** Returns the value of a field's default, which Python computes when the class is defined. */
function defaultValue(m: Machine, state: State, value: Expression): Value {
  const of = value.is === "Attribute" && value.value.is === "Name" ? m.program.classes.get(value.value.id) : undefined;
  if (of && value.is === "Attribute") return classAttribute(m, of, value.attr, value.line);
  return m.evaluate(state, value);
}

/** Executes a call such as `Color(2)`: returns the member with this value. */
function memberWith(m: Machine, state: State, of: Class, { args, keywords, line }: Call): Value {
  const { t } = m;
  const [arg, ...more] = args;
  if (!arg || more.length > 0 || keywords.length > 0)
    throw new Unsupported(`a call of ${of.name} with arguments other than one value`, line);
  return m.each(state, m.evaluate(state, arg), (plain, own) => {
    if (plain.kind === "enum" && plain.of === of) return always(t, plain);
    if (!["int", "bool", "sequence", "none"].includes(plain.kind))
      throw new Unsupported(`a call of ${of.name} with a value of type ${typeText(typeOf(plain))}`, line);
    const matches = of.members.map(({ value }) => equals(m, plain, constant(m, value), line));
    m.raise(own, t.not(t.or(...matches)), "ValueError", line);
    const number = matches.reduceRight((rest, match, i) => t.ite(match, t.int(BigInt(i)), rest), t.zero);
    return always(t, { kind: "enum", of, term: number });
  });
}

/**
 * Executes a method call on one of the program's classes. Returns undefined if the program has no method with this
 * name.
 */
export function callOwnMethod(m: Machine, state: State, func: Attribute, node: Call): Value | undefined {
  const { attr, line, value } = func;
  const parent = superClass(m, value);
  if (parent) return callParent(m, state, parent, attr, node);
  const of = classNamed(m, state, value);
  if (of) {
    const method = of.methods.get(attr);
    if (!method || method.kind === "property") throw new Unsupported(`calls of ${of.name}.${attr}`, line);
    return callMethodWith(m, state, method, method.kind === "class" ? { kind: "class", of } : undefined, node);
  }
  if (![...m.program.classes.values()].some(({ methods }) => methods.has(attr))) return undefined;
  return byChoice(m, state, m.evaluate(state, value), (plain, own) => {
    const method = classOf(plain)?.methods.get(attr);
    if (plain.kind === "none") m.raise(own, m.t.yes, "AttributeError", line);
    if (plain.kind === "none") return m.nothing();
    if (!method || method.kind === "property")
      throw new Unsupported(`the method ${attr} of a value of type ${typeText(typeOf(plain))}`, line);
    const own_class = classOf(plain);
    const self: Plain | undefined =
      method.kind === "object"
        ? plain
        : method.kind === "class" && own_class
          ? { kind: "class", of: own_class }
          : undefined;
    return callMethodWith(m, own, method, self, node);
  });
}

function callMethodWith(m: Machine, state: State, { definition }: Method, self: Plain | undefined, node: Call): Value {
  const args = argumentValues(m, state, definition, node, self && always(m.t, self));
  if (state.live === m.t.no) return m.nothing();
  return m.call(state, definition, args, node.line);
}

/** Returns the base class that `super()` refers to here. */
function superClass(m: Machine, node: Expression): Class | undefined {
  if (node.is !== "Call" || node.func.is !== "Name" || node.func.id !== "super" || !m.isBuiltin("super"))
    return undefined;
  const [name = "", method = ""] = m.frame.definition.name.split(".");
  const owner = m.program.classes.get(name);
  const kind = owner?.methods.get(method)?.kind;
  if (!owner?.base || (kind !== "object" && kind !== "property") || node.args.length > 0 || m.frame.scopes.length > 0)
    throw new Unsupported(
      "`super()` other than without arguments, in a method of a class whose base class the code defines",
      node,
    );
  return owner.base;
}

function callParent(m: Machine, state: State, parent: Class, attr: string, node: Call): Value {
  const method = parent.methods.get(attr);
  const self = m.frame.definition.args.parameters[0]?.name ?? "";
  const own = state.variables.get(self);
  if (method?.kind !== "object" || !own) throw new Unsupported(`calls of super().${attr}`, node.line);
  const [only, second] = own;
  if (!only || second) throw new Unsupported(`calls of super().${attr}`, node.line);
  return callMethodWith(m, state, method, only.plain, node);
}

/** Whether a value is an instance of one of the program's classes. */
export function isOf(plain: Plain, of: Class): boolean {
  return plain.kind !== "class" && isInstanceOf(classOf(plain), of);
}

/**
 * Returns the arguments of a claim. Records become objects if the program changes objects of their class. An input is
 * excluded if one of its constructors would raise an exception. Two arguments could be the same object, so only one
 * object of each class is allowed.
 */
export function givenValues(m: Machine, state: State, values: readonly Value[], line: number): Value[] {
  if (m.program.classes.size === 0) return [...values];
  const changed = values.flatMap((value) => {
    const each = value.map(({ plain }) => changedIn(m, typeOf(plain)));
    return [...each.flatMap(repeated), ...new Set(each.flat())];
  });
  const [twice] = repeated(changed);
  if (twice) throw new Unsupported(`arguments that can be one object of ${twice}, which the code changes`, line);
  const own = values.map((value) => byChoice(m, state, value, (plain, at) => always(m.t, given(m, at, plain, line))));
  // A caller can also hold the objects in the arguments' fields.
  const all = own.flat().flatMap(({ when, plain }) => objectsIn(state, plain).map((each) => [{ when, plain: each }]));
  m.given.push(...all);
  return own;
}

/** Returns the objects in a value, and those in the fields of these objects. */
function objectsIn(state: State, plain: Plain): Plain[] {
  if (plain.kind === "tuple" || plain.kind === "record") return plain.items.flatMap((each) => objectsIn(state, each));
  if (plain.kind !== "object") return [];
  const fields = plain.of.fields.flatMap(({ name }) => state.variables.get(fieldName(plain.id, name)) ?? []);
  return [plain, ...fields.flatMap((each) => objectsIn(state, each.plain))];
}

function repeated(names: readonly string[]): string[] {
  return names.filter((each, i) => names.indexOf(each) !== i).flatMap((each) => [each, each]);
}

/**
 * Returns the names of what the program can change in a value of this type: the classes of objects, and lists if the
 * program changes the lists of objects.
 */
function changedIn(m: Machine, type: Type): string[] {
  if (type.kind === "list") {
    const own = m.program.changed_lists.size > 0 ? [typeText(type)] : [];
    return type.item ? [...own, ...changedIn(m, type.item)] : own;
  }
  if (type.kind !== "tuple" && type.kind !== "record") return [];
  const own = type.of && isChanged(m, type.of) ? [type.of.name] : [];
  return [...own, ...type.items.flatMap((each) => changedIn(m, each))];
}

function given(m: Machine, state: State, plain: Plain, line: number): Plain {
  if (plain.kind === "tuple" && !plain.of)
    return { ...plain, items: plain.items.map((each) => given(m, state, each, line)) };
  if (plain.kind === "sequence" && plain.sequence.type.item) checkUnchanged(m, plain.sequence.type.item, line);
  if (plain.kind !== "record" && plain.kind !== "tuple") return plain;
  const { of } = plain;
  const items = plain.items.map((each) => given(m, state, each, line));
  if (!of || plain.kind === "tuple") return { ...plain, items };
  const object = newObject(m, state, of);
  of.fields.forEach(({ name }, i) => {
    state.variables.set(fieldName(object.id, name), always(m.t, items[i] ?? UNBOUND));
  });
  checkMade(m, state, object, items, line);
  return isChanged(m, of) ? object : { ...plain, items };
}

function checkUnchanged(m: Machine, type: Type, line: number): void {
  if ("of" in type && type.kind !== "opaque" && type.of && isChanged(m, type.of))
    throw new Unsupported(`lists of objects of ${type.of.name}, which the code changes`, line);
  for (const each of "items" in type ? type.items : type.kind === "list" && type.item ? [type.item] : [])
    checkUnchanged(m, each, line);
}

/** Excludes objects that their constructor rejects, if the fields determine the constructor's arguments. */
function checkMade(
  m: Machine,
  state: State,
  object: Extract<Plain, { kind: "object" }>,
  items: readonly Plain[],
  line: number,
): void {
  const { of } = object;
  const after = of.kind === "dataclass" ? of.methods.get("__post_init__") : undefined;
  const init = of.kind === "plain" ? of.methods.get("__init__") : undefined;
  const by = new Map(of.fields.map(({ parameter }, i) => [parameter, items[i]]));
  const parameters = init?.definition.args.parameters.slice(1) ?? [];
  const args = parameters.flatMap(({ name }) => by.get(name) ?? []);
  const method = after ?? (init && args.length === parameters.length && parameters.length > 0 ? init : undefined);
  if (!method) return;
  // The constructor runs on a separate object: only the exceptions that it raises count.
  const tried = newObject(m, state, of);
  of.fields.forEach(({ name }, i) => {
    state.variables.set(fieldName(tried.id, name), always(m.t, after ? (items[i] ?? UNBOUND) : UNBOUND));
  });
  const before = m.exits.raises.length;
  const values = [tried, ...(after ? [] : args)].map((each) => always(m.t, each));
  m.inContext({ assuming: true }, () => m.call(state, method.definition, values, line));
  const raised = m.exits.raises.splice(before);
  m.exits.raises.push(...raised.map((each) => ({ ...each, exception: unmet })));
  if (after && of.fields.some(({ name }) => !isSame(state, tried.id, object.id, name)))
    throw new Unsupported(`objects of ${of.name} as arguments, as \`__post_init__\` changes them`, line);
}

function isSame({ variables }: State, a: string, b: string, name: string): boolean {
  const [x, y] = [a, b].map((id) => variables.get(fieldName(id, name)));
  return x?.length === 1 && y?.length === 1 && x[0]?.plain === y[0]?.plain;
}
