import * as z from "zod/v4";
import type { Request } from "./protocol.ts";

/**
 * The older form of the wire, which tactic daemons and their scripts speak that are older than the source's protocol:
 * `{"state","num","temp","max_tokens"}`, answered by `{"tactics","time","num_generated"}` or `{"error"}`.
 */
const OlderRequest = z
  .looseObject({ state: z.unknown(), num: z.unknown(), temp: z.unknown(), max_tokens: z.unknown() })
  .partial()
  .refine((request) => "state" in request && !("method" in request));

const OlderReply = z.union([
  z.looseObject({ tactics: z.array(z.string()), time: z.number().default(0) }),
  z.looseObject({ error: z.string() }),
]);

/** A request of the older form in the words of the newer; undefined when it is none. */
export function fromOlder(request: unknown): Request | undefined {
  const read = OlderRequest.safeParse(request);
  if (!read.success) return undefined;
  const { state, num, temp, max_tokens } = read.data;
  const params = { proof_state: state, num_suggestions: num, temperature: temp, max_tokens };
  const named = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  return { method: "generate", params: Object.fromEntries(named) };
}

/** The source's parameters in the older form. */
export function toOlder({ proof_state, num_suggestions, temperature, max_tokens }: Record<string, unknown>): object {
  return { state: proof_state, num: num_suggestions, temp: temperature, max_tokens };
}

/** What a client of the older form reads; it looks for `error` where something is wrong. */
export function olderReply(reply: object): object {
  const { tactics, time } = z
    .looseObject({ tactics: z.array(z.string()).optional(), time: z.unknown() })
    .partial()
    .parse(reply);
  return tactics === undefined ? reply : { tactics, time, num_generated: tactics.length };
}

/** A reply of the older form as the source has it; undefined when it is none. */
export function newerReply(reply: unknown): object | undefined {
  const read = OlderReply.safeParse(reply);
  if (!read.success || "status" in read.data) return undefined;
  return { ...read.data, status: "error" in read.data ? "error" : "success" };
}
