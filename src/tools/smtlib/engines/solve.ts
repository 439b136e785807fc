import type { Session } from "../../../engines/smt/session.ts";
import type { SmtSolver } from "../../../engines/smt/solver.ts";
import { defectsOf } from "../../../evidence/smtlib/defects.ts";
import { checkModel } from "../../../evidence/smtlib/model.ts";
import { type Claim, confirmOptimum, type Optimum } from "../../../evidence/smtlib/optimum.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { again } from "../../../kernel/step.ts";
import { smtlib_limits } from "../limits.ts";
import { type Core, minimise } from "../minimise.ts";
import { optimisationOf, type Plan } from "../plan.ts";
import { type Outcome, runPlan } from "../run.ts";
import { refusal } from "../script/commands.ts";
import { runWithCore } from "../with_core.ts";
import { isSetting, planFor } from "./fit.ts";

/** The SMT-LIB solvers. */
export interface Team {
  readonly z3: SmtSolver;
  /** The solvers that support less than Z3, fastest first. */
  readonly others: readonly SmtSolver[];
}

/** A script to decide. */
export interface Question {
  readonly plan: Plan;
  readonly explain: boolean;
  readonly deadline: Deadline;
}

/** One solver's result for a script. */
export interface Solved {
  readonly plan: Plan;
  readonly outcome: Outcome;
  readonly core: Core | undefined;
  /** Whether the verdict was found without the requested core. */
  readonly lacks_core: boolean;
  /** Whether the objectives' values are optimal. */
  readonly optimum: Optimum | undefined;
  readonly engine: string;
}

/** Solves a script in a Z3 session. Raises `input_rejected` for scripts that Z3 alone decides wrongly. */
export async function solveByZ3(z3: SmtSolver, session: Session, question: Question): Promise<Solved> {
  const { deadline } = question;
  const plan = trustedPlan(z3, question.plan, await session.version);
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

/** Adds the known defects of this version to the plan. Raises `input_rejected` if they make every answer worthless. */
function trustedPlan({ name, title }: SmtSolver, plan: Plan, version?: string): Plan {
  const defects = defectsOf(plan.defects, name, version);
  const [found] = defects.filter(({ defect }) => defect.voids === "answers");
  if (!found) return { ...plan, defects };
  throw refusal(plan.script.lines, found.node, `${title} ${found.defect.what}`, found.defect.steps);
}

/** Asks whether objective values are optimal, in this session, or in another one if this one may still be busy. */
async function optimumOf(
  z3: SmtSolver,
  session: Session | undefined,
  plan: Plan,
  claims: readonly Claim[],
  { deadline }: Question,
): Promise<Optimum> {
  if (claims.length === 0) return { kind: "best" };
  const confirm = (z3_session: Session) => {
    const end = deadline.atMost(Math.min(smtlib_limits.optimum_confirm_ms_max, deadline.left_ms * 0.8));
    return confirmOptimum(z3_session, optimisationOf(plan), claims, end);
  };
  const done = session ? await confirm(session) : await z3.unqueued.run(deadline, confirm);
  return done === "expired" ? { kind: "undecided" } : done;
}

/** Solves a script in another solver's session; Z3 checks the model. A core is reported as the solver gave it. */
export async function solveByOther(
  z3: SmtSolver,
  solver: SmtSolver,
  session: Session,
  question: Question,
): Promise<Solved> {
  const plan = planFor(solver, question.plan);
  const { before, assumptions } = question.plan;
  const problem = {
    // Settings for other solvers are left out, since Z3 answers them with errors.
    commands: before.flatMap(({ command, piece }) => (isSetting(command) ? [] : [{ command, text: piece.text }])),
    assumptions: assumptions.map(({ piece }) => piece.text),
  };
  const outcome = await runPlan(session, plan, question.deadline, {
    title: solver.title,
    confirm: (model) => checkModel(z3, problem, model, question.deadline.atMost(smtlib_limits.confirm_ms_max)),
  });
  const has_core = question.explain && outcome.verdict.kind === "unsat" && outcome.verdict.core !== undefined;
  const engine = (await session.engine) ?? solver.name;
  const solved = { plan, outcome, core: undefined, lacks_core: false, optimum: undefined, engine };
  return has_core
    ? withWarnings(solved, [`The core is as returned by ${solver.title}, and might not be minimal.`])
    : solved;
}

/**
 * Installs another solver if necessary, and runs it. If it runs beside other solvers, it keeps its slot only as long as
 * no call waits for it.
 */
export async function runOther(
  z3: SmtSolver,
  solver: SmtSolver,
  question: Question,
  progress: (message: string) => void,
  is_beside = false,
): Promise<Solved | "expired"> {
  const work = (session: Session) => solveByOther(z3, solver, session, question);
  await solver.prepare(question.deadline, progress);
  const solved = await (is_beside ? solver.runIfFree(question.deadline, work) : solver.run(question.deadline, work));
  if (solved !== "busy") return solved;
  throw new Fault("busy", "another call needed its slot", [again("send the call again")]);
}

/** How a run ended. */
export type Ended = PromiseSettledResult<Solved | "expired">;

/** Returns a result with additional warnings. */
export function withWarnings(solved: Solved, more: readonly string[]): Solved {
  const { outcome } = solved;
  return { ...solved, outcome: { ...outcome, warnings: [...outcome.warnings, ...more] } };
}
