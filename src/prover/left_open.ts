/** Examines the obligations of a failed proof by given invariants, one by one, within the remaining time. */
import { inTime } from "./ask/time_budget.ts";
import type { Findings, GivenInvariants } from "./given_invariants.ts";
import type { Obligations, OpenObligation } from "./goal.ts";
import type { Ending } from "./induction/termination.ts";
import type { PythonValue } from "./inputs.ts";
import { endless, type Scene, type Shown, shown, sourceOf } from "./obligations.ts";

/** The share of the time for questions. The rest is for finding states that violate open obligations. */
const questions_share = 0.6;

/** Returns the open obligations, and inputs that violate one if such a state was found. Raises `cancelled`. */
export async function leftOpen(
  scene: Scene,
  proof: GivenInvariants,
  ending: () => Promise<Ending>,
): Promise<{ obligations: Obligations; inputs: readonly PythonValue[] | undefined }> {
  const found: Findings = { proven: 0, open: [], undecided: [] };
  const unended = await scene.queries.budget.inShare(questions_share, async () => {
    await proof.examine(found);
    return inTime(ending);
  });
  const looks: (() => Promise<Shown>)[] = found.open.map((each) => () => shown(scene, each));
  const loop = typeof unended === "object" ? unended.unended : undefined;
  if (loop) looks.push(() => endless(scene, loop, proof.loopsOf(loop), proof.idle(loop)));
  const open: OpenObligation[] = [];
  let inputs: readonly PythonValue[] | undefined;
  for (const look of looks) {
    const result = await look();
    open.push(result.open);
    inputs ??= result.inputs;
  }
  const undecided = found.undecided.map((each) => ({
    line: each.line,
    source: `${each.stated ? "" : `${each.exception} in `}${sourceOf(scene, each)}`,
  }));
  return { obligations: { proven: found.proven, open, undecided, unmentioned: proof.unmentioned() }, inputs };
}
