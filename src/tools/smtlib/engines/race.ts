import { setTimeout as sleep } from "node:timers/promises";
import type { SmtSolver } from "../../../engines/smt/solver.ts";
import { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { isBusy } from "../../../kernel/process/processor_time.ts";
import { isDecided } from "../../../kernel/verdict.ts";
import { reasonShown } from "../../reason_shown.ts";
import { resultIn, resultOf, settled } from "../ending.ts";
import { smtlib_limits } from "../limits.ts";
import { isOfCvc5 } from "../script/vocabulary.ts";
import { isAtHome } from "./fit.ts";
import { type Ended, type Question, type Solved, solveByOther, solveByZ3, type Team, withWarnings } from "./solve.ts";

/**
 * Lets Z3 answer. If Z3 takes long or gives up, other solvers join, provided that they are installed, support
 * everything in the script, and find a free processor; the first verdict wins. On a busy machine, they run one after
 * the other, and later: after Z3 has ended, or beside it after some seconds. If no solver decides, raises Z3's fault if
 * there is one; otherwise, the answer names solvers that could be installed.
 */
export async function race(
  team: Team,
  question: Question,
  is_busy: () => boolean = isBusy,
): Promise<Solved | "expired"> {
  const solved = await raced(team, question, is_busy);
  if (solved === "expired" || isDecided(solved.outcome.verdict)) return solved;
  const { missing } = await whoMayJoin(team.others, question);
  const foreign = question.plan.script.contents.foreign ?? "";
  return withWarnings(solved, [
    ...missing.map(
      ({ title, name, install }) =>
        `${title} might decide it, but is not installed. ${install} installs it, and so does a call with engine: "${name}".`,
    ),
    // A non-standard symbol may have another meaning for another solver, so no solver joins unless the call names it.
    ...(isOfCvc5(foreign) ? [`cvc5 might decide it, and also supports \`${foreign}\`: send engine: "cvc5".`] : []),
  ]);
}

async function raced({ z3, others }: Team, question: Question, is_busy: () => boolean): Promise<Solved | "expired"> {
  const { deadline } = question;
  const stop = new AbortController();
  const signal = AbortSignal.any([deadline.signal, stop.signal]);
  const stoppable = { ...question, deadline: deadline.withSignal(signal) };
  const first = settled(z3.run(stoppable.deadline, (session) => solveByZ3(z3, session, stoppable)));
  try {
    const early = await new Deadline(smtlib_limits.others_join_ms, deadline.signal).within(first);
    if (early !== "expired" && !isOpenToOthers(early)) return resultOf(early);
    const { joining } = await whoMayJoin(others, question);
    if (joining.length === 0) return resultOf(await first);
    const at_work = { z3: true, others: new Set(joining) };
    void first.then(() => {
      at_work.z3 = false;
    });
    const busy_until = performance.now() + smtlib_limits.others_busy_ms;
    const mayRun = (solver: SmtSolver) =>
      !is_busy() || (isNext(solver, at_work.others) && (!at_work.z3 || performance.now() >= busy_until));
    const runs = joining.map(async (solver) => {
      const end = await settled(join(z3, solver, stoppable, () => mayRun(solver)));
      at_work.others.delete(solver);
      return end;
    });
    const winner = await firstDecided([first, ...runs]);
    return winner ?? withRemarks(resultOf(await first), joining, await Promise.all(runs));
  } finally {
    stop.abort();
  }
}

/** Whether another solver may still decide. A script that Z3 rejects, or a limit, ends the call. */
function isOpenToOthers(end: Ended): boolean {
  if (end.status === "rejected") return end.reason instanceof Fault && end.reason.code === "engine_failed";
  if (end.value === "expired") return false;
  const { verdict } = end.value.outcome;
  return !isDecided(verdict) && verdict.cause !== "time" && verdict.cause !== "interrupted";
}

/** Whether a solver is next in line, because those before it have ended. A set keeps the order of insertion. */
function isNext(solver: SmtSolver, at_work: ReadonlySet<SmtSolver>): boolean {
  const [next] = at_work;
  return next === solver;
}

/**
 * Returns the other solvers that can read the whole script: those that are installed, and those that could be
 * installed.
 */
async function whoMayJoin(
  others: readonly SmtSolver[],
  { plan }: Question,
): Promise<{ readonly joining: readonly SmtSolver[]; readonly missing: readonly SmtSolver[] }> {
  const able = others.filter((solver) => isAtHome(solver, plan.script));
  const are_there = await Promise.all(able.map((solver) => solver.isThere()));
  return { joining: able.filter((_, i) => are_there[i]), missing: able.filter((_, i) => !are_there[i]) };
}

/** Runs a solver as soon as it is allowed to run and a processor is free that no other call waits for. */
async function join(
  z3: SmtSolver,
  solver: SmtSolver,
  question: Question,
  mayRun: () => boolean,
): Promise<Solved | "expired"> {
  const { deadline } = question;
  while (!deadline.is_over) {
    const result = mayRun()
      ? await solver.runIfFree(deadline, (session) => solveByOther(z3, solver, session, question))
      : "busy";
    if (result !== "busy") return result;
    await sleep(smtlib_limits.others_look_ms, undefined, { signal: deadline.signal });
  }
  return "expired";
}

/** Returns the first run that decides; undefined if none does. */
function firstDecided(runs: readonly Promise<Ended>[]): Promise<Solved | undefined> {
  return new Promise((resolve) => {
    const deciding = runs.map(async (run) => {
      const solved = resultIn(await run);
      if (solved && isDecided(solved.outcome.verdict)) resolve(solved);
    });
    void Promise.all(deciding).then(() => resolve(undefined));
  });
}

/** Adds to Z3's answer the reasons why the other solvers did not decide. */
function withRemarks(
  solved: Solved | "expired",
  joined: readonly SmtSolver[],
  runs: readonly Ended[],
): Solved | "expired" {
  if (solved === "expired") return solved;
  const remarks = runs.flatMap((end, i) => {
    const verdict = resultIn(end)?.outcome.verdict;
    const open = verdict?.kind === "undecided" && verdict.cause !== "time" ? reasonShown(verdict) : undefined;
    return open === undefined ? [] : [`${joined[i]?.title} did not decide it either: ${open}.`];
  });
  return withWarnings(solved, remarks);
}
