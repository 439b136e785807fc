/** Proves that a function does not raise an exception, from the proof of its contract. */
import type { Obligations, OpenObligation } from "./goal.ts";
import { builtin_exceptions, isA } from "./python/exceptions.ts";
import type { SyntaxTree } from "./python/tree.ts";
import { nodesIn, statementsIn } from "./python/walk.ts";

/**
 * Whether the proof of a function's contract can show that the function never raises this exception. The function must
 * have invariants, and the proof must cover all calls. But the proof excludes inputs on which an assert at the
 * function's beginning raises, so these asserts must not be able to raise this exception.
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

/** Kinds of expressions that can raise only TypeError. */
const harmless: ReadonlySet<string> = new Set(["BoolOp", "Compare", "Constant", "Name", "UnaryOp"]);

/**
 * Returns the obligations that together imply that this exception is not raised. They include those of the invariants,
 * because other obligations depend on them.
 */
export function raising(obligations: Obligations, exception: string): Obligations {
  const raised = ({ kind, exception: other = "AssertionError" }: OpenObligation) =>
    kind === "on entry" || kind === "kept" || isA(builtin_exceptions, other, exception);
  const others = ["result type", "ends"];
  return { ...obligations, open: obligations.open.filter((each) => !others.includes(each.kind) && raised(each)) };
}
