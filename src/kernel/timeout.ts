import * as z from "zod/v4";
import { limits } from "./limits.ts";
import { shown } from "./text/shown.ts";

const { timeout_ms_min, timeout_ms_max, timeout_ms_default } = limits;

/** The message for an invalid timeout, as the specification of the tools words it. */
const error = ({ input }: { input?: unknown }) =>
  `Parameter "timeout_ms" must be ${timeout_ms_min}-${timeout_ms_max} (milliseconds). Given: ${shown(input)}. Omit for default ${timeout_ms_default}ms.`;

/** The argument `timeout_ms`, the same for every tool that solves. */
export const timeout_ms = z
  .number({ error })
  .min(timeout_ms_min, { error })
  .max(timeout_ms_max, { error })
  .meta({ type: "integer" })
  .default(timeout_ms_default)
  .describe("Wall time limit in ms.");
