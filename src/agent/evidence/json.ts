import * as z from "zod/v4";

/** An object of JSON whose fields are not known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const json_record = z.record(z.string(), z.unknown());

/** The value as an object; an empty one if it is none. */
export function asRecord(value: unknown): JsonRecord {
  return json_record.safeParse(value).data ?? {};
}
