import * as z from "zod/v4";

/** Messages about two versions of a module; the other side is `python/verdict_runner/changes/messages.py`. */

/** A function that differs between the versions. */
export const ChangedFunction = z.object({
  name: z.string(),
  /** `same_code`: only its docstring or its annotations differ. */
  change: z.enum(["added", "removed", "changed", "same_code"]),
  line: z.int(),
  end_line: z.int(),
  base_line: z.int().nullable(),
  /** A hash of its code without its name, by which a function that moved is found. */
  code: z.string(),
  has_contract: z.boolean(),
  had_contract: z.boolean(),
  /** Names that it reaches and that changed, where its own code did not. */
  through: z.array(z.string()),
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
      /** The module of the older version, of which `function_a` is a function; none where there is one version. */
      base: z.string().nullable(),
      function_a: z.string(),
      function_b: z.string(),
      notes: z.array(z.string()),
      /** Types that were guessed for parameters without an annotation. */
      assumed_types: z.record(z.string(), z.string()),
    })
    .optional(),
  /** Why they can't be, or need not be, compared. */
  apart: z.object({ why: z.string(), same_code: z.boolean() }).optional(),
  /** Files of the repository, of each version, that have to be sent before there is an answer. */
  wanted: z.object({ base: z.array(z.string()), head: z.array(z.string()) }).optional(),
});
export type PairAnswer = z.output<typeof PairAnswer>;

/** A version of a module, and a function in it. */
export interface Version {
  readonly text: string;
  readonly name: string;
  /** Names that an import can find in the repository itself. */
  readonly own_modules: readonly string[];
  /** The path of the module in the repository. */
  readonly path: string;
  /** Texts of other files of the repository at this version, by their paths; null where there is no such file. */
  readonly files: Readonly<Record<string, string | null>>;
}
