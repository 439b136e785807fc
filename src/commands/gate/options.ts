import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import { gate_limits } from "./limits.ts";

/** The findings that can make the gate fail, with their names in `--fail-on`. */
export const failures = [
  "different",
  "unexpected",
  "contract",
  "any-contract",
  "undecided",
  "not-checked",
  "error",
] as const;
export type Failure = (typeof failures)[number];

/** The results that still pass for functions listed in `--expect-same`, with their names in `--allow`. */
export const allowances = ["not-checked", "error", "removed"] as const;
export type Allowance = (typeof allowances)[number];

export const formats = ["text", "json", "sarif", "github", "markdown"] as const;
export type Format = (typeof formats)[number];

/** The flags of `verdict gate`, as given on the command line. */
export interface GateFlags {
  readonly base: string;
  readonly head?: string;
  readonly repository?: string;
  readonly format?: string;
  readonly write?: readonly string[];
  readonly failOn?: string;
  readonly expectSame?: readonly string[];
  readonly expectDifferent?: readonly string[];
  readonly allow?: string;
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly defaultExcludes?: boolean;
  readonly timeoutPerFunction?: string;
  readonly timeout?: string;
  readonly maxFunctions?: string;
  readonly cache?: boolean;
}

export interface GateOptions {
  readonly base: string;
  readonly head: string;
  readonly repository: string;
  readonly format: Format;
  /** Additional reports, each written to a file. */
  readonly writes: readonly { readonly format: Format; readonly file: string }[];
  readonly fail_on: readonly Failure[];
  /** Patterns for functions that must not change, and for functions that may. */
  readonly expect_same: readonly string[];
  readonly expect_different: readonly string[];
  /** Results with which a function listed in `--expect-same` passes without being examined. */
  readonly allow: readonly Allowance[];
  readonly pathspecs: readonly string[];
  readonly function_s: number;
  readonly total_s: number;
  readonly functions_max: number;
  readonly uses_cache: boolean;
}

/** Patterns for files that are not the project's own code: generated or copied files, and tests. */
const usual_excludes = [
  ...["**/*_pb2.py", "**/*_pb2_grpc.py", "**/migrations/**", "**/node_modules/**", "**/vendor/**", "**/_vendor/**"],
  ...["**/.venv/**", "**/venv/**", "**/site-packages/**"],
  ...["**/test_*.py", "**/*_test.py", "**/conftest.py", "**/tests/**", "**/testing/**"],
];

/** Reads the flags. Raises `invalid_argument`. */
export function readOptions(flags: GateFlags): GateOptions {
  const excludes = [...(flags.defaultExcludes === false ? [] : usual_excludes), ...(flags.exclude ?? [])];
  return {
    base: flags.base,
    head: flags.head ?? "HEAD",
    repository: flags.repository ?? ".",
    format: oneOf("--format", formats, flags.format ?? "text"),
    writes: (flags.write ?? []).map(readWrite),
    fail_on: readFailures(flags.failOn ?? "contract,unexpected"),
    expect_same: flags.expectSame ?? [],
    expect_different: flags.expectDifferent ?? [],
    allow: flags.allow === undefined ? [] : readList("--allow", allowances, flags.allow),
    pathspecs: [
      ...(flags.only ?? ["**/*.py"]).map((pattern) => `:(top,glob)${pattern}`),
      ...excludes.map((pattern) => `:(top,exclude,glob)${pattern}`),
    ],
    function_s: number("--timeout-per-function", flags.timeoutPerFunction, {
      usual: gate_limits.function_s_default,
      max: gate_limits.function_s_max,
    }),
    total_s: number("--timeout", flags.timeout, { usual: gate_limits.total_s_default, max: gate_limits.total_s_max }),
    functions_max: number("--max-functions", flags.maxFunctions, {
      usual: gate_limits.functions_default,
      max: gate_limits.functions_max,
    }),
    uses_cache: flags.cache ?? true,
  };
}

function readFailures(list: string): Failure[] {
  return list === "none" ? [] : readList("--fail-on", failures, list);
}

function readList<Name extends string>(flag: string, known: readonly Name[], list: string): Name[] {
  return list.split(",").map((each) => oneOf(flag, known, each.trim().replaceAll("_", "-")));
}

function readWrite(text: string): { format: Format; file: string } {
  const cut = text.indexOf("=");
  if (cut < 1 || cut === text.length - 1)
    throw new Fault("invalid_argument", `--write takes FORMAT=FILE, not ${JSON.stringify(text)}.`, [
      "write, for example, --write sarif=gate.sarif",
      `the formats are: ${formats.join(", ")}`,
    ]);
  return { format: oneOf("--write", formats, text.slice(0, cut)), file: text.slice(cut + 1) };
}

function oneOf<Name extends string>(flag: string, known: readonly Name[], word: string): Name {
  const read = z.enum(known).safeParse(word);
  if (read.success) return known.find((name) => name === word) ?? read.data;
  const near = nearest(word, known);
  throw new Fault("invalid_argument", `${flag} does not know ${JSON.stringify(word)}.`, [
    ...(near.length > 0 ? [`write ${near.join(" or ")} if you meant that`] : []),
    `choose from: ${known.join(", ")}${flag === "--fail-on" ? "; or none" : ""}`,
  ]);
}

function number(flag: string, text: string | undefined, { usual, max }: { usual: number; max: number }): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  throw new Fault("invalid_argument", `${flag} takes a whole number from 1 to ${max}, not ${JSON.stringify(text)}.`, [
    `omit it for ${usual}`,
  ]);
}

/**
 * Whether a pattern matches a function: `*` matches any characters, and the pattern has to match all of
 * `FILE::FUNCTION`, of the function alone, or of the file alone.
 */
export function means(pattern: string, file: string, name: string): boolean {
  return [`${file}::${name}`, name, file].some((text) => fits(pattern, text));
}

/** Whether a pattern matches the whole text. */
export function fits(pattern: string, text: string): boolean {
  const parts = pattern.split(/([*?])/).map((part) => {
    if (part === "*") return "[^]*";
    return part === "?" ? "[^]" : part.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "u").test(text);
}
