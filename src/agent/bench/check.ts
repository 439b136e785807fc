import * as z from "zod/v4";
import { Deadline } from "../../kernel/deadline.ts";
import type { Children } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { lastLineOf } from "../../kernel/text/lines.ts";
import { agent_limits } from "../limits.ts";
import type { Outcome } from "../outcome.ts";

/** A checker's judgement of an answer. */
export interface Judged {
  readonly valid: boolean;
  /** Whether the answer is optimal; null for a problem without an objective. */
  readonly optimal: boolean | null;
  readonly reason: string;
}

const Said = z.object({ valid: z.boolean(), optimal: z.boolean().nullish(), reason: z.string().default("") });

/**
 * Runs a problem's checker: a separate program that receives the verdict and the values as a JSON argument, and prints
 * one line of JSON.
 */
export async function judge(
  checker: string,
  { verdict, values }: Pick<Outcome, "verdict" | "values">,
  { children, python, signal }: { readonly children: Children; readonly python: string; readonly signal: AbortSignal },
): Promise<Judged> {
  const command = checker.endsWith(".py") ? python : process.execPath;
  const args = [checker, JSON.stringify({ verdict: verdict?.word ?? null, values })];
  const { stdout, stderr, ending } = await runToEnd(
    children.start({ command, args }),
    new Deadline(agent_limits.checker_ms_max, signal),
  );
  const checked = Said.safeParse(jsonOf(lastLineOf(stdout))).data;
  if (checked) {
    const { valid, optimal, reason } = checked;
    // Values that violate the problem can look better than the optimum.
    return { valid, optimal: optimal == null ? null : valid && optimal, reason };
  }
  return {
    valid: false,
    optimal: null,
    reason: `the checker returned no judgement (${ending.kind}): ${stderr.slice(-300)}`,
  };
}
