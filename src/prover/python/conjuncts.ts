/** Splits a condition into several, each of which is proved or left open separately. */

import type { Expression, Place } from "./tree.ts";
import { nodesIn } from "./walk.ts";

/** A condition, and the text to which its columns refer: the program's text if it is undefined. */
export interface Stated {
  readonly condition: Expression;
  readonly text: string | undefined;
}

/** Returns the conditions that together make up this condition, in the order in which Python evaluates them. */
export function conjuncts(node: Expression): Expression[] {
  if (node.is === "BoolOp" && node.op === "And") return node.values.flatMap(conjuncts);
  if (node.is !== "Compare") return [node];
  const operands = [node.left, ...node.comparators];
  // The split evaluates the operands between two operators twice.
  if (!operands.slice(1, -1).every((each) => nodesIn(each).every(isPlain))) return [node];
  return node.ops.flatMap((op, i) => {
    const [left, right] = operands.slice(i, i + 2);
    return left && right ? [{ ...node, ...between(left, right), left, ops: [op], comparators: [right] }] : [];
  });
}

function isPlain({ is }: Expression): boolean {
  return ["Name", "Constant", "BinOp", "UnaryOp", "Subscript", "Tuple"].includes(is);
}

function between({ line, column }: Place, { end_line, end_column }: Place): Place {
  return { line, column, end_line, end_column };
}
