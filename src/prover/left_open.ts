/** Looks at all obligations of a proof by given invariants that failed, one by one, within the time that is left. */
import { OutOfTime } from "./ask/time_budget.ts";
import type { Obligations, OpenObligation } from "./goal.ts";
import type { Ending } from "./induction/termination.ts";
import type { PythonValue } from "./inputs.ts";
import { endless, type Scene, type Shown, shown } from "./obligations.ts";
import type { Findings, Told } from "./told.ts";

/** The share of the time for the questions; the rest is for states. */
const questions_share = 0.6;

/** What is open, and inputs that break it, if a state with these was found. Raises `cancelled`. */
export async function leftOpen(
  scene: Scene,
  told: Told,
  ending: () => Promise<Ending>,
): Promise<{ obligations: Obligations; inputs: readonly PythonValue[] | undefined }> {
  const found: Findings = { proven: 0, open: [] };
  const { budget } = scene.queries;
  let unended: Ending = "all";
  let is_complete = await budget.inShare(questions_share, () =>
    inTime(async () => {
      await told.examine(found);
      unended = await ending();
    }),
  );
  const open: OpenObligation[] = [];
  const looks: (() => Promise<Shown>)[] = found.open.map((each) => () => shown(scene, each));
  const loop = loopOf(unended);
  if (loop) looks.push(() => endless(scene, loop, told.loopsOf(loop), told.idle(loop)));
  let inputs: readonly PythonValue[] | undefined;
  for (const look of looks) {
    const is_seen = await inTime(async () => {
      const result = await look();
      open.push(result.open);
      inputs ??= result.inputs;
    });
    is_complete &&= is_seen;
  }
  return { obligations: { proven: found.proven, open, unmentioned: told.unmentioned(), is_complete }, inputs };
}

function loopOf(ending: Ending) {
  return typeof ending === "object" ? ending.unended : undefined;
}

/** False if the time ran out. */
async function inTime(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof OutOfTime) return false;
    throw error;
  }
}
