import * as z from "zod/v4";
import { Fault } from "../../src/kernel/fault.ts";
import type { Bench } from "./engines.ts";

/** By hand: a record of zod leaves out `__proto__`, which may be the name of a constant. */
const model = z.custom<Readonly<Record<string, string>>>(
  (given) => typeof given === "object" && given !== null && Object.values(given).every((v) => typeof v === "string"),
);

const answer = z.object({
  status: z.enum(["sat", "unsat", "unknown"]),
  output: z.string(),
  reason: z.string().optional(),
  transcript: z.array(z.object({ line: z.number().optional(), command: z.string(), output: z.string() })),
  objectives: z.array(z.object({ term: z.string(), value: z.string() })).optional(),
  optimal: z.boolean().optional(),
  unsat_core: z.array(z.object({ name: z.string(), line: z.number().optional(), text: z.string() })).optional(),
  model: model.optional(),
  warnings: z.array(z.string()),
  engine: z.string(),
  confirmed_by: z.array(z.string()).optional(),
  unconfirmed: z.string().optional(),
});

/** What `solve_smtlib` answers, as far as tests look at it. */
export type SmtlibAnswer = z.output<typeof answer>;

export interface SolveOptions {
  readonly explain_unsat?: boolean;
  readonly timeout_ms?: number;
  readonly engine?: string;
}

/** Calls `solve_smtlib` and reads its structured answer; raises its faults. */
export async function solveText(bench: Bench, smtlib: string, options: SolveOptions = {}): Promise<SmtlibAnswer> {
  return answer.parse(await bench.call("solve_smtlib", { smtlib, ...options }));
}

/** How a call came out, in the few words that a caller goes by: its status, or the code of its fault. */
interface Result {
  readonly word: unknown;
  readonly reason?: unknown;
  readonly engine?: unknown;
  readonly warnings?: unknown;
}

/** Calls `solve_smtlib`, and says how that came out. */
export async function resultOf(bench: Bench, args: Record<string, unknown>, signal?: AbortSignal): Promise<Result> {
  try {
    const { status, reason, engine, warnings } = await bench.call("solve_smtlib", args, { ...(signal && { signal }) });
    return { word: status, reason, engine, warnings };
  } catch (thrown) {
    if (thrown instanceof Fault) return { word: thrown.code };
    throw thrown;
  }
}
