import * as z from "zod/v4";
import { symbolic_limits } from "./limits.ts";

/** The code to analyse; only its length is limited here, since Python parses the text. */
const codeUpTo = (bytes_max: number) =>
  z
    .string({ error: 'Parameter "code" must be a string: the Python source that holds the function.' })
    .refine((text) => Buffer.byteLength(text) <= bytes_max, {
      error: `Parameter "code" is longer than ${bytes_max / 1024} KiB. Send only the function and what it calls, not the whole file.`,
    })
    .describe("With annotations.");

/** The code that a client sends: a function and what it calls. */
export const code = codeUpTo(symbolic_limits.code_bytes_max);

/** A version of a whole module. */
export const moduleCode = codeUpTo(symbolic_limits.module_bytes_max);

/** Creates the argument that names a function in the code. */
export function functionName(parameter: string) {
  const error = `Parameter "${parameter}" must be the name of a function in "code".`;
  return z.string({ error }).overwrite(bareName).min(1, { error }).refine(isName, { error });
}

/** Whether a text is short enough for the name of a function or class, since answers repeat it. */
export const isName = (text: string): boolean => text.length <= symbolic_limits.name_chars_max;

/** Extracts the name from a definition or call: `def f(x: int)`, `f()`. */
function bareName(text: string): string {
  const [name = ""] = text.split("(");
  return name.replace(/^\s*(?:(?:async\s+)?def\s)?/, "").trim();
}

/** The four kinds of questions, by the names that the Python side uses. */
export type Task = "check" | "raises" | "compare" | "branches";

/** A question about a piece of code. */
export interface Question {
  readonly task: Task;
  readonly code: string;
  /** An older version of the code, which has the first of the functions; each version is a separate module. */
  readonly base?: string | undefined;
  /** One function, or the two functions to compare. */
  readonly functions: readonly string[];
  /** The exception to look for. */
  readonly exception?: string;
}
