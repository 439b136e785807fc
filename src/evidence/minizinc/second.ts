import { enginesDisagree } from "../../engines/disagreement.ts";
import type { Solution } from "../../engines/minizinc/read.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { confirmed, type Finding, open } from "../../kernel/evidence.ts";
import { cancelled } from "../../kernel/fault.ts";
import { check } from "../flatzinc/claim.ts";
import { checkSolutions } from "../flatzinc/values.ts";
import { evidence_limits } from "../limits.ts";
import { type Asking, isBetter, optimises } from "./asking.ts";
import { othersOf } from "./checkers.ts";
import { claimOf, type Decision, decisionOf, doubtOf, isFoundWhileCompiling, isUnable, nameOf } from "./decide.ts";
import type { Accepted } from "./judge.ts";
import { askIfAble, compileStandard, type Reply, readable, timeToSolve } from "./question.ts";

/**
 * Asks whether another engine reaches the same unsat or optimum. Solvers of other kinds are asked in turn, then Z3 is
 * asked about the compiled model, each within half of the remaining time. Only a claim that would be accepted without
 * the first one counts as confirmation. Undefined if the answer claims neither. Raises `engines_disagree` if an engine
 * contradicts, and `cancelled`.
 */
export async function secondOpinion(asking: Asking, accepted: Accepted): Promise<Finding | undefined> {
  const { reply, decision, finding, by } = accepted;
  const many = reply.question.solutions_max !== undefined;
  if (decision.kind === "undecided" || (decision.kind === "sat" && !decision.proved)) return undefined;
  if (decision.kind === "sat" && !optimises(asking.model))
    return many ? open("check confirms an unsat and an optimum, not that a list is complete") : undefined;
  const claim = decision.kind === "sat" ? finding.optimum : finding;
  if (claim?.verdict === "confirmed" && claim.by.length > 0) return confirmed(claim.by);
  if (isFoundWhileCompiling(reply.compiled))
    return open("MiniZinc's compiler decided it before any solver ran, and there is no other compiler");
  if (by !== undefined) return open("no other engine supports this model");
  const { build, cp_sat, context } = asking;
  const others = othersOf(reply, build, (await cp_sat?.isReady()) ?? false);
  const reasons: (string | undefined)[] = [];
  for (const engine of [...others, "z3"]) {
    const deadline = context.deadline.atMost(context.deadline.left_ms * evidence_limits.check_share);
    context.progress(`asking ${engine === "z3" ? "Z3" : nameOf(engine)} to confirm`);
    const found = await (engine === "z3"
      ? byZ3(asking, accepted, deadline)
      : bySolver(asking, accepted, engine, deadline));
    if (found.verdict === "confirmed") return found;
    reasons.push(found.reason);
  }
  return open(reasons.join("; "));
}

async function bySolver(asking: Asking, first: Accepted, solver: string, deadline: Deadline): Promise<Finding> {
  const name = nameOf(solver);
  const time_ms = timeToSolve(deadline.left_ms);
  if (time_ms <= 0) return open(`the time ran out before ${name} started`);
  const { solutions_max: _, ...question } = first.reply.question;
  const reply = await askIfAble(asking.run, asking.build, { ...question, solver, time_ms }, deadline);
  if (reply === undefined) return open(`${name} could not be run`);
  if (isUnable(reply) || reply.answer.errors.length > 0) return open(`${name} does not support this model`);
  const decision = decisionOf(reply);
  if (deadline.signal.aborted) throw cancelled();
  return decision === undefined ? open(`${name} failed`) : compared(asking, first, reply, decision);
}

/** Compares a second solver's answer with the first one's. */
function compared({ model }: Asking, { reply: first, decision: claimed }: Accepted, reply: Reply, decision: Decision) {
  const name = nameOf(reply.question.solver);
  const [doubt] = doubtOf(decision);
  const best = claimed.kind === "sat" ? claimed.witness : undefined;
  const disagree = (answer: string) =>
    enginesDisagree([
      { engine: nameOf(first.question.solver), answer: best ? `${String(best.objective)} is optimal` : "unsat" },
      { engine: name, answer },
    ]);
  const undecided = open(
    doubt === undefined
      ? `${name} did not decide it in its share of the time`
      : `${name} is not trusted here (${doubt.what})`,
  );
  if (decision.kind === "undecided") return undecided;
  if (decision.kind === "unsat") {
    if (best !== undefined) throw disagree("unsat");
    return isFoundWhileCompiling(reply.compiled)
      ? open(`MiniZinc's compiler decided it for ${name}, so no solver ran`)
      : confirmed([name]);
  }
  const { witness } = decision;
  if (best === undefined || isBetter(witness, best, model.goal)) {
    const soundness = soundnessOf(reply, witness, doubt === undefined);
    if (soundness === "wrong") return open(`${name} returned values that are not a solution`);
    if (soundness === "open") return open(`${name} returned values that could not be checked (${doubt?.what ?? ""})`);
    throw disagree(best === undefined ? "sat" : `${String(witness.objective)} is possible`);
  }
  if (!decision.proved) return undecided;
  if (isBetter(best, witness, model.goal)) throw disagree(`${String(witness.objective)} is optimal`);
  return confirmed([name]);
}

/**
 * Whether values are a solution. Values from a solver that is trusted on this model count as a solution unless they are
 * shown to be wrong.
 */
function soundnessOf({ compiled }: Reply, witness: Solution, is_trusted: boolean): "sound" | "wrong" | "open" {
  const model = readable(compiled);
  const checked = model && checkSolutions(model, [witness]);
  if (checked?.broken !== undefined) return "wrong";
  return (checked && checked.unchecked.length === 0 && checked.excess === 0) || is_trusted ? "sound" : "open";
}

/** Asks Z3 about the compiled model, in exact arithmetic. */
async function byZ3({ run, z3 }: Asking, { reply, decision }: Accepted, deadline: Deadline): Promise<Finding> {
  const standard = await compileStandard(run, reply.question, deadline);
  if (!standard) return open("the time ran out before Z3 started");
  const claim = claimOf(reply, decision, standard.model);
  if (!claim) return open("the claim can't be translated for Z3");
  const exactly = await check(z3, standard, claim, deadline);
  if (exactly.kind === "undecided") return open(`Z3: ${exactly.reason}`);
  if (exactly.kind === "proven")
    return exactly.proof.by === "z3"
      ? confirmed(["z3"])
      : open("MiniZinc's compiler decided it for Z3, so Z3 did not run");
  const { counterexample: found } = exactly;
  const is_solution = "check" in found && found.check.unchecked.length === 0 && found.check.excess === 0;
  if (!is_solution) return open("Z3 returned values that could not be checked");
  const is_unsat = decision.kind === "unsat";
  throw enginesDisagree([
    { engine: nameOf(reply.question.solver), answer: is_unsat ? "unsat" : "its value is optimal" },
    { engine: "z3", answer: is_unsat ? "sat" : `${found.check.objective ?? "a better value"} is possible` },
  ]);
}
