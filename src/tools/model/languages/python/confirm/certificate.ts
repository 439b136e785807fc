import * as z from "zod/v4";
import type { Drat } from "../../../../../engines/drat/index.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import type { Proof } from "../../../../../kernel/evidence.ts";
import type { Certificate } from "../../../language.ts";

/** The clauses of an answer as its program's process states them: `Stated` in `evidence/cnf/problem.py`. */
const Clauses = z.object({ hard: z.array(z.array(z.int())), assumptions: z.array(z.int()) });

/**
 * Has our own checker verify a proof against the answer's clauses. A second process wrote the proof; neither that
 * process nor the program's process is trusted. If no certificate was accepted, returns the reason.
 */
export async function certificateOf(
  drat: Drat,
  evidence: unknown,
  proof: Proof,
  deadline: Deadline,
): Promise<Certificate> {
  const kind = "drat" as const;
  if ("open" in proof) return { kind, checked: false, reason: proof.open };
  const stated = Clauses.safeParse(evidence);
  if (!stated.success) return { kind, checked: false, reason: "the clauses can't be read back" };
  const { hard, assumptions } = stated.data;
  const refutation = { clauses: [...hard, ...assumptions.map((each) => [each])], proof: proof.drat };
  const checked = await drat.check(refutation, deadline);
  switch (checked.verdict) {
    case "checked": {
      const file = await drat.keep(refutation);
      const { steps, rat_steps } = checked;
      return { kind, checked: true, by: proof.by, steps, rat_steps, ...(file !== undefined && { file }) };
    }
    case "refused":
      return { kind, checked: false, by: proof.by, is_refused: true, reason: checked.reason };
    case "open":
      return { kind, checked: false, by: proof.by, reason: checked.reason };
    default:
      return checked satisfies never;
  }
}
