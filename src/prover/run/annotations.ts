/** Annotations as types. That arguments are of exactly these types is an assumption of every proof. */

import { mayHoldFloats, type OpaqueType, STR, type Type } from "../logic/values.ts";
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
};

const unknown_type = "annotations other than int, bool, float, str, None, list, tuple, Optional, Union and `|`";

/** Containers that are not modelled, by the names in annotations. */
const containers: Readonly<Record<string, OpaqueType["of"]>> = {
  dict: "dict",
  set: "set",
  frozenset: "frozenset",
  bytes: "bytes",
  Sequence: "value",
};

/** A container that is not modelled: enough to compare two functions. */
function containerOf(program: Program, name: string, inside: readonly Expression[]): Type | undefined {
  const of = Object.hasOwn(containers, name) ? containers[name] : undefined;
  if (!of || !program.congruent) return undefined;
  // Items without a type can be floats.
  if (inside.length === 0) return { kind: "opaque", of, items: [], floats: of !== "bytes" };
  const items = inside.map((each) => onlyType(program, each));
  return of === "value"
    ? { kind: "opaque", of, items: [], floats: items.some(mayHoldFloats) }
    : { kind: "opaque", of, items, floats: false };
}

function isDots(node: Expression | undefined): boolean {
  return node?.is === "Constant" && node.type === "other" && node.value === "ellipsis";
}

/** The types that an annotation allows. Raises Unsupported. */
export function typesOf(program: Program, node: Expression): Type[] {
  if (node.is === "Constant" && node.type === "none") return [{ kind: "none" }];
  if (node.is === "BinOp" && node.op === "BitOr")
    return [...typesOf(program, node.left), ...typesOf(program, node.right)];
  const name = genericName(program, node.is === "Subscript" ? node.value : node);
  const plain = Object.hasOwn(simple, name) ? simple[name] : undefined;
  if (node.is !== "Subscript") {
    const known = plain ?? containerOf(program, name, []);
    if (known) return [known];
    throw new Unsupported(unknown_type, node);
  }
  const inside = node.slice.is === "Tuple" ? node.slice.elts : [node.slice];
  if (name === "Optional") return [...inside.flatMap((each) => typesOf(program, each)), { kind: "none" }];
  if (name === "Union") return inside.flatMap((each) => typesOf(program, each));
  const container = containerOf(program, name, inside);
  if (container) return [container];
  const [first, dots] = inside;
  if (name === "tuple" && first && isDots(dots) && inside.length === 2 && program.congruent)
    return [{ kind: "opaque", of: "tuple", items: [onlyType(program, first)], floats: false }];
  if (name === "tuple") return [{ kind: "tuple", items: inside.map((each) => onlyType(program, each)) }];
  const [item, ...more] = inside;
  if (name !== "list" || !item || more.length > 0) throw new Unsupported(unknown_type, node);
  return [{ kind: "list", item: onlyType(program, item), view: "whole" }];
}

function genericName(program: Program, node: Expression): string {
  const imported = importedName(node, program.imports);
  if (imported !== undefined) return (Object.hasOwn(typing_names, imported) ? typing_names[imported] : undefined) ?? "";
  return node.is === "Name" && !isDefined(program, node.id) ? node.id : "";
}

function onlyType(program: Program, node: Expression): Type {
  const [only, ...more] = typesOf(program, node);
  if (only && more.length > 0 && program.congruent)
    return { kind: "opaque", of: "value", items: [], floats: [only, ...more].some(mayHoldFloats) };
  if (!only || more.length > 0) throw new Unsupported("items of a list or tuple that can have several types", node);
  return only;
}
