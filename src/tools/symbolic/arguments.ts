import * as z from "zod/v4";
import { symbolic_limits } from "./limits.ts";

/** The code under analysis: Python parses the text; its length is bounded here. */
const codeUpTo = (bytes_max: number) =>
  z
    .string({ error: 'Parameter "code" must be a string: the Python source that holds the function.' })
    .refine((text) => Buffer.byteLength(text) <= bytes_max, {
      error: `Parameter "code" is longer than ${bytes_max / 1024} KiB. Send the function and what it calls, not the whole file.`,
    })
    .describe("With annotations.");

/** The code that a client sends: a function and what it calls. */
export const code = codeUpTo(symbolic_limits.code_bytes_max);

/** A version of a whole module. */
export const moduleCode = codeUpTo(symbolic_limits.module_bytes_max);

/** The argument that names a function of the code. */
export function functionName(parameter: string) {
  const error = `Parameter "${parameter}" must be the name of a function in "code".`;
  return z.string({ error }).overwrite(bareName).min(1, { error }).refine(isName, { error });
}

/** Whether a text can be the name of a function or class: answers repeat it. */
export const isName = (text: string): boolean => text.length <= symbolic_limits.name_chars_max;

/** The name in a definition or call: `def f(x: int)`, `f()`. */
function bareName(text: string): string {
  const [name = ""] = text.split("(");
  return name.replace(/^\s*(?:(?:async\s+)?def\s)?/, "").trim();
}

/** The four kinds of question, by their names on the Python side. */
export type Task = "check" | "raises" | "compare" | "branches";

/** A question about a piece of code. */
export interface Question {
  readonly task: Task;
  readonly code: string;
  /** An older version of the code, of which the first function is one: each version is a module of its own. */
  readonly base?: string | undefined;
  /** One function, or the two that are compared. */
  readonly functions: readonly string[];
  /** The exception that is looked for. */
  readonly exception?: string;
}
