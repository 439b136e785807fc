import { enginesDisagree } from "../../../../../engines/disagreement.ts";
import type { Build } from "../../../../../engines/minizinc/index.ts";
import type { Solution } from "../../../../../engines/minizinc/read.ts";
import { check } from "../../../../../evidence/flatzinc/claim.ts";
import type { Kind } from "../../../../../evidence/flatzinc/measured.ts";
import { hasFloats, kindOf } from "../../../../../evidence/flatzinc/trust.ts";
import { checkSolutions } from "../../../../../evidence/flatzinc/values.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { cancelled } from "../../../../../kernel/fault.ts";
import type { Outcome } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import { isBetter } from "../best_reply.ts";
import { optimises } from "../model.ts";
import { askIfAble, compileStandard, type Reply, readable, timeToSolve } from "../question.ts";
import type { Call, Finding } from "./acceptance.ts";
import {
  claimOf,
  type Decision,
  decisionOf,
  doubtOf,
  isFoundWhileCompiling,
  isUnable,
  nameOf,
  type Solved,
} from "./decide.ts";

/** The parts of a call that a second opinion needs. */
type SecondCall = Omit<Call, "engine">;

type Confirmation = Pick<Outcome, "confirmed_by" | "unconfirmed">;

/**
 * Another engine's opinion: that it reached the same result, or why it has none. A contradiction is raised as a fault
 * instead.
 */
type Word = { readonly confirms: string } | { readonly silent: string };

/**
 * Asks whether another engine reaches the same unsat or optimum. Solvers of other kinds are asked in turn, then Z3 is
 * asked about the compiled model, each within half of the remaining time. Only a claim that would be accepted without
 * the first one counts as confirmation. Raises `engines_disagree` if an engine contradicts, and `cancelled`.
 */
export async function secondOpinion(call: SecondCall, finding: Finding): Promise<Confirmation> {
  const { reply, decision } = finding;
  const many = reply.question.solutions_max !== undefined;
  if (decision.kind === "undecided" || (decision.kind === "sat" && !decision.proved)) return {};
  if (decision.kind === "sat" && !optimises(call.model))
    return many ? { unconfirmed: "check confirms an unsat and an optimum, not that a list is complete" } : {};
  if (finding.proved_by !== undefined && finding.by === undefined) return { confirmed_by: [finding.proved_by] };
  if (isFoundWhileCompiling(reply.compiled))
    return { unconfirmed: "MiniZinc's compiler decided it before any solver ran, and there is no other compiler" };
  const reasons: string[] = [];
  const has_cp_sat = (await call.cp_sat?.isReady()) ?? false;
  const others = finding.by === undefined ? othersOf(reply, call.build, has_cp_sat) : [];
  const words = [
    ...others.map((solver) => (deadline: Deadline) => wordOfSolver(call, finding, solver, deadline)),
    ...(finding.by === undefined ? [(deadline: Deadline) => wordOfZ3(call, finding, deadline)] : []),
  ];
  for (const word of words) {
    const heard = await word(call.context.deadline.atMost(call.context.deadline.left_ms * model_limits.check_share));
    if ("confirms" in heard) return { confirmed_by: [heard.confirms] };
    reasons.push(heard.silent);
  }
  return { unconfirmed: reasons.length > 0 ? reasons.join("; ") : "no other engine supports this model" };
}

/** The kinds of solvers, in the order in which they are asked for a second opinion. */
const kinds: readonly Kind[] = ["cp_sat", "chuffed", "gecode", "linear"];

/** Returns the first solver of each kind, except the kind of the solver that answered. */
function othersOf({ question, compiled }: Reply, { solvers }: Build, has_cp_sat: boolean): string[] {
  // No solver's claim about floats is accepted.
  const model = readable(compiled);
  if (model && hasFloats(model)) return [];
  return kinds
    .filter((kind) => kind !== kindOf(question.solver) && (kind !== "cp_sat" || has_cp_sat))
    .flatMap((kind) => solvers.filter(({ id }) => kindOf(id) === kind && !/gist/i.test(id)).slice(0, 1))
    .map(({ id }) => id);
}

async function wordOfSolver(call: SecondCall, finding: Finding, solver: string, deadline: Deadline): Promise<Word> {
  const name = nameOf(solver);
  const time_ms = timeToSolve(deadline.left_ms);
  if (time_ms <= 0) return { silent: `the time ran out before ${name} started` };
  call.context.progress(`asking ${name} to confirm`);
  const { solutions_max: _, ...question } = finding.reply.question;
  const reply = await askIfAble(call.run, call.build, { ...question, solver, time_ms }, deadline);
  if (reply === undefined) return { silent: `${name} could not be run` };
  if (isUnable(reply) || reply.answer.errors.length > 0) return { silent: `${name} does not support this model` };
  const decision = decisionOf(reply);
  if (deadline.signal.aborted) throw cancelled();
  if (decision === undefined) return { silent: `${name} failed` };
  return judged(call, finding, reply, decision);
}

/** Compares a second solver's answer with the first one's. */
function judged(
  call: SecondCall,
  { reply: first, decision: claimed }: Finding,
  reply: Reply,
  decision: Decision,
): Word {
  const name = nameOf(reply.question.solver);
  const [doubt] = doubtOf(decision);
  const best = claimed.kind === "sat" ? claimed.witness : undefined;
  const disagree = (answer: string) =>
    enginesDisagree([
      { engine: nameOf(first.question.solver), answer: best ? `${String(best.objective)} is optimal` : "unsat" },
      { engine: name, answer },
    ]);
  if (decision.kind === "sat") {
    const excluded = best === undefined || isBetter(decision.witness, best, call.model.goal);
    const soundness = excluded ? soundnessOf(reply, decision) : "sound";
    if (soundness === "sound" && excluded) throw disagree(solutionWords(decision.witness, best));
    if (soundness === "wrong") return { silent: `${name} returned values that are not a solution` };
    if (soundness === "open")
      return { silent: `${name} returned values that could not be checked (${doubt?.what ?? ""})` };
    if (!decision.proved) return { silent: silence(name, doubt?.what) };
    if (best !== undefined && isBetter(best, decision.witness, call.model.goal))
      throw disagree(`${String(decision.witness.objective)} is optimal`);
    return { confirms: name };
  }
  if (decision.kind === "undecided") return { silent: silence(name, doubt?.what) };
  if (best !== undefined) throw disagree("unsat");
  if (isFoundWhileCompiling(reply.compiled))
    return { silent: `MiniZinc's compiler decided it for ${name}, so no solver ran` };
  return { confirms: name };
}

function silence(name: string, doubted: string | undefined): string {
  return doubted === undefined
    ? `${name} did not decide it in its share of the time`
    : `${name} is not trusted here (${doubted})`;
}

/**
 * Whether values are a solution. Values from a solver that is trusted on this model count as a solution unless they are
 * shown to be wrong.
 */
function soundnessOf({ compiled }: Reply, { witness, doubt }: Solved): "sound" | "wrong" | "open" {
  const model = readable(compiled);
  const checked = model && checkSolutions(model, [witness]);
  if (checked?.broken !== undefined) return "wrong";
  return (checked && checked.unchecked.length === 0 && checked.excess === 0) || doubt.length === 0 ? "sound" : "open";
}

function solutionWords({ objective }: Solution, best: Solution | undefined): string {
  return best === undefined ? "sat" : `${String(objective)} is possible`;
}

/** Asks for Z3's opinion on the compiled model, in exact arithmetic. */
async function wordOfZ3(call: SecondCall, { reply, decision }: Finding, deadline: Deadline): Promise<Word> {
  call.context.progress("asking Z3 to confirm");
  const standard = await compileStandard(call.run, reply.question, deadline);
  if (!standard) return { silent: "the time ran out before Z3 started" };
  const claim = claimOf(reply, decision, standard.model);
  if (!claim) return { silent: "the claim can't be translated for Z3" };
  const exactly = await check(call.z3, standard, claim, deadline);
  if (exactly.kind === "undecided") return { silent: `Z3: ${exactly.reason}` };
  if (exactly.kind === "proven")
    return exactly.proof.by === "z3"
      ? { confirms: "z3" }
      : { silent: "MiniZinc's compiler decided it for Z3, so Z3 did not run" };
  const { counterexample: found } = exactly;
  const is_solution = "check" in found && found.check.unchecked.length === 0 && found.check.excess === 0;
  if (!is_solution) return { silent: "Z3 returned values that could not be checked" };
  throw enginesDisagree([
    { engine: nameOf(reply.question.solver), answer: decision.kind === "unsat" ? "unsat" : "its value is optimal" },
    {
      engine: "z3",
      answer: decision.kind === "unsat" ? "sat" : `${found.check.objective ?? "a better value"} is possible`,
    },
  ]);
}
