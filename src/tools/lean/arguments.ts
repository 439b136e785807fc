import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import type { CallContext } from "../../kernel/tool.ts";
import type { Tactics } from "../../solvers/tactic/index.ts";
import { profile_names } from "../../solvers/tactic/prompt.ts";
import type { Generated } from "../../solvers/tactic/protocol.ts";

const state_error =
  "Invalid proof state format: proof_state must be a text, a list of goals, or what lean_goal answers.";

/** A proof state as it comes: what is in it is read by the solver. */
export const any_state = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())], {
  error: state_error,
});

export const proof_state = any_state.describe("Goal text, or what lean_goal answered.");

function whole(name: string, min: number, max: number) {
  const error = `${name} must be a whole number from ${min} to ${max}.`;
  return z
    .number({ error })
    .min(min, { error })
    .max(max, { error })
    .refine(Number.isInteger, { error })
    .meta({ type: "integer" });
}

const temperature_error = `temperature must be a number from 0 to ${limits.tactic_temperature_max}.`;

/** How tactics are drawn, the same for every tool that draws. */
export const drawing = {
  num_suggestions: whole("num_suggestions", 1, limits.tactic_suggestions_max).default(
    limits.tactic_suggestions_default,
  ),
  temperature: z
    .number({ error: temperature_error })
    .min(0, { error: temperature_error })
    .max(limits.tactic_temperature_max, { error: temperature_error })
    .default(limits.tactic_temperature_default),
  max_tokens: whole("max_tokens", 1, limits.tactic_tokens_max).default(limits.tactic_tokens_default),
  goals: z.enum(["first", "all"], { error: 'goals must be "first" or "all".' }).default("first"),
  single_line: z.boolean({ error: "single_line must be true or false." }).default(false),
  seed: whole("seed", 0, 2 ** 31 - 1).default(1),
  prompt: z.enum(profile_names, { error: `prompt must be one of ${profile_names.join(", ")}.` }).optional(),
};

export const tactic_text = (name: string) =>
  z
    .string({ error: `${name} must be a text.` })
    .max(limits.tactic_chars_max, { error: `${name} must have at most ${limits.tactic_chars_max} characters.` });

/** The job of one call: as long as the user's clients of the daemon wait. */
export function jobOf(
  tactics: Tactics,
  { signal }: CallContext,
): { readonly left_ms: number; readonly signal: AbortSignal } {
  return { left_ms: tactics.settings.timeout_ms, signal };
}

/** The model's name as people say it. */
export function modelInfo(model: Generated["model"]): string {
  if (!model) return "unknown";
  return model.quantisation ? `${model.name} ${model.quantisation}` : model.name;
}

export const rounded = (value: number, digits = 4) => Math.round(value * 10 ** digits) / 10 ** digits;
