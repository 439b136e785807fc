import { bitsOf } from "../../engines/smt/read.ts";
import { type Node, nameOf } from "../../engines/smt/sexpr.ts";
import type { Goal, Priority } from "../../evidence/smtlib/optimum.ts";
import { Piece } from "./piece.ts";
import type { Command, Script } from "./script/commands.ts";
import { hasName, inForce } from "./script/scope.ts";

/** Whether a command states an objective. */
export function isObjective(head: string): boolean {
  return head === "minimize" || head === "maximize" || head === "assert-soft";
}

/**
 * Returns the goals in force after these commands, in the order in which Z3 lists them. Soft constraints with the same
 * `:id` are one goal: the total weight of the violated ones. Undefined if a goal can't be written as a term, or can't
 * be written twice.
 */
export function goalsInForce(script: Script, commands: readonly Command[]): readonly Goal[] | undefined {
  const goals = new Map<string, { readonly terms: string[]; readonly largest: boolean }>();
  for (const [i, command] of inForce(commands, isObjective).entries()) {
    const [, formula, ...attributes] = command.node.items;
    const soft = command.head === "assert-soft";
    const wish = soft ? attributesOf(attributes) : undefined;
    if (!formula || hasName(formula) || (soft && !wish)) return undefined;
    const { text } = Piece.formula(script.text, formula);
    // The key of a soft goal contains a blank, so it can't equal the key of another objective.
    const key = wish ? `id ${wish.id}` : `${i}`;
    const goal = goals.get(key) ?? { terms: [], largest: command.head === "maximize" };
    goal.terms.push(wish ? `(ite ${text} 0.0 ${wish.weight})` : text);
    goals.set(key, goal);
  }
  return [...goals].map(([key, { terms, largest }]) => ({
    term: key.startsWith("id ") ? `(+ 0.0 ${terms.join("\n")})` : (terms[0] ?? ""),
    largest,
  }));
}

/** Returns the priority that the script sets. */
export function priorityOf(commands: readonly Command[]): Priority {
  const set = commands.findLast(({ head, node }) => {
    const key = node.items[1];
    return head === "set-option" && key?.kind === "keyword" && /^:opt[._]priority$/.test(key.text);
  });
  const value = nameOf(set?.node.items[2]);
  return value === "box" || value === "pareto" ? value : "lex";
}

interface Attributes {
  readonly id: string;
  readonly weight: string;
}

/** Reads the attributes of a soft constraint; undefined if it has any besides a plain weight and an id. */
function attributesOf(nodes: readonly Node[]): Attributes | undefined {
  let [id, weight] = ["", "1.0"];
  for (let i = 0; i < nodes.length; i += 2) {
    const [key, value] = [nodes[i], nodes[i + 1]];
    if (key?.kind !== "keyword" || !value) return undefined;
    const number = value.kind === "literal" && /^\d+(\.\d+)?$/.test(value.text) ? value.text : undefined;
    if (key.text === ":id") id = nameOf(value) ?? number ?? "";
    else if (key.text === ":weight" && number) weight = number.includes(".") ? number : `${number}.0`;
    else return undefined;
  }
  return { id, weight };
}

/**
 * Returns a note on a bit-vector objective that is negative as a signed number, since Z3 compares bit-vectors as
 * unsigned numbers.
 */
export function noteOnSign(term: string, value: string): string | undefined {
  const bits = bitsOf(value);
  // A signed objective has this form.
  const turns_sign = /^\(bvxor\b.*#(b10*|x80*)\)$/s.test(term);
  if (!bits?.startsWith("1") || turns_sign) return undefined;
  const signed = BigInt.asIntN(bits.length, BigInt(`0b${bits}`));
  const flipped = `(bvxor ${term} #b1${"0".repeat(bits.length - 1)})`;
  return `maximize and minimize compare bit-vectors as unsigned numbers: ${term} is ${BigInt(`0b${bits}`)} here, which is ${signed} as a signed number. For signed numbers, flip the sign bit: ${flipped}.`;
}
