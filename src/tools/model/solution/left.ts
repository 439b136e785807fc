import * as z from "zod/v4";
import type { Model, Solution } from "../items/model.ts";

const values = z.record(z.string(), z.unknown());

/** What a solve leaves in a session, as data: another process may have made it. */
const Left = z.object({
  /** The model passed its check, so that it is kept. */
  checked: z.literal(true),
  solved: z
    .object({
      status: z.enum(["sat", "unsat", "unknown", "timeout"]),
      kept: z
        .union([z.object({ values, solutions: z.array(values).optional() }), z.object({ dropped_chars: z.int() })])
        .optional(),
      solve_time: z.number(),
    })
    .optional(),
});
export type Left = z.output<typeof Left>;

/** What a model that was just solved leaves. */
export function leftBy({ solution }: Model): Left {
  if (!solution) return { checked: true };
  const { status, stored, solve_time } = solution;
  return { checked: true, solved: { status, solve_time, ...(stored && { kept: copyOf(stored) }) } };
}

function copyOf(stored: NonNullable<Solution["stored"]>) {
  if (!("values" in stored)) return { ...stored };
  const { values, solutions } = stored;
  return { values: { ...values }, ...(solutions && { solutions: solutions.map((each) => ({ ...each })) }) };
}

/** Reads it again; undefined for a model that did not pass its check. */
export function readLeft(left: unknown): Left | undefined {
  return Left.safeParse(left).data;
}

function storedOf(left: NonNullable<NonNullable<Left["solved"]>["kept"]>): NonNullable<Solution["stored"]> {
  if (!("values" in left)) return left;
  return { values: left.values, ...(left.solutions && { solutions: left.solutions }) };
}

/** Takes it into a model whose items had this revision when they were solved. */
export function takeLeft({ solved }: Left, model: Model, revision: number): void {
  if (!solved) return;
  const { status, kept: left, solve_time } = solved;
  model.recordStored({ status, solve_time, revision, stored: left && storedOf(left) });
}
