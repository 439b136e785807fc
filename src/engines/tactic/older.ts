import * as z from "zod/v4";
import type { Request } from "./protocol.ts";

/**
 * The older protocol, used by tactic daemons and scripts that predate the original server's protocol: a request
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

/** Converts a request in the older protocol to the newer one; undefined if it is not such a request. */
export function fromOlder(request: unknown): Request | undefined {
  const read = OlderRequest.safeParse(request);
  if (!read.success) return undefined;
  const { state, num, temp, max_tokens } = read.data;
  const params = { proof_state: state, num_suggestions: num, temperature: temp, max_tokens };
  const named = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  return { method: "generate", params: Object.fromEntries(named) };
}

/** Converts parameters of the original protocol to the older one. */
export function toOlder({ proof_state, num_suggestions, temperature, max_tokens }: Record<string, unknown>): object {
  return { state: proof_state, num: num_suggestions, temp: temperature, max_tokens };
}

/** Converts a reply for a client that uses the older protocol, which recognises failures by `error`. */
export function olderReply(reply: object): object {
  const { tactics, time } = z
    .looseObject({ tactics: z.array(z.string()).optional(), time: z.unknown() })
    .partial()
    .parse(reply);
  return tactics === undefined ? reply : { tactics, time, num_generated: tactics.length };
}

/** Converts a reply in the older protocol to the original one; undefined if it is not such a reply. */
export function newerReply(reply: unknown): object | undefined {
  const read = OlderReply.safeParse(reply);
  if (!read.success || "status" in read.data) return undefined;
  return { ...read.data, status: "error" in read.data ? "error" : "success" };
}
