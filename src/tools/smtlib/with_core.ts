import type { Session } from "../../engines/smt/session.ts";
import type { SmtSolver } from "../../engines/smt/solver.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { again } from "../../kernel/step.ts";
import { isDecided } from "../../kernel/verdict.ts";
import { resultIn, settled } from "./ending.ts";
import { smtlib_limits } from "./limits.ts";
import { type Plan, withoutCores } from "./plan.ts";
import { type Outcome, runPlan } from "./run.ts";

type Ended = PromiseSettledResult<Outcome | "expired">;

interface Decided {
  readonly outcome: Outcome;
  /** Whether the answer is from the run that keeps track of assertions. */
  readonly with_core: boolean;
}

/**
 * Runs a plan with a core. Z3 solves fewer problems when it keeps track of the assertions. If the run takes long, a run
 * without cores is therefore started in parallel: a verdict without a core is better than none.
 */
export async function runWithCore(z3: SmtSolver, session: Session, plan: Plan, deadline: Deadline): Promise<Decided> {
  const tracked = settled(runPlan(session, plan, deadline));
  const early = await new Deadline(smtlib_limits.core_alone_ms, deadline.signal).within(tracked);
  const soon = early === "expired" ? undefined : decidedOutcome(early);
  if (soon) return { outcome: soon, with_core: true };
  const stop = new AbortController();
  const stoppable = deadline.withSignal(AbortSignal.any([deadline.signal, stop.signal]));
  const plain = settled(z3.unqueued.run(stoppable, (other) => runPlan(other, withoutCores(plan), stoppable)));
  try {
    return await choose(tracked, plain, deadline.signal);
  } finally {
    stop.abort();
  }
}

/** Takes the answer of the first run that decides, then waits for its core for a while. */
async function choose(tracked: Promise<Ended>, plain: Promise<Ended>, signal: AbortSignal): Promise<Decided> {
  const first = await Promise.race([plain, tracked.then((run) => (decidedOutcome(run) ? undefined : plain))]);
  const known = first && decidedOutcome(first);
  if (known?.verdict.kind === "sat") return { outcome: known, with_core: false };
  const left_ms = known ? smtlib_limits.core_wait_ms_max : limits.timeout_ms_max;
  const second = await new Deadline(left_ms, signal).within(tracked);
  const late = second === "expired" ? undefined : second;
  const with_core = late && decidedOutcome(late);
  if (with_core && known && with_core.verdict.kind !== known.verdict.kind) throw contradiction();
  if (with_core) return { outcome: with_core, with_core: true };
  const open = resultIn(first) ?? resultIn(late);
  if (open) return { outcome: open, with_core: false };
  const error = [first, late].find((end) => end?.status === "rejected");
  throw error?.reason ?? new Fault("busy", "No solver became free in time.", [again("send the call again")]);
}

function decidedOutcome(end: Ended): Outcome | undefined {
  const outcome = resultIn(end);
  return outcome && isDecided(outcome.verdict) ? outcome : undefined;
}

function contradiction(): Fault {
  return new Fault(
    "engine_failed",
    "Z3 answered both sat and unsat to the same script, with and without cores. Nothing was decided.",
    ["send the script without :named and without explain_unsat", "run `verdict doctor` to see which Z3 is in use"],
  );
}
