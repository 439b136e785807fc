import * as z from "zod/v4";
import type { Model, Solution } from "../items/model.ts";

const values = z.record(z.string(), z.unknown());
const index_names = z.record(z.string(), z.array(z.array(z.string())));

/** The changes that a solve makes to its session. They are data, since the solve may have run in another process. */
const SessionUpdate = z.object({
  /** Set if the model passed its check and is therefore kept. */
  checked: z.literal(true),
  solved: z
    .object({
      status: z.enum(["sat", "unsat", "unknown", "timeout"]),
      kept: z
        .union([
          z.object({
            values,
            solutions: z.array(values).optional(),
            index_names: index_names.optional(),
            violations: z.array(z.string()).optional(),
          }),
          z.object({ dropped_chars: z.int() }),
        ])
        .optional(),
      solve_time: z.number(),
      about: z.object({ options: values, answer: values }).optional(),
    })
    .optional(),
});
export type SessionUpdate = z.output<typeof SessionUpdate>;

/** Returns the changes to the session for a model that was just solved. */
export function sessionUpdateOf({ solution }: Model): SessionUpdate {
  if (!solution) return { checked: true };
  const { status, stored, solve_time, about } = solution;
  const asked = about && { options: { ...about.options }, answer: { ...about.answer } };
  return {
    checked: true,
    solved: { status, solve_time, ...(asked && { about: asked }), ...(stored && { kept: copyOf(stored) }) },
  };
}

function copyOf(stored: NonNullable<Solution["stored"]>) {
  if (!("values" in stored)) return { ...stored };
  const { values, solutions, index_names: names, violations } = stored;
  const copy =
    names && Object.fromEntries(Object.entries(names).map(([name, all]) => [name, all.map((each) => [...each])]));
  return {
    values: { ...values },
    ...(copy && { index_names: copy }),
    ...(solutions && { solutions: solutions.map((each) => ({ ...each })) }),
    ...(violations && { violations: [...violations] }),
  };
}

/** Parses an update; returns undefined for a model that did not pass its check. */
export function readSessionUpdate(update: unknown): SessionUpdate | undefined {
  return SessionUpdate.safeParse(update).data;
}

function storedOf(update: NonNullable<NonNullable<SessionUpdate["solved"]>["kept"]>): NonNullable<Solution["stored"]> {
  if (!("values" in update)) return update;
  const { values, solutions, index_names, violations } = update;
  return {
    values,
    ...(index_names && { index_names }),
    ...(solutions && { solutions }),
    ...(violations && { violations }),
  };
}

/** Applies an update to a model whose items had this revision when they were solved. */
export function applySessionUpdate({ solved }: SessionUpdate, model: Model, revision: number): void {
  if (!solved) return;
  const { status, kept: update, solve_time, about } = solved;
  model.recordStored({ status, solve_time, revision, about, stored: update && storedOf(update) });
}
