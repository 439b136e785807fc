import type { SmtSolver } from "../../../engines/smt/solver.ts";
import { type Answers, refuseContradiction } from "../../../evidence/smtlib/agreement.ts";
import { toFault } from "../../../kernel/fault.ts";
import { isDecided } from "../../../kernel/verdict.ts";
import { reasonShown } from "../../reason_shown.ts";
import { resultIn, resultOf, settled } from "../ending.ts";
import { obstacleFor } from "./fit.ts";
import { type Ended, type Question, runOther, type Solved, solveByZ3, type Team } from "./solve.ts";

/** An answer, and how the other solvers answered. */
export interface Checked {
  readonly solved: Solved | "expired";
  /** The engines that reached the same verdict. */
  readonly confirmed_by?: string[];
  /** Why no engine confirmed the verdict, if the verdict is known. */
  readonly unconfirmed?: string;
}

/** How one solver's run ended. */
interface Run {
  readonly solver: SmtSolver;
  readonly end: Ended;
}

/**
 * Has every solver answer. Solvers run side by side while slots are free; the rest run in turn after Z3, each with a
 * share of the time. Raises `engines_disagree` if one solver answers sat and another unsat. If no solver answers,
 * raises the same fault as Z3.
 */
export async function crossCheck(
  { z3, others }: Team,
  question: Question,
  progress: (message: string) => void,
): Promise<Checked> {
  const { plan } = question;
  const able = others.filter((solver) => !obstacleFor(solver, plan.script));
  // One slot is reserved for Z3 itself.
  const beside = able.slice(0, Math.max(0, z3.free_slots - 1));
  const later = able.slice(beside.length);
  const own = inTime(question, 1 + later.length);
  const first = settled(z3.run(own.deadline, (session) => solveByZ3(z3, session, own)));
  const pending = beside.map(async (solver) => ({
    solver,
    end: await settled(runOther(z3, solver, question, progress, true)),
  }));
  const runs: Run[] = [{ solver: z3, end: await first }];
  const in_turns: Run[] = [];
  for (const [i, solver] of later.entries()) {
    const part = inTime(question, later.length - i);
    in_turns.push({ solver, end: await settled(runOther(z3, solver, part, progress)) });
  }
  return judge([...runs, ...(await Promise.all(pending)), ...in_turns], others, question);
}

/** Limits the question to an equal share of the remaining time, given the number of engines. */
function inTime(question: Question, shares: number): Question {
  const { deadline } = question;
  return shares === 1 ? question : { ...question, deadline: deadline.atMost(deadline.left_ms / shares) };
}

function judge(runs: readonly Run[], others: readonly SmtSolver[], { plan }: Question): Checked {
  const answers = runs.flatMap(({ end }) => resultIn(end) ?? []);
  refuseContradiction(answers.map(wordsOf));
  const decided = answers.filter(({ outcome }) => isDecided(outcome.verdict));
  const [best, ...same] = decided;
  const [first] = runs;
  if (!best) return { solved: first ? resultOf(first.end) : "expired" };
  if (same.length > 0) return { solved: best, confirmed_by: same.map(({ engine }) => engine) };
  const silent = runs.flatMap(({ solver, end }) => {
    const why = silenceOf(end);
    return why === undefined ? [] : [`${solver.title}: ${why}`];
  });
  const unable = others.flatMap((solver) => {
    const obstacle = obstacleFor(solver, plan.script);
    return obstacle ? [`${solver.title} does not have ${obstacle.what}`] : [];
  });
  return { solved: best, unconfirmed: [...silent, ...unable].join("; ") };
}

/** Explains why a run has no verdict; undefined if it has one. */
function silenceOf(end: Ended): string | undefined {
  if (end.status === "rejected") return toFault(end.reason).message;
  if (end.value === "expired") return "its time ran out before it started";
  const { verdict } = end.value.outcome;
  return verdict.kind === "undecided" ? reasonShown(verdict) : undefined;
}

/** Returns the answers to all checks. For the last check, the verdict counts, after its model was evaluated. */
function wordsOf({ engine, outcome: { printed, verdict } }: Solved): Answers {
  const last = verdict.kind === "undecided" ? "unknown" : verdict.kind;
  return { engine, words: printed.flatMap(({ text, check }) => (check ? [check.last ? last : text] : [])) };
}
