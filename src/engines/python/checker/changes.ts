import * as z from "zod/v4";

/** Messages about two versions of a module; `python/verdict_runner/changes/messages.py` defines the Python side. */

/** A function that differs, and that a function with the same code uses. */
const Use = z.object({
  name: z.string(),
  /**
   * Whether a proof that both versions are equivalent also decides about its callers: it has the same parameters, of
   * immutable types, and the same `raise` statements, and no code reads its text.
   */
  by_value: z.boolean(),
  /** The path of its module; empty for the module of the function that uses it. */
  path: z.string(),
});
export type Use = z.output<typeof Use>;

/** If all that differs is in functions that a function uses: those functions; null otherwise. */
const uses = z.array(Use).nullable();

/** A function that differs between two versions. */
export const ChangedFunction = z.object({
  name: z.string(),
  /** The kind of change; `same_code` means that no call can run what differs in its module. */
  change: z.enum(["added", "removed", "changed", "same_code"]),
  line: z.int(),
  end_line: z.int(),
  base_line: z.int().nullable(),
  /** A hash of the function's code without its name, used to find functions that moved. */
  code: z.string(),
  has_contract: z.boolean(),
  had_contract: z.boolean(),
  /** The changed names that the function uses, if its own code did not change. */
  through: z.array(z.string()),
  uses,
});
export type ChangedFunction = z.output<typeof ChangedFunction>;

export const ChangesAnswer = z.object({
  id: z.number(),
  functions: z.array(ChangedFunction).default([]),
  generated: z.boolean().default(false),
  /** The version that is not valid Python. */
  unreadable: z.object({ side: z.enum(["base", "head"]), message: z.string(), line: z.number() }).optional(),
});
export type ChangesAnswer = z.output<typeof ChangesAnswer>;

export const PairAnswer = z.object({
  id: z.number(),
  pair: z
    .object({
      code: z.string(),
      /** The older version's module, which contains `function_a`; null if there is only one version. */
      base: z.string().nullable(),
      function_a: z.string(),
      function_b: z.string(),
      notes: z.array(z.string()),
      /** The types guessed for parameters without annotations. */
      assumed_types: z.record(z.string(), z.string()),
      uses,
    })
    .optional(),
  /** The reason why the two versions can't be compared, or need not be. */
  apart: z.object({ why: z.string(), same_code: z.boolean() }).optional(),
  /** The repository files, for each version, that must be sent before an answer is possible. */
  wanted: z.object({ base: z.array(z.string()), head: z.array(z.string()) }).optional(),
});
export type PairAnswer = z.output<typeof PairAnswer>;

/** One version of a module, and a function in it. */
export interface Version {
  readonly text: string;
  readonly name: string;
  /** The names that imports can find in the repository itself. */
  readonly own_modules: readonly string[];
  /** The module's path in the repository. */
  readonly path: string;
  /** The texts of other repository files in this version, by path; null for a file that does not exist. */
  readonly files: Readonly<Record<string, string | null>>;
}
