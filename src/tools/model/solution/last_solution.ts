import { Fault } from "../../../kernel/fault.ts";
import type { Model, Solution } from "../items/model.ts";

/** The result of the last solve of the model. Raises `input_rejected` if there was none. */
export function lastSolution({ id, solution }: Model): Solution {
  if (solution) return solution;
  throw new Fault("input_rejected", `The model "${id}" was not solved since it was created or cleared.`, [
    "call solve_model first",
    "give model_id if you meant another model",
  ]);
}
