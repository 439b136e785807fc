import * as z from "zod/v4";
import { Fault } from "../kernel/fault.ts";
import { languages } from "./languages.ts";
import { agent_limits } from "./limits.ts";

/** A whole-number flag: a string on the command line, or a number if a program sets it. */
function whole(flag: string, min: number, max: number, standard: number) {
  const error = `${flag} must be a whole number from ${min} to ${max}.`;
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error })
    .default(standard)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
}

const { steps_max, steps_default, tokens_max, tokens_default, timeout_s_max, timeout_s_default } = agent_limits;

const common = {
  model: z.string().optional(),
  reviewerModel: z.string().optional(),
  modelUrl: z
    .url({ protocol: /^https?$/, error: "--model-url must be an address that begins with http:// or https://." })
    .optional(),
  maxSteps: whole("--max-steps", 1, steps_max, steps_default),
  budgetTokens: whole("--budget-tokens", 1, tokens_max, tokens_default),
  timeout: whole("--timeout", 1, timeout_s_max, timeout_s_default),
  reviews: whole("--reviews", 0, agent_limits.reviews_max, agent_limits.reviews_default),
  review: z.boolean().default(true),
  mcp: z.string().min(1, { error: "--mcp needs an address or a command." }).optional(),
  mcpEnv: z.array(z.string().regex(/^\w+$/, { error: "--mcp-env needs the name of a variable." })).default([]),
  quiet: z.boolean().default(false),
  verbose: z.boolean().default(false),
};

const language_error = `--language must be one of: auto, ${languages.join(", ")}.`;

/** The flags of `verdict ask`, named as on the command line. */
export const ask_flags = z.object({
  ...common,
  language: z.enum(["auto", ...languages], { error: language_error }).default("auto"),
  file: z.union([z.string().transform((each) => [each]), z.array(z.string())]).default([]),
  json: z.boolean().default(false),
  save: z.string().min(1, { error: "--save needs a directory." }).optional(),
});

export const bench_flags = z.object({
  ...common,
  language: z.enum(["auto", "given", ...languages], { error: language_error }).default("given"),
  out: z.string().optional(),
  only: z.string().optional(),
});

export type AskFlags = z.output<typeof ask_flags>;
export type BenchFlags = z.output<typeof bench_flags>;

/** Reads flags. Raises `invalid_argument` with a one-sentence message. */
export function readFlags<Flags>(schema: z.ZodType<Flags>, values: unknown): Flags {
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  throw new Fault("invalid_argument", read.error.issues[0]?.message ?? "A flag is wrong.", [
    "`verdict help ask` lists the flags",
  ]);
}
