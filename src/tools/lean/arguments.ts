import * as z from "zod/v4";
import type { Generated } from "../../engines/tactic/protocol.ts";

const object = z.record(z.string(), z.unknown());

/** Makes a proof-state argument with this name. The tool parses the contents. */
export function stateNamed(name: string) {
  const error = `Invalid proof state format: ${name} must be a string, a list of goals, or the answer of lean_goal.`;
  return z.union([z.string(), object, z.array(z.union([z.string(), object]))], { error });
}

export const proof_state = stateNamed("proof_state").describe("Goal text, or the answer of lean_goal.");

/** Returns a readable name of the model. */
export function modelInfo(model: Generated["model"]): string {
  if (!model) return "unknown";
  return model.quantisation ? `${model.name} ${model.quantisation}` : model.name;
}
