import * as z from "zod/v4";

/**
 * Values by name, passed on as they are: `z.record` would leave out a name `__proto__`, which a program can choose as
 * any other.
 */
export const named_values = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "Expected values by name." },
);
