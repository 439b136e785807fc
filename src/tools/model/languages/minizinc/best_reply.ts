import { kindOf } from "../../../../evidence/flatzinc/trust.ts";
import { isBetter } from "../../../../evidence/minizinc/asking.ts";
import { decisionOf, doubtOf, isUnable, nameOf } from "../../../../evidence/minizinc/decide.ts";
import type { Reply } from "../../../../evidence/minizinc/question.ts";
import type { Model } from "./model.ts";

/**
 * Chooses the reply to use if no reply decided the question. In order of preference: the best solution; an unaccepted
 * claim, which exact arithmetic may confirm; the limit of the longest run; the most informative crash or rejection.
 * Undefined if there is no reply.
 */
export function bestReply(replies: readonly Reply[], goal: Model["goal"]): Reply | undefined {
  const each = replies.map((reply) => ({ reply, decision: isUnable(reply) ? undefined : decisionOf(reply) }));
  const solved = each.filter(({ decision }) => decision?.kind === "sat").map(({ reply }) => reply);
  if (solved.length > 0) return solved.reduce((best, reply) => (isBetterReply(reply, best, goal) ? reply : best));
  const doubted = each.find(({ decision }) => decision && doubtOf(decision).length > 0);
  const limited = each.findLast(({ decision }) => decision !== undefined);
  const crashed = replies.find((reply) => !isUnable(reply));
  // Linear solvers reject everything that is not a sum, so their faults are the least informative.
  const refused = replies.findLast(({ question }) => kindOf(question.solver) !== "linear");
  return doubted?.reply ?? limited?.reply ?? crashed ?? refused ?? replies[0];
}

/** Whether a reply is better than another; if both have the same value, a claim of optimality makes it better. */
function isBetterReply(one: Reply, other: Reply, goal: Model["goal"]): boolean {
  const [left, right] = [one.answer.solutions.at(-1), other.answer.solutions.at(-1)];
  if (!left || !right) return left !== undefined;
  if (isBetter(left, right, goal)) return true;
  const claims = ({ answer }: Reply) => answer.status === "OPTIMAL_SOLUTION";
  return claims(one) && !claims(other) && !isBetter(right, left, goal);
}

/**
 * Returns what to keep of a run that crashed after finding solutions: the solutions without a claim, and a note.
 * Undefined for other runs.
 */
export function keptOfCrash(reply: Reply): { readonly kept: Reply; readonly note: string } | undefined {
  if (isUnable(reply) || reply.answer.solutions.length === 0 || decisionOf(reply) !== undefined) return undefined;
  const note = `${nameOf(reply.question.solver)} crashed after finding solutions.`;
  return { kept: withoutClaim(reply), note };
}

/** Keeps a run's solutions, but removes its other claims. */
export function withoutClaim(reply: Reply): Reply {
  const answer = { ...reply.answer, status: undefined };
  return { ...reply, answer, end: { ...reply.end, ending: { kind: "exited", code: 0 } } };
}
