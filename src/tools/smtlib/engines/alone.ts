import { isDecided } from "../../../kernel/verdict.ts";
import { cannotTake, isAtHome, obstacleFor } from "./fit.ts";
import { type Question, runOther, type Solved, solveByZ3, type Team, withWarnings } from "./solve.ts";

/**
 * Returns the answer of the one engine that the call named, which is installed first if necessary. If the engine does
 * not decide, the answer names other engines that could. Raises `input_rejected` for a script that the engine can't
 * handle, and suggests an engine that can.
 */
export async function solveAlone(
  team: Team,
  name: string,
  question: Question,
  progress: (message: string) => void,
): Promise<Solved | "expired"> {
  const solved = await answerOf(team, name, question, progress);
  if (solved === "expired" || isDecided(solved.outcome.verdict)) return solved;
  const { plan } = question;
  const able = team.others.filter((each) => each.name !== name && isAtHome(each, plan.script));
  if (able.length === 0) return solved;
  const titles = able.map(({ title }) => title).join(" and ");
  return withWarnings(solved, [`Other engines might decide it: without engine ("auto") ${titles} can join in, too.`]);
}

async function answerOf(
  { z3, others }: Team,
  name: string,
  question: Question,
  progress: (message: string) => void,
): Promise<Solved | "expired"> {
  const { plan, deadline } = question;
  const solver = others.find((each) => each.name === name);
  if (!solver) return z3.run(deadline, (session) => solveByZ3(z3, session, question));
  const obstacle = obstacleFor(solver, plan.script);
  if (obstacle) {
    const able = others.filter((each) => obstacleFor(each, plan.script) === undefined);
    throw cannotTake(solver, obstacle, plan.script, [z3.name, ...able.map((each) => each.name)]);
  }
  return runOther(z3, solver, question, progress);
}
