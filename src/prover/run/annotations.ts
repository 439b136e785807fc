/** Reads annotations as types. Every proof assumes that arguments have exactly these types. */

import { isKeyType } from "../logic/mappings.ts";
import { holdsObjects, mayHoldFloats, type OpaqueType, STR, type Type, typeText } from "../logic/values.ts";
import type { Class } from "../python/classes.ts";
import type { Field } from "../python/fields.ts";
import type { Program } from "../python/program.ts";
import { importedName } from "../python/program.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression } from "../python/tree.ts";
import { isDefined } from "./machine.ts";

const simple: Readonly<Record<string, Type>> = {
  int: { kind: "int" },
  bool: { kind: "bool" },
  float: { kind: "float" },
  str: STR,
};

const typing_names: Readonly<Record<string, string>> = {
  "typing.List": "list",
  "typing.Tuple": "tuple",
  "typing.Optional": "Optional",
  "typing.Union": "Union",
  "typing.Dict": "dict",
  "typing.Set": "set",
  "typing.FrozenSet": "frozenset",
  "typing.Sequence": "Sequence",
  "collections.abc.Sequence": "Sequence",
  "typing.Iterable": "Iterable",
  "collections.abc.Iterable": "Iterable",
  "typing.Collection": "Collection",
  "collections.abc.Collection": "Collection",
  "typing.Any": "Any",
};

const unknown_type = "annotations other than int, bool, float, str, None, list, tuple, Optional, Union and `|`";

/** Containers that are not modelled, by their names in annotations. */
const containers: Readonly<Record<string, OpaqueType["of"]>> = {
  dict: "dict",
  set: "set",
  frozenset: "frozenset",
  bytes: "bytes",
  Sequence: "value",
};

/** Returns the type of a container. A container that is not modelled suffices only for comparing two functions. */
function containerOf(program: Program, name: string, inside: readonly Expression[]): Type | undefined {
  const of = Object.hasOwn(containers, name) ? containers[name] : undefined;
  const [key, value, ...more] = inside;
  if (program.mappings && (of === "dict" || of === "set") && key && !value === (of === "set") && more.length === 0) {
    const type = onlyType(program, key);
    if (!isKeyType(type)) throw new Unsupported(`dicts and sets with keys of type ${typeText(type)}`, key);
    const held = value && onlyType(program, value);
    if (value && held && holdsObjects(held))
      throw new Unsupported("dicts with objects of the code's own classes", value);
    return { kind: of, key: type, value: held, ordered: of === "dict" };
  }
  if (!of || !program.congruent) return undefined;
  // Items without a declared type can be floats.
  if (inside.length === 0) return { kind: "opaque", of, items: [], floats: of !== "bytes" };
  const items = inside.map((each) => onlyType(program, each));
  if (items.some(holdsObjects)) throw new Unsupported(`a ${name} of objects of the code's own classes`, inside[0] ?? 1);
  return of === "value"
    ? { kind: "opaque", of, items: [], floats: items.some(mayHoldFloats) }
    : { kind: "opaque", of, items, floats: false };
}

export function isDots(node: Expression | undefined): boolean {
  return node?.is === "Constant" && node.type === "other" && node.value === "ellipsis";
}

/** Returns the types that an annotation allows. Raises Unsupported. */
export function typesOf(program: Program, node: Expression, around: readonly Class[] = []): Type[] {
  if (node.is === "Constant" && node.type === "none") return [{ kind: "none" }];
  // A string can be the name of a class that is defined later.
  if (node.is === "Constant" && node.type === "str" && program.classes.has(node.value))
    return typesOf(program, { ...node, is: "Name", id: node.value }, around);
  if (node.is === "BinOp" && node.op === "BitOr")
    return [...typesOf(program, node.left, around), ...typesOf(program, node.right, around)];
  const of = node.is === "Name" ? program.classes.get(node.id) : undefined;
  if (of) return typesOfClass(program, of, around);
  const { name, inside } = genericOf(program, node);
  const plain = Object.hasOwn(simple, name) ? simple[name] : undefined;
  if (node.is !== "Subscript") {
    const known = plain ?? containerOf(program, name, []);
    if (known) return [known];
    throw new Unsupported(unknown_type, node);
  }
  if (name === "Optional") return [...inside.flatMap((each) => typesOf(program, each, around)), { kind: "none" }];
  if (name === "Union") return inside.flatMap((each) => typesOf(program, each, around));
  const container = containerOf(program, name, inside);
  if (container) return [container];
  const [first, dots] = inside;
  if (name === "tuple" && first && isDots(dots) && inside.length === 2 && program.congruent) {
    const item = onlyType(program, first);
    if (holdsObjects(item)) throw new Unsupported("tuples of any length with objects", node);
    return [{ kind: "opaque", of: "tuple", items: [item], floats: false }];
  }
  if (name === "tuple") return [{ kind: "tuple", items: inside.map((each) => onlyType(program, each, around)) }];
  const [item, ...more] = inside;
  if (name !== "list" || !item || more.length > 0) throw new Unsupported(unknown_type, node);
  return [{ kind: "list", item: onlyType(program, item, around), view: "whole" }];
}

const types_max = 8;

/** Returns the types that a class's objects have if the class is used as an annotation. Raises Unsupported. */
export function typesOfClass(program: Program, of: Class, around: readonly Class[]): Type[] {
  if (of.kind === "enum") return [{ kind: "enum", of }];
  if (around.includes(of)) throw new Unsupported(`objects of ${of.name} that contain objects of ${of.name}`, of.line);
  let all: Type[][] = [[]];
  for (const { name, annotation, is_set, default: value } of of.fields) {
    if (!is_set)
      throw new Unsupported(`objects of ${of.name}, as \`__init__\` may not set the attribute ${name}`, of.line);
    if (!annotation) throw new Unsupported(`the attribute ${name} of ${of.name} without an annotation`, of.line);
    const own = typesOf(program, annotation, [...around, of]);
    if (value && !own.some((type) => isDefaultOf(type, value)))
      throw new Unsupported(`a default of the attribute ${name} of ${of.name} that is not of its type`, of.line);
    all = all.flatMap((before) => own.map((each) => [...before, each]));
  }
  if (all.length > types_max) throw new Unsupported(`objects of ${of.name}, whose fields can have many types`, of.line);
  return all.map((items) => ({ kind: of.kind === "tuple" ? "tuple" : "record", items, of }));
}

function isDefaultOf(type: Type, value: NonNullable<Field["default"]>): boolean {
  if (value === "list") return type.kind === "list";
  if (value.is === "Constant") return value.type === type.kind;
  return (
    type.kind === "enum" && value.is === "Attribute" && value.value.is === "Name" && value.value.id === type.of.name
  );
}

/** Returns the name of an annotation's type, and what it has in brackets. */
export function genericOf(program: Program, node: Expression): { name: string; inside: readonly Expression[] } {
  const name = genericName(program, node.is === "Subscript" ? node.value : node);
  const inside = node.is !== "Subscript" ? [] : node.slice.is === "Tuple" ? node.slice.elts : [node.slice];
  return { name, inside };
}

function genericName(program: Program, node: Expression): string {
  const imported = importedName(node, program.imports);
  if (imported !== undefined) return (Object.hasOwn(typing_names, imported) ? typing_names[imported] : undefined) ?? "";
  return node.is === "Name" && !isDefined(program, node.id) ? node.id : "";
}

function onlyType(program: Program, node: Expression, around: readonly Class[] = []): Type {
  const [only, ...more] = typesOf(program, node, around);
  if (only && more.length > 0 && program.congruent && ![only, ...more].some(holdsObjects))
    return { kind: "opaque", of: "value", items: [], floats: [only, ...more].some(mayHoldFloats) };
  if (!only || more.length > 0) throw new Unsupported("items of a list or tuple that can have several types", node);
  return only;
}
