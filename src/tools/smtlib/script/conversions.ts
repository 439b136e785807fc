import { headOf, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import type { Command } from "./commands.ts";

/** What makes reals or whole numbers that are not constants. */
const makes_numbers =
  /^(?:Real|Int|to_real|to_int|fp\.to_real|(?:bv|ubv|sbv)_?(?:2|to_)(?:nat|int)|(?:str|seq)\.(?:len|indexof|to_int|to_code))$/;

/** Operators that give floats or bit-vectors. */
const gives_bits = /^(?:fp(?:\.(?!to_real$).*)?|bv(?!2).*|concat)$/;

/**
 * The first line that makes a float of a real or whole number that is not a constant. Z3 5.1 answers unsat to questions about
 * such floats that have solutions, such as: is there a number between 1 and 1.0625 that is rounded to 1?
 */
export function convertedLine(commands: readonly Command[]): number | undefined {
  const all = commands.map((command) => ({ line: command.line, nodes: [...walk(command.node)] }));
  if (!all.some(({ nodes }) => nodes.some((node) => makes_numbers.test(nameOf(node) ?? "")))) return undefined;
  const bits = new Set(commands.flatMap(namesOfBits));
  const converts = (node: Node): boolean => {
    if (node.kind !== "list" || indexedName(node.items[0]) !== "to_fp") return false;
    const [, , ...values] = node.items;
    return values.some((value) => !isBits(value, bits) && !isConstant(value));
  };
  return all.find(({ nodes }) => nodes.some(converts))?.line;
}

/** "to_fp" for `(_ to_fp 8 24)`. */
function indexedName(node: Node | undefined): string | undefined {
  return node?.kind === "list" && headOf(node) === "_" ? nameOf(node.items[1]) : undefined;
}

/** The constants of floats and bit-vectors that a command declares or defines. */
function namesOfBits({ head, node }: Command): string[] {
  const [, symbol, ...rest] = node.items;
  const sort = /^(?:declare|define)-const$/.test(head)
    ? rest[0]
    : /^(?:declare|define)-fun$/.test(head) && rest[0]?.kind === "list" && rest[0].items.length === 0
      ? rest[1]
      : undefined;
  const name = nameOf(symbol);
  const is_bits =
    /^Float(?:16|32|64|128)$/.test(nameOf(sort) ?? "") || /^(?:FloatingPoint|BitVec)$/.test(indexedName(sort) ?? "");
  return is_bits && name !== undefined ? [name] : [];
}

/** Whether a term is surely a float or a bit-vector. */
function isBits(node: Node, names: ReadonlySet<string>): boolean {
  if (node.kind === "literal") return node.text.startsWith("#");
  const name = nameOf(node);
  if (name !== undefined) return names.has(name);
  if (node.kind !== "list") return false;
  const head = headOf(node);
  if (head === "ite") return node.items.slice(2).every((branch) => isBits(branch, names));
  if (head === "_") return /^(?:bv\d+|[+-](?:oo|zero)|NaN)$/.test(nameOf(node.items[1]) ?? "");
  return head === undefined ? indexedName(node.items[0]) !== undefined : gives_bits.test(head);
}

/** Whether a term is written with numbers alone. */
function isConstant(node: Node): boolean {
  if (node.kind !== "list") return node.kind === "literal";
  return /^(?:[-+*/]|to_real)$/.test(headOf(node) ?? "") && node.items.slice(1).every(isConstant);
}
