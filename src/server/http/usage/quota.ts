import * as z from "zod/v4";
import { Fault } from "../../../kernel/fault.ts";
import { nearest } from "../../../kernel/text/near_miss.ts";

/** The quota of a principal. A missing field means no limit, or the default. */
export const Quota = z
  .strictObject({
    /** The maximum number of concurrent tool calls. Further calls wait. */
    calls_at_once: z.int().min(1).max(1_000),
    /** The maximum number of waiting calls. Further calls are rejected. */
    calls_waiting: z.int().min(0).max(1_000),
    /** The maximum processor time of solvers, in seconds. */
    processor_s_per_hour: z.number().min(1).max(3_600_000),
    /** The maximum number of bytes in messages and answers. */
    bytes_per_hour: z.int().min(1_000),
  })
  .partial();
export type Quota = z.output<typeof Quota>;

/**
 * The default quotas. A static token is created manually, but everyone known to an issuer gets access tokens, so the
 * defaults differ.
 */
export const usual_quotas = {
  token: { calls_at_once: 16, calls_waiting: 48 },
  oauth: { calls_at_once: 8, calls_waiting: 16, processor_s_per_hour: 3_600, bytes_per_hour: 1_000_000_000 },
} as const satisfies Record<string, Quota>;

const names = Object.keys(Quota.shape);

/** Parses `name=number,…`. Raises `invalid_argument`. */
export function readQuota(text: string): Quota {
  const parts = text.split(",").map((part) => part.split("=").map((word) => word.trim()));
  const wrong = parts.find(([name = "", value]) => !names.includes(name) || !/^\d+(\.\d+)?$/.test(value ?? ""));
  const read = wrong
    ? undefined
    : Quota.safeParse(Object.fromEntries(parts.map(([name, value]) => [name, Number(value)])));
  if (read?.success) return read.data;
  const near = nearest(wrong?.[0] ?? "", names);
  const why = read
    ? (read.error.issues[0]?.message ?? "")
    : `${JSON.stringify(wrong?.join("=").slice(0, 100))} is none`;
  throw new Fault("invalid_argument", `The quota can't be used: ${why}.`, [
    ...(near.length > 0 && near[0] !== wrong?.[0] ? [`write ${near.join(" or ")} if you meant that`] : []),
    `write limits with numbers, from: ${names.join(", ")}; such as calls_at_once=4,processor_s_per_hour=600`,
  ]);
}
