import { isOutdated } from "../../../engines/build.ts";
import type { Session } from "../../../engines/smt/session.ts";
import type { SmtSolver } from "../../../engines/smt/solver.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { type Core, minimise } from "../minimise.ts";
import { type Claim, confirmOptimum, type Optimum } from "../optimum/confirm.ts";
import type { Plan } from "../plan.ts";
import { type Outcome, runPlan } from "../run.ts";
import { refuseFiniteSets, refuseMiscomputed } from "../script/miscomputed.ts";
import { runWithCore } from "../with_core.ts";
import { confirmModel } from "./confirm.ts";
import { planFor } from "./fit.ts";
import type { Contents } from "./theories.ts";

/** The solvers of SMT-LIB. */
export interface Team {
  readonly z3: SmtSolver;
  /** Those that read less than Z3, the quickest one first. */
  readonly others: readonly SmtSolver[];
}

/** A script to be decided. */
export interface Question {
  readonly plan: Plan;
  /** What the script is made of: looked up only where another solver than Z3 may run it. */
  contents(): Contents;
  readonly explain: boolean;
  readonly deadline: Deadline;
}

/** What one solver made of it. */
export interface Solved {
  readonly plan: Plan;
  readonly outcome: Outcome;
  readonly core: Core | undefined;
  /** The verdict was found without the core that was asked for. */
  readonly lacks_core: boolean;
  /** Whether the values of the objectives are the best ones. */
  readonly optimum: Optimum | undefined;
  readonly engine: string;
}

/** Z3's answer, in a session of it. Raises `input_rejected` for what Z3 alone decides wrongly. */
export async function solveByZ3(z3: SmtSolver, session: Session, question: Question): Promise<Solved> {
  const { deadline } = question;
  const plan = trustedPlan(question.plan, await session.version);
  const { outcome, with_core } = plan.wants_core
    ? await runWithCore(z3, session, plan, deadline)
    : { outcome: await runPlan(session, plan, deadline), with_core: false };
  const { verdict } = outcome;
  const core =
    question.explain && with_core && verdict.kind === "unsat" && verdict.core
      ? await minimise(session, plan, verdict.core, deadline)
      : undefined;
  const lacks_core = plan.wants_core && !with_core && verdict.kind === "unsat";
  const optimum =
    outcome.optimum ??
    (verdict.kind === "sat" && verdict.objectives
      ? await optimumOf(z3, plan.wants_core && !with_core ? undefined : session, plan, verdict.objectives, question)
      : undefined);
  return { plan, outcome, core, lacks_core, optimum, engine: (await session.engine) ?? "z3" };
}

/** The first Z3 that makes floats of numbers correctly, and computes what `refuseMiscomputed` refuses. */
const exact_since = [5, 4] as const;

/** The plan with the doubts that a Z3 of this version deserves. Raises `input_rejected` for what it decides wrongly. */
function trustedPlan(plan: Plan, version = "0"): Plan {
  refuseFiniteSets(plan.script);
  if (!isOutdated(version, { oldest: exact_since })) return { ...plan, converted_line: undefined };
  refuseMiscomputed(plan.script);
  return plan;
}

/** Asks in this session, or in another one where this one may still be at work. */
async function optimumOf(
  z3: SmtSolver,
  session: Session | undefined,
  plan: Plan,
  claims: readonly Claim[],
  { deadline }: Question,
): Promise<Optimum> {
  if (claims.length === 0) return { kind: "best" };
  const confirm = (z3_session: Session) => confirmOptimum(z3_session, plan, claims, deadline);
  const done = session ? await confirm(session) : await z3.unqueued.run(deadline, confirm);
  return done === "expired" ? { kind: "undecided" } : done;
}

/** Another solver's answer, in a session of it; Z3 checks its model. A core is as the solver gives it. */
export async function solveByOther(
  z3: SmtSolver,
  solver: SmtSolver,
  session: Session,
  question: Question,
): Promise<Solved> {
  const plan = planFor(solver, question.plan, question.contents());
  const outcome = await runPlan(session, plan, question.deadline, {
    title: solver.title,
    confirm: (model) => confirmModel(z3, question.plan, model, question.deadline),
  });
  const has_core = question.explain && outcome.verdict.kind === "unsat" && outcome.verdict.core !== undefined;
  const warnings = has_core ? [`The core is as ${solver.title} gave it, and might not be minimal.`] : [];
  return {
    plan,
    outcome: { ...outcome, warnings: [...outcome.warnings, ...warnings] },
    core: undefined,
    lacks_core: false,
    optimum: undefined,
    engine: (await session.engine) ?? solver.name,
  };
}

/** How a run ended. */
export type Ended =
  | { readonly solved: Solved; readonly error?: undefined }
  | { readonly solved?: undefined; readonly error: unknown }
  | "expired";

/** Waits for a run to its end, whatever that is. */
export function ended(run: Promise<Solved | "expired">): Promise<Ended> {
  return run.then(
    (solved) => (solved === "expired" ? solved : { solved }),
    (error: unknown) => ({ error }),
  );
}

/** What a run that ended gave. Raises what it raised. */
export function resultOf(end: Ended): Solved | "expired" {
  if (end === "expired") return end;
  if (end.solved) return end.solved;
  throw end.error;
}
