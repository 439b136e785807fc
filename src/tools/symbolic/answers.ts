import * as z from "zod/v4";
import type { Rendering, ToolAnnotations } from "../../kernel/tool.ts";
import type { Examined } from "./examine.ts";
import type { Difference, Inspected, Side } from "./replies.ts";

/** How it is known that something never happens; null if it is not known. */
export const proof = z
  .object({
    method: z.string(),
    engine: z.string(),
    assumptions: z.array(z.string()),
    confirmed_by: z.array(z.string()).optional(),
    unconfirmed: z.string().optional(),
  })
  .nullable();

const json = z.record(z.string(), z.unknown());

/** Inputs of one call, as they are shown. */
export const shown_input = { args: json, kwargs: json };

/** The decisions on the path of an input: a line of the code, and whether its condition held. */
export const path_lines = z.array(z.object({ line: z.int(), taken: z.boolean() }));

/** The lines of a path, as they are shown. */
export function shownLines({ path_lines: lines }: Pick<Difference, "path_lines">): z.output<typeof path_lines> {
  return lines.map(([line, taken]) => ({ line, taken }));
}

/** The last fields of every answer. */
export const common = {
  time_seconds: z.number(),
  proof,
  suggestion: z.string().optional(),
  notes: z.array(z.string()),
  engine: z.string(),
};

/** The fields of `common` for an answer; the notes `more` come first. */
export function commonOf(examined: Examined<unknown>, more: readonly string[] = []) {
  const { time_seconds, notes, examiner } = examined;
  const examined_proof = examined.proof;
  return {
    time_seconds,
    proof: examined_proof ? shownProof(examined_proof) : null,
    notes: [...more, ...notes],
    engine: examined_proof?.engine ?? examiner.engine,
  };
}

/** The part of a proof that is shown; the hash of its questions serves to compare stored proofs. */
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

/** The share of branch sides that was seen: 1 only where the exploration is a proof. */
export function coverage(sites: Inspected["sites"], covered: readonly Side[], proved: boolean): number {
  if (proved) return 1;
  const sides = new Set(covered.map(([site, side]) => `${site}:${side}`));
  const are_covered = sites.flatMap(({ site }) => [sides.has(`${site}:true`), sides.has(`${site}:false`)]);
  const share = are_covered.length === 0 ? 0.99 : are_covered.filter((each) => each).length / are_covered.length;
  return Math.min(0.99, Math.round(share * 100) / 100);
}

/** Every question only reads, and has the same answer each time. */
export function annotated(title: string): ToolAnnotations {
  return { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
}

/** An answer as text: the status, the findings, and the methods. */
export function rendered(
  first: string,
  findings: readonly string[],
  { notes, suggestion }: { readonly notes: readonly string[]; readonly suggestion?: string | undefined },
): Rendering {
  return [[first, ...findings, ...notes, ...(suggestion ? [`Try: ${suggestion}`] : [])].join("\n")];
}

/** A status with the method of its proof. */
export function proven(
  status: string,
  by: { readonly method: string; readonly confirmed_by?: readonly string[] | undefined } | null,
): string {
  if (!by) return status;
  const second = by.confirmed_by ? `; confirmed by ${by.confirmed_by.join(", ")}` : "";
  return `${status} (proven: ${by.method}${second})`;
}
