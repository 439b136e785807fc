import * as z from "zod/v4";

/**
 * Values by name, passed on unchanged. `z.record` would drop the name `__proto__`, which a program can choose like any
 * other name.
 */
export const named_values = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "Expected values by name." },
);
