import * as z from "zod/v4";
import { FAULT_CODES, Fault, type FaultCode, toFault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { engine_limits } from "../limits.ts";
import { profile_names } from "./prompt.ts";

/**
 * The messages: one JSON object per line, as in the protocol of the original tactic server ("the source"). A request
 * specifies a method and its parameters; a reply has `status: "success"`, or `status: "error"` with `error`. Verdict
 * adds methods, parameters and fields; a client or daemon that knows only the original protocol still works.
 */
export const service_name = "verdict-tactics";

const request_error = 'A request is an object with "method", a string, and "params", an object.';

export const Request = z.looseObject(
  {
    method: z.string({ error: request_error }),
    params: z.looseObject({}, { error: request_error }).default({}),
  },
  { error: request_error },
);
export type Request = z.output<typeof Request>;

function whole(name: string, min: number, max: number) {
  const error = `${name} must be a whole number from ${min} to ${max}.`;
  const number = z.number({ error }).min(min, { error }).max(max, { error });
  return number.refine(Number.isInteger, { error }).meta({ type: "integer" });
}

const temperature_error = `temperature must be a number from 0 to ${engine_limits.tactic_temperature_max}.`;

/** The sampling parameters, which are the same in messages and in the tools; all of them have defaults. */
export const drawing = {
  num_suggestions: whole("num_suggestions", 1, engine_limits.tactic_suggestions_max).default(
    engine_limits.tactic_suggestions_default,
  ),
  temperature: z
    .number({ error: temperature_error })
    .min(0, { error: temperature_error })
    .max(engine_limits.tactic_temperature_max, { error: temperature_error })
    .default(engine_limits.tactic_temperature_default),
  max_tokens: whole("max_tokens", 1, engine_limits.tactic_tokens_max).default(engine_limits.tactic_tokens_default),
  goals: z.enum(["first", "all"], { error: 'goals must be "first" or "all".' }).default("first"),
  prefix: z
    .string({ error: "prefix must be a string." })
    .max(engine_limits.tactic_chars_max, {
      error: `prefix must have at most ${engine_limits.tactic_chars_max} characters.`,
    })
    .default(""),
  single_line: z.boolean({ error: "single_line must be true or false." }).default(false),
  seed: whole("seed", 0, 2 ** 31 - 1).default(1),
  prompt: z.enum(profile_names, { error: `prompt must be one of ${profile_names.join(", ")}.` }).optional(),
};

/**
 * Selects the `generate` parameters of the original protocol, for a daemon that does not know the others and may reject
 * them. Raises `daemon_down` for a parameter that such a daemon can't support. The seed and the goals are simply
 * omitted, since states arrive normalised.
 */
export function sourceParams(params: object): Record<string, unknown> {
  const fields = z.looseObject({}).parse(params);
  const wish = ["prefix", "single_line", "prompt"].find((name) => fields[name]);
  if (wish !== undefined) throw plainDaemon(wish);
  const { proof_state, num_suggestions, temperature, max_tokens } = fields;
  return { proof_state, num_suggestions, temperature, max_tokens };
}

/** The fault if a caller asks the original daemon for something that only Verdict's daemon supports. */
export function plainDaemon(what: string): Fault {
  return new Fault("daemon_down", `The running daemon does not support ${what}: it is not Verdict's.`, [
    "use bfs_suggest_tactics without prefix, single_line and prompt: every tactic daemon supports that",
    "or ask the user to stop it and to run `verdict daemon start`",
  ]);
}

/** The time that the daemon may take, as specified by its client; clients of the original server do not specify it. */
const timeout_error = `timeout_ms must be a number from 1 to ${limits.timeout_ms_max}.`;
const timeout = {
  timeout_ms: z
    .number({ error: timeout_error })
    .min(1, { error: timeout_error })
    .max(limits.timeout_ms_max, { error: timeout_error })
    .default(engine_limits.tactic_timeout_ms_default),
};

export const GenerateParams = z.object({ proof_state: z.unknown().optional(), ...drawing, ...timeout });
export type GenerateParams = z.output<typeof GenerateParams>;

export const BatchParams = z.object({
  proof_states: z
    .array(z.unknown(), { error: "proof_states must be a list." })
    .min(1, { error: "proof_states must not be empty." })
    .max(engine_limits.tactic_batch_max, {
      error: `proof_states can have at most ${engine_limits.tactic_batch_max} states.`,
    }),
  ...drawing,
  ...timeout,
});

export const tacticText = (name: string) =>
  z
    .string({ error: `${name} must be a string.` })
    .max(engine_limits.tactic_chars_max, {
      error: `${name} must have at most ${engine_limits.tactic_chars_max} characters.`,
    })
    .refine((text) => text.trim() !== "", { error: `${name} must not be empty.` });

/** The tactics with which one tactic is compared. */
export const rivals = z
  .array(tacticText("Each of rivals"), { error: "rivals must be a list of tactics." })
  .max(engine_limits.tactic_rivals_max, {
    error: `rivals can have at most ${engine_limits.tactic_rivals_max} tactics.`,
  })
  .default([]);

export const EvaluateParams = z.object({
  proof_state: z.unknown().optional(),
  tactic: tacticText("tactic"),
  rivals,
  goals: drawing.goals,
  prompt: drawing.prompt,
  ...timeout,
});
export type EvaluateParams = z.output<typeof EvaluateParams>;

const nullable_number = z.number().nullable();

/** A tactic with its score: it is ranked by the mean log-probability per token, so its length does not matter. */
export const Suggestion = z.object({
  tactic: z.string(),
  mean_logprob: nullable_number,
  logprob: nullable_number,
  tokens: nullable_number,
  /** The number of samples that contained this tactic. */
  count: z.number(),
});
export type Suggestion = z.output<typeof Suggestion>;

/** The properties of a model, for answers and cache keys. */
const ModelInfo = z.object({
  name: z.string(),
  backend: z.string(),
  size_bytes: nullable_number,
  quantisation: z.string().nullable(),
  /** Distinguishes model files, even if they have the same name. */
  fingerprint: z.string(),
  context_tokens: nullable_number,
  /** Whether scores are the model's own probabilities, reported by another program, or not available. */
  scores: z.enum(["exact", "reported", "none"]),
});
export type ModelInfo = Readonly<z.output<typeof ModelInfo>>;

/** The reply to `generate`; in the original protocol, it has only the first three fields. */
export const Generated = z.looseObject({
  tactics: z.array(z.string()),
  time: z.number(),
  status: z.literal("success"),
  suggestions: z.array(Suggestion).optional(),
  /** The number of dropped samples, by reason. */
  dropped: z.record(z.string(), z.number()).optional(),
  cached: z.boolean().optional(),
  timed_out: z.boolean().optional(),
  model: ModelInfo.optional(),
});
export type Generated = z.output<typeof Generated>;

const Failure = z.looseObject({
  error: z.string(),
  status: z.literal("error"),
  code: z.string().optional(),
  steps: z.array(z.string()).optional(),
  suggestion: z.string().optional(),
});

const Scored = z.object({ tactic: z.string(), logprob: z.number(), tokens: z.number() });

export const Evaluated = z.looseObject({
  /** The scores: first the tactic's, then those of its rivals. */
  scores: z.array(Scored),
  time: z.number(),
  status: z.literal("success"),
  model: ModelInfo,
});
export type Evaluated = z.output<typeof Evaluated>;

export const Hello = z.looseObject({
  service: z.literal(service_name),
  version: z.string(),
  pid: z.int(),
  /** The id of the user who owns the daemon, if the system has user ids. */
  user: z.number().nullable(),
  started_at: z.string(),
  /** A hash of the daemon's settings, with which a client checks whether they match its own. */
  serves: z.string(),
  /** Whether a server started the daemon on its own, so that a server may also end it. */
  automatic: z.boolean().default(false),
});
export type Hello = z.output<typeof Hello>;

export const Status = z.looseObject({
  pid: z.int(),
  uptime_seconds: z.number(),
  model_loaded: z.boolean(),
  state: z.enum(["installing", "loading", "ready", "unloaded", "failed"]),
  load_percent: nullable_number,
  model_error: z.string().nullable(),
  model: ModelInfo.nullable(),
  queue: z.object({ running: z.number(), waiting: z.number() }),
  connections: z.number(),
  requests: z.int(),
  cache: z.object({ entries: z.number(), hits: z.number(), misses: z.number() }),
  latency_ms: z.object({ p50: nullable_number, p90: nullable_number, p99: nullable_number }),
  memory_bytes: z.int(),
  status: z.literal("success"),
});
export type Status = z.output<typeof Status>;

/** A fault in the form in which it is sent: the original `error` and `status`, followed by Verdict's own fields. */
export function failure(thrown: unknown): z.output<typeof Failure> {
  const fault = toFault(thrown);
  const [suggestion = ""] = fault.steps;
  return { error: fault.message, status: "error", code: fault.code, suggestion, steps: [...fault.steps] };
}

/** Returns the fault in a reply, if it contains one; `engine_failed` if the daemon does not send fault codes. */
export function faultIn(reply: unknown): Fault | undefined {
  const read = Failure.safeParse(reply);
  if (!read.success) return undefined;
  const { error, code, steps, suggestion } = read.data;
  const known = FAULT_CODES.find((each): each is FaultCode => each === code) ?? "engine_failed";
  const standard = ["call bfs_daemon_status", "ask the user to run `verdict daemon restart`"];
  return new Fault(known, error, steps?.length ? steps : suggestion ? [suggestion] : standard);
}

/** Reads parameters. Raises `invalid_input` with the schema's message. */
export function readParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const read = schema.safeParse(params);
  if (read.success) return read.data;
  throw new Fault("invalid_input", read.error.issues.map(({ message }) => message).join(" "), [
    "correct the parameter and send the request again",
  ]);
}
