/** A condition as several: each is proved, or found open, by itself. */

import type { Expression, Place } from "./tree.ts";
import { nodesIn } from "./walk.ts";

/** A condition, and the text to which its columns refer: that of the program, if none is given. */
export interface Stated {
  readonly condition: Expression;
  readonly text: string | undefined;
}

/** The conditions that together are this one, in the order in which Python evaluates them. */
export function conjuncts(node: Expression): Expression[] {
  if (node.is === "BoolOp" && node.op === "And") return node.values.flatMap(conjuncts);
  if (node.is !== "Compare") return [node];
  const operands = [node.left, ...node.comparators];
  // The operands between two signs are evaluated twice then.
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
