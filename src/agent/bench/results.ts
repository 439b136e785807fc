import { appendFile, readFile } from "node:fs/promises";
import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { linesOf } from "../../kernel/text/lines.ts";

/** The result of one problem: one line of the results file. */
export const bench_result = z.object({
  problem: z.string(),
  model: z.string(),
  /**
   * A hash of everything that the result depends on; a different question, model or limit results in a different hash.
   */
  setting: z.string(),
  language: z.string().nullable(),
  size: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  valid: z.boolean(),
  optimal: z.boolean().nullable(),
  review: z.string().nullable(),
  steps: z.number(),
  repairs: z.number(),
  tokens: z.number(),
  seconds: z.number(),
  tool_seconds: z.number(),
});

export type BenchResult = z.output<typeof bench_result>;

/**
 * Reads the latest result for each setting from a file. Ignores truncated lines and runs in which the provider or the
 * server failed; those are run again.
 */
export async function earlierResults(file: string): Promise<ReadonlyMap<string, BenchResult>> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw new Fault("invalid_argument", `The results file can't be read: ${String(error)}.`, ["give another --out"]);
  });
  const results = linesOf(text).flatMap((line) => bench_result.safeParse(jsonOf(line)).data ?? []);
  // The next result starts on its own line.
  if (text !== "" && !text.endsWith("\n")) await appendFile(file, "\n");
  return new Map(results.filter(({ status }) => status !== "failed").map((result) => [result.setting, result]));
}

export async function keepResult(file: string, result: BenchResult): Promise<void> {
  await appendFile(file, `${JSON.stringify(result)}\n`);
}

/** The table of all results, by language. */
export function resultTable(results: readonly BenchResult[]): string {
  const by = (key: "language" | "size") => [...new Set(results.map((result) => result[key] ?? "-"))].toSorted();
  const groups = [
    ...by("language").map((name) => ({ name, of: results.filter(({ language }) => (language ?? "-") === name) })),
    ...by("size").map((name) => ({ name, of: results.filter(({ size }) => size === name) })),
    { name: "all", of: results },
  ];
  const rows = groups.map(({ name, of }) => {
    const with_objective = of.filter(({ optimal }) => optimal !== null);
    const sum = (pick: (result: BenchResult) => number) => of.reduce((total, result) => total + pick(result), 0);
    return [
      name,
      `${of.filter(({ status }) => status === "solved").length}/${of.length}`,
      `${of.filter(({ valid }) => valid).length}/${of.length}`,
      `${with_objective.filter(({ optimal }) => optimal).length}/${with_objective.length}`,
      `${sum(({ steps }) => steps)}`,
      `${sum(({ repairs }) => repairs)}`,
      `${sum(({ tokens }) => tokens)}`,
      `${Math.round(sum(({ seconds }) => seconds) * 10) / 10}`,
      `${Math.round(sum(({ tool_seconds }) => tool_seconds) * 10) / 10}`,
    ];
  });
  const head = ["", "solved", "valid", "optimal", "steps", "repairs", "tokens", "seconds", "in tools"];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  ")).join("\n");
}
