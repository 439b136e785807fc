import * as z from "zod/v4";
import { jsonOf } from "../../kernel/text/json.ts";
import type { Question } from "../../kernel/tool.ts";
import { Event, isId, states } from "../job.ts";
import { redis_limits } from "./limits.ts";

/** Parses all data from Redis, because anyone with write access can write anything there. */

/** A call as its worker needs it, without its question. */
export const Call = z.object({
  version: z.literal(1),
  owner: z.string().max(1_000),
  /** The server that waits for the call. */
  server: z.string().max(100),
  capability: z.string().max(50),
  timeout_ms_max: z.number().positive(),
});
export type Call = z.output<typeof Call>;

/** The events of a running call so far. */
export const Live = z.object({
  ran_s: z.number(),
  doing: z.string().max(redis_limits.message_chars_max),
  best_so_far: z.string().max(redis_limits.message_chars_max).nullable(),
  events: z.array(Event).max(200),
});
export type Live = z.output<typeof Live>;

/** How a call ended, without its answer. */
export const End = z.object({ state: z.enum(states), ended_ms: z.number(), ran_s: z.number() });
export type End = z.output<typeof End>;

/** A message to a server. */
const Message = z.object({
  id: z.string().refine(isId),
  /** `spent` reports a call's processor time, in ms, since the last `spent` message. */
  kind: z.enum(["progress", "event", "spent", "ended"]),
  text: z.string().max(redis_limits.message_chars_max).default(""),
});
export type Message = z.output<typeof Message>;

/** Parses a string from Redis with a schema. Returns undefined if it does not match. */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string | null | undefined) {
  const read = schema.safeParse(jsonOf(text ?? ""));
  return read.success ? read.data : undefined;
}

export function readMessage(text: string): Message | undefined {
  return text.length > redis_limits.message_bytes_max ? undefined : readJson(Message, text);
}

/** Returns a call's question as it is stored. */
export function questionText(question: Question | null): string {
  return JSON.stringify({ question });
}
