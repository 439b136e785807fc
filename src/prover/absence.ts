/** That a function does not raise an exception, by the proof of its contract. */
import type { Obligations, OpenObligation } from "./goal.ts";
import { builtin_exceptions, isA } from "./python/exceptions.ts";
import type { SyntaxTree } from "./python/tree.ts";
import { nodesIn, statementsIn } from "./python/walk.ts";

/**
 * Whether a function has invariants, and a proof of its contract is about all calls: an assert at its beginning that raises
 * something else is a precondition there.
 */
export function isShownByContract({ tree }: SyntaxTree, name: string, exception: string): boolean {
  const definition = tree.body.find((each) => each.is === "FunctionDef" && each.name === name);
  if (definition?.is !== "FunctionDef" || definition.decorator_list.length > 0) return false;
  const { body } = definition;
  const begins = body.findIndex(({ is }) => is !== "Assert" && is !== "Expr");
  const asserted = body.slice(0, begins).flatMap((each) => (each.is === "Assert" ? nodesIn(each.test) : []));
  if (
    asserted.some(({ is }) => !harmless.has(is)) ||
    (asserted.length > 0 && isA(builtin_exceptions, "TypeError", exception))
  )
    return false;
  return statementsIn(body).some((each) => (each.is === "For" || each.is === "While") && each.body[0]?.is === "Assert");
}

/** Expressions that raise nothing but TypeError. */
const harmless: ReadonlySet<string> = new Set(["BoolOp", "Compare", "Constant", "Name", "UnaryOp"]);

/** The obligations from which it follows that this is not raised: also those of invariants, which others need. */
export function raising(obligations: Obligations, exception: string): Obligations {
  const raised = ({ kind, exception: other = "AssertionError" }: OpenObligation) =>
    kind === "on entry" || kind === "kept" || isA(builtin_exceptions, other, exception);
  const others = ["result type", "ends"];
  return { ...obligations, open: obligations.open.filter((each) => !others.includes(each.kind) && raised(each)) };
}
