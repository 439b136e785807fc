import * as z from "zod/v4";

/** A JSON object with unknown fields. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const json_record = z.record(z.string(), z.unknown());

/** Returns the value if it is an object, and otherwise an empty object. */
export function asRecord(value: unknown): JsonRecord {
  return json_record.safeParse(value).data ?? {};
}
