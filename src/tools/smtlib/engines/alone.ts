import { cannotTake, obstacleFor } from "./fit.ts";
import { type Question, type Solved, solveByOther, solveByZ3, type Team } from "./solve.ts";

/**
 * The answer of the one engine that was named, which is installed first where it is not there. Raises `input_rejected`
 * for a script that it can't take, naming an engine that can.
 */
export async function solveAlone(
  { z3, others }: Team,
  name: string,
  question: Question,
  progress: (message: string) => void,
): Promise<Solved | "expired"> {
  const { plan, contents, deadline } = question;
  const solver = others.find((each) => each.name === name);
  if (!solver) return z3.run(deadline, (session) => solveByZ3(z3, session, question));
  const obstacle = obstacleFor(solver, plan.script, contents());
  if (obstacle) {
    const able = others.filter((each) => obstacleFor(each, plan.script, contents()) === undefined);
    throw cannotTake(solver, obstacle, plan.script, [z3.name, ...able.map((each) => each.name)]);
  }
  await solver.prepare(deadline, progress);
  return solver.run(deadline, (session) => solveByOther(z3, solver, session, question));
}
