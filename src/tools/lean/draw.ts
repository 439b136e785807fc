import * as z from "zod/v4";
import type { Tactics } from "../../engines/tactic/index.ts";
import { Generated } from "../../engines/tactic/protocol.ts";
import { dropReason, tidyTactic } from "../../engines/tactic/sieve.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Ledger } from "./ledger.ts";
import { lean_limits } from "./limits.ts";

export const ranked = z.object({
  tactic: z.string(),
  score: z.number().nullable().describe("Mean log-probability of a token."),
  count: z.int(),
  failed_before: z.literal(true).optional(),
});
type Ranked = z.output<typeof ranked>;

export interface Drawn {
  readonly suggestions: readonly Ranked[];
  /** The number of tactics that were omitted because the answer would be too long. */
  readonly left_out: number;
  readonly reply: Generated;
}

/** Asks the daemon for tactics. Tactics that Lean has already refused in this state come last. */
export async function drawTactics(
  { tactics, ledger }: { readonly tactics: Tactics; readonly ledger: Ledger },
  state: string,
  order: object,
  deadline: Deadline,
  progress: (message: string) => void,
): Promise<Drawn> {
  // If the record can't be read, no tactic is moved to the end. The tactics are still useful.
  const failing = ledger.failedIn(state).catch((error: unknown) => {
    console.error(error);
    return new Set<string>();
  });
  // The state is normalised and complete, and all of its goals are sent.
  const reply = Generated.safeParse(
    await tactics.ask("generate", { ...order, proof_state: state, goals: "all" }, deadline, progress),
  );
  if (!reply.success) throw unreadable();
  const failed = await failing;
  const suggestions = fitting(rankedOf(reply.data)).map((each): Ranked => {
    return failed.has(each.tactic) ? { ...each, failed_before: true } : each;
  });
  const known = suggestions.filter(({ failed_before }) => failed_before);
  const ordered = [...suggestions.filter(({ failed_before }) => !failed_before), ...known];
  return { suggestions: ordered, left_out: reply.data.tactics.length - ordered.length, reply: reply.data };
}

/**
 * Returns the tactics with their scores. The original tactic server's daemon returns bare tactics, as its model wrote
 * them.
 */
function rankedOf({ tactics, suggestions }: Generated): Ranked[] {
  if (!suggestions) {
    const worth_trying = new Set(tactics.map(tidyTactic).filter((tactic) => dropReason(tactic) === undefined));
    return [...worth_trying].map((tactic) => ({ tactic, score: null, count: 1 }));
  }
  return suggestions.map(({ tactic, mean_logprob, count }) => ({ tactic, score: mean_logprob, count }));
}

/** Returns as many tactics as an answer can hold. The last ones, which are the least likely, are dropped. */
function fitting(ranked: readonly Ranked[]): Ranked[] {
  let left = lean_limits.tactics_answer_chars_max;
  return ranked.filter(({ tactic }) => {
    left -= tactic.length;
    return left >= 0;
  });
}

/** Returns the fault for a daemon that answers neither like Verdict's daemon nor like the original one. */
export function unreadable(): Fault {
  return new Fault("daemon_down", "The answer of the daemon does not have the form of a tactic daemon's answer.", [
    "ask the user to run `verdict daemon restart`",
    "or to set TACTIC_SERVER_PORT to another port, if another program listens there",
  ]);
}
