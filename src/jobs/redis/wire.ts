import * as z from "zod/v4";
import type { Question } from "../../kernel/tool.ts";
import { Event, isId, states } from "../job.ts";
import { jsonOf } from "../stored.ts";
import { redis_limits } from "./limits.ts";

/** All data from Redis is parsed here: anyone with write access can write anything. */

/** A call as its worker needs it, without its question. */
export const Call = z.object({
  version: z.literal(1),
  owner: z.string().max(1_000),
  /** The server that waits for it. */
  server: z.string().max(100),
  capability: z.string().max(50),
  /** In its queue; the band says whether a client waits. */
  turn: z.int().optional(),
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
  /** `spent`: the processor time of a call, in ms, since the last such message. */
  kind: z.enum(["progress", "event", "spent", "ended"]),
  text: z.string().max(redis_limits.message_chars_max).default(""),
});
export type Message = z.output<typeof Message>;

/** Parses a string from Redis with a schema; undefined if it does not match. */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string | null | undefined) {
  const read = schema.safeParse(jsonOf(text ?? ""));
  return read.success ? read.data : undefined;
}

export function readMessage(text: string): Message | undefined {
  return text.length > redis_limits.message_bytes_max ? undefined : readJson(Message, text);
}

/** A call's question as stored. */
export function questionText(question: Question | null): string {
  return JSON.stringify({ question });
}
