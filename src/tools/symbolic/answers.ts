import * as z from "zod/v4";
import { visibleLine } from "../../kernel/text/visible.ts";
import type { Rendering } from "../../kernel/tool.ts";
import { typesText } from "./assumed_types.ts";
import type { Examined } from "./examine.ts";
import { exact_values } from "./python_values.ts";
import { Cause, type Difference, type Inspected, type Side, type Tally } from "./replies.ts";
import type { Proof } from "./search.ts";

/** The proof that something never happens; null if there is none. */
export const proof = z
  .object({
    method: z.string(),
    engine: z.string(),
    assumptions: z.array(z.string()),
    confirmed_by: z.array(z.string()).optional(),
    unconfirmed: z.string().optional(),
  })
  .nullable();

/** The inputs of one call, in the form in which answers show them. */
export const shown_input = { args: exact_values, kwargs: exact_values };

/**
 * The decisions on the path and the operation that failed, as a Python expression over the arguments; null if no
 * expression describes them.
 */
export const path_condition = z.string().nullable();

/** Formats a path condition as a line of text. */
export function pathLines(condition: string | null): string[] {
  return condition === null ? [] : [`  path: ${condition}`];
}

/** Returns the words that a text adds to a finding that may not be a bug. */
export function kindWords(kind: Cause): string {
  return kind === "deliberate" ? " (raised on purpose)" : kind === "limit" ? " (a limit of Python or the machine)" : "";
}

/** A number of paths; null if the exploration did not see the paths to which the rest of the answer refers. */
export const count = z.int().nullable();

/** Sorts findings by severity, most severe first. */
export function weightiestFirst<Witness extends { readonly cause: Cause }>(witnesses: readonly Witness[]): Witness[] {
  return [...witnesses].sort((a, b) => Cause.options.indexOf(a.cause) - Cause.options.indexOf(b.cause));
}

/**
 * Whether a finding is more than a limit of Python or the machine, or a call that no longer fits; the search continues
 * past these.
 */
export function isOfCode({ cause }: { readonly cause: Cause }): boolean {
  return cause !== "limit" && cause !== "call";
}

/**
 * Whether a finding is a bug rather than something the function does on purpose; the search also continues past the
 * latter.
 */
export function isBug({ cause }: { readonly cause: Cause }): boolean {
  return cause === "result" || cause === "crash";
}

/** Returns a note if no finding is certain to be a bug. */
export function causeNotes(witnesses: readonly { readonly cause: Cause }[]): readonly string[] {
  if (witnesses.length === 0 || witnesses.some(isBug)) return [];
  if (!witnesses.some(isOfCode))
    return ["Only limits of Python or of the machine were found (large numbers, deep recursion); bound the inputs."];
  return [
    "Only exceptions were found that the function raises on purpose, or limits of Python. Declare them (Raises: in the docstring) to look for others.",
  ];
}

/** The decisions on an input's path: for each, the line in the code, and whether the condition held. */
export const path_lines = z.array(z.object({ line: z.int(), taken: z.boolean() }));

/** Converts the lines of a path to the form in which answers show them. */
export function shownLines({ path_lines: lines }: Pick<Difference, "path_lines">): z.output<typeof path_lines> {
  return lines.map(([line, taken]) => ({ line, taken }));
}

/** Returns the first sentence about a claim that was proved only for types that the code does not state. */
export function assumedNotes(claim: string, proof: Proof | undefined): string[] {
  const types = proof?.assumed_types;
  return types ? [`${claim} only for the assumed types ${typesText(types)}.`] : [];
}

/** The fields at the end of every answer. */
export const common = {
  time_seconds: z.number(),
  proof,
  /** The types for which the proof holds, if the code does not state them. */
  assumed_types: z.record(z.string(), z.string()).optional(),
  suggestion: z.string().optional(),
  notes: z.array(z.string()),
  engine: z.string(),
};

/** Fills the fields of `common` for an answer; the notes in `more` come first. */
export function commonOf(examined: Examined<unknown>, more: readonly string[] = []) {
  const { time_seconds, notes, examiner } = examined;
  const examined_proof = examined.proof;
  const assumed = examined_proof?.assumed_types ? examined.inspected.assumed : [];
  const narrowed = assumed.flatMap((each) => each.narrowed.map((how) => `${how}.`));
  return {
    time_seconds,
    proof: examined_proof ? shownProof(examined_proof) : null,
    ...(examined_proof?.assumed_types && { assumed_types: { ...examined_proof.assumed_types } }),
    notes: [...new Set([...more, ...narrowed, ...notes])],
    engine: examined_proof?.engine ?? examiner.engine,
  };
}

/** Returns the part of a proof that answers show; the hash of its questions only serves to compare stored proofs. */
export function shownProof(full_proof: NonNullable<Examined<unknown>["proof"]>) {
  const { method, engine, assumptions, confirmed_by, unconfirmed } = full_proof;
  return {
    method,
    engine,
    assumptions: [...assumptions],
    ...(confirmed_by && { confirmed_by: [...confirmed_by] }),
    ...(unconfirmed !== undefined && { unconfirmed }),
  };
}

/** The number of explored paths that are relevant to the question, and how many of them had no finding. */
interface Paths {
  readonly explored: number | null;
  readonly verified: number | null;
}

/**
 * Returns the counts of an exploration if they agree with the answer: there must be a path for each finding, and after
 * a proof no path may be left over. Other sources count no paths, so an answer from them has no counts.
 */
export function agreeing({ paths, skipped, verified }: Tally, findings: number, is_proved: boolean): Paths {
  const explored = paths - skipped;
  const agrees = explored > 0 && verified + findings <= explored && (!is_proved || verified === explored);
  return agrees ? { explored, verified } : { explored: null, verified: null };
}

/** Returns the share of branch sides that were seen: 1 only for a proof; null if the exploration has no counts. */
export function coverage(
  sites: Inspected["sites"],
  { explored }: Paths,
  covered: readonly Side[],
  is_proved: boolean,
): number | null {
  if (is_proved) return 1;
  if (explored === null) return null;
  const sides = new Set(covered.map(([site, side]) => `${site}:${side}`));
  const are_covered = sites.flatMap(({ site }) => [sides.has(`${site}:true`), sides.has(`${site}:false`)]);
  const share = are_covered.length === 0 ? 0.99 : are_covered.filter((each) => each).length / are_covered.length;
  return Math.min(0.99, Math.round(share * 100) / 100);
}

/**
 * Formats an answer as text: the status, the lines of the findings, and the notes. A message of the code's own exceptions
 * can't begin a line.
 */
export function rendered(
  first: string,
  lines: readonly string[],
  { notes, suggestion }: { readonly notes: readonly string[]; readonly suggestion?: string | undefined },
): Rendering {
  return [[first, ...lines, ...notes, ...(suggestion ? [`Try: ${suggestion}`] : [])].map(visibleLine).join("\n")];
}

/** Adds the method of the proof to a status, and the types for which it holds. */
export function proven(
  status: string,
  by: { readonly method: string; readonly confirmed_by?: readonly string[] | undefined } | null,
  types?: Readonly<Record<string, string>>,
): string {
  if (!by) return status;
  const second = by.confirmed_by ? `; confirmed by ${by.confirmed_by.join(", ")}` : "";
  return `${status}${types ? ` only for ${typesText(types)}` : ""} (proven: ${by.method}${second})`;
}
