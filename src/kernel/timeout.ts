import * as z from "zod/v4";
import { limits } from "./limits.ts";

const { timeout_ms_min, timeout_ms_max, timeout_ms_default } = limits;

/** The words of source 000 for a timeout that can't be. */
function badTimeout(given: unknown): string {
  const shown = typeof given === "string" ? JSON.stringify(given) : String(given);
  return `Parameter "timeout_ms" must be ${timeout_ms_min}-${timeout_ms_max} (milliseconds). Given: ${shown}. Omit for default ${timeout_ms_default}ms.`;
}

const error = (issue: { input?: unknown }) => badTimeout(issue.input);

/** The argument `timeout_ms`, the same for every tool that solves. */
export const timeout_ms = z
  .number({ error })
  .min(timeout_ms_min, { error })
  .max(timeout_ms_max, { error })
  .meta({ type: "integer" })
  .default(timeout_ms_default)
  .describe("Wall time limit in ms.");
