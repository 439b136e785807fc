import * as z from "zod/v4";
import { shown } from "../../kernel/text/shown.ts";
import { symbolic_limits } from "./limits.ts";

const { timeout_s_max: seconds_max } = symbolic_limits;

/** The code under analysis: Python parses the text; its length is bounded here. */
export const code = z
  .string({ error: 'Parameter "code" must be a string: the Python source that holds the function.' })
  .refine((text) => Buffer.byteLength(text) <= symbolic_limits.code_bytes_max, {
    error: `Parameter "code" is longer than ${symbolic_limits.code_bytes_max / 1024} KiB. Send the function and what it calls, not the whole file.`,
  })
  .describe("With annotations.");

/** The argument that names a function of the code. */
export function functionName(parameter: string) {
  const error = `Parameter "${parameter}" must be the name of a function in "code".`;
  return z.string({ error }).overwrite(bareName).min(1, { error });
}

/** The name in a definition or call: `def f(x: int)`, `f()`. */
function bareName(text: string): string {
  return text.replace(/^\s*(?:(?:async\s+)?def\s)?\s*/, "").replace(/\s*(?:\(.*)?$/s, "");
}

/** The argument `timeout_seconds`, with the default of this tool. */
export function timeoutSeconds(seconds_default: number) {
  const error = ({ input }: { input?: unknown }) =>
    `Parameter "timeout_seconds" must be 1-${seconds_max} (whole seconds). Given: ${shown(input)}. Omit for default ${seconds_default}.`;
  return z.int({ error }).min(1, { error }).max(seconds_max, { error }).default(seconds_default);
}

/** The four kinds of question, by their names on the Python side. */
export type Task = "check" | "raises" | "compare" | "branches";

/** A question about a piece of code. */
export interface Question {
  readonly task: Task;
  readonly code: string;
  /** One function, or the two that are compared. */
  readonly functions: readonly string[];
  /** The exception that is looked for. */
  readonly exception?: string;
}
