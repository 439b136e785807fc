import { createHash } from "node:crypto";
import * as z from "zod/v4";
import { solve_options } from "../languages/options.ts";

/** The file that lists all other files of a bundle. */
export const record_file = "bundle.json";

export const hash = z.string().regex(/^[0-9a-f]{64}$/, { error: "not a SHA-256 in hexadecimal digits" });

/** A path in a bundle. Its parts consist of letters, digits, `_`, `-` and `.`, and no part begins with a dot. */
export const path = z
  .string()
  .max(200)
  .regex(/^(?:(?!\.)[\w.-]+\/){0,3}(?!\.)[\w.-]+$/, { error: "not a plain path inside the bundle" });

/** The files listed in a record, other than the record itself. */
export const listed_files = z.record(path, z.strictObject({ bytes: z.int().min(0), sha256: hash }));

/** The options that a bundle can contain. None of them names a file. */
const { data: _data, data_files: _data_files, ...plain_options } = solve_options;
export const Options = z.strictObject({
  timeout_ms: z.number().positive().optional(),
  ...plain_options,
  engine: z.string().optional(),
  explain_unsat: z.boolean().optional(),
});

/** The contents of `bundle.json`. */
export const BundleRecord = z.strictObject({
  format: z.literal("verdict bundle, version 1", {
    error: "not a model's answer (`verdict recheck` reads proofs)",
  }),
  tool: z.enum(["solve", "solve_smtlib"]),
  language: z.string().max(40),
  items: z.array(path).min(1),
  data: path.nullable(),
  options: Options,
  answer: path,
  /** The command that decides the same question without Verdict. */
  command: z.string().nullable(),
  needs: z.string(),
  versions: z.record(z.string(), z.string()),
  /** The original files that the user named. Their values are in `data`. */
  sources: z.array(z.strictObject({ name: z.string(), sha256: hash })),
  files: listed_files,
});
export type BundleRecord = z.output<typeof BundleRecord>;

/** A format of `bundle.json`, and the files that it names in addition to the list of all files. */
export interface BundleForm<Content> {
  readonly schema: z.ZodType<Content>;
  readonly own: (record: Content) => readonly string[];
}

/** The format for a question about a model and its answer. */
export const solved_form: BundleForm<BundleRecord> = {
  schema: BundleRecord,
  own: ({ items, answer, data }) => [...items, answer, ...(data === null ? [] : [data])],
};

/** Returns the SHA-256 of a file, in hexadecimal. */
export function sha256(contents: string | Uint8Array): string {
  return createHash("sha256").update(contents).digest("hex");
}
