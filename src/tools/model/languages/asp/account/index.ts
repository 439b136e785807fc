import type { Clingo } from "../../../../../engines/clingo/index.ts";
import type { Witness } from "../../../../../engines/clingo/read.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { Fault } from "../../../../../kernel/fault.ts";
import type { Items } from "../../../items/items.ts";
import type { Outcome } from "../../../language.ts";
import type { AspProgram } from "../program.ts";
import { neverIn } from "./never.ts";
import { termsOf } from "./terms.ts";
import { unused } from "./unused.ts";

/** The share of the remaining time that each of the two runs gets, up to the maximum below. */
const time_share = 0.1;
const time_ms_max = 1_000;

/** Explains the objective of an answer set, and finds suspicious parts of its program. Raises `cancelled`. */
export async function accountOf(
  clingo: Clingo,
  { program, items, witness }: { readonly program: AspProgram; readonly items: Items; readonly witness: Witness },
  deadline: Deadline,
): Promise<Pick<Outcome, "objective_terms" | "findings">> {
  const shortly = () => deadline.atMost(Math.min(deadline.left_ms * time_share, time_ms_max));
  const objective_terms = await ifAble(() => termsOf(clingo, program, witness, shortly()));
  const never = await ifAble(() => neverIn(clingo, program, items, shortly()));
  return { objective_terms, findings: [...unused(program, items), ...never] };
}

/** Returns what `find` finds, or nothing if the program has an unsuitable form or no process is free. */
async function ifAble<Found>(find: () => Promise<readonly Found[]>): Promise<readonly Found[]> {
  try {
    return await find();
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code !== "cancelled") return [];
    throw thrown;
  }
}
