import * as z from "zod/v4";
import { engine_limits } from "../../engines/limits.ts";
import type { Tactics } from "../../engines/tactic/index.ts";
import { drawing } from "../../engines/tactic/protocol.ts";
import { normalState } from "../../engines/tactic/state.ts";
import { toFault } from "../../kernel/fault.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { modelInfo, proof_state, stateNamed } from "./arguments.ts";
import { type Drawn, drawTactics, ranked } from "./draw.ts";
import type { Ledger } from "./ledger.ts";

const input = z.strictObject({
  proof_state,
  ...drawing,
  format: z.enum(["lines", "json"], { error: 'format must be "lines" or "json".' }).default("lines"),
  prefix: drawing.prefix.describe("The text with which each tactic begins."),
  more_states: z
    .array(stateNamed("each of more_states"), { error: "more_states must be a list of proof states." })
    .max(engine_limits.tactic_batch_max - 1, {
      error: `more_states can have at most ${engine_limits.tactic_batch_max - 1} states.`,
    })
    .optional()
    .describe("Further proof states; their answers are in `more`."),
});

const output = z.object({
  tactics: z.array(z.string()),
  generation_time: z.number(),
  daemon_status: z.literal("running"),
  model_info: z.string(),
  suggestions: z.array(ranked),
  dropped: z.record(z.string(), z.int()).optional(),
  cached: z.boolean(),
  timed_out: z.boolean(),
  format: input.shape.format.unwrap(),
  model_fingerprint: z.string().nullable(),
  more: z.array(z.object({ tactics: z.array(z.string()), error: z.string().optional() })).optional(),
  note: z.string().optional(),
});

/** `bfs_suggest_tactics`: suggests the tactics that a model would try next. */
export function suggestTactics(tactics: Tactics, ledger: Ledger): Tool {
  return defineTool({
    name: "bfs_suggest_tactics",
    description:
      "Suggest Lean 4 tactics for a proof state, best first, with a local model. They are unchecked: try them with lean_multi_attempt, then call bfs_record_outcome.",
    annotations: annotated("Suggest tactics", "reads"),
    input,
    output,
    bad_arguments: "invalid_input",
    limit_ms: () => tactics.settings.timeout_ms,
    async run({ format, more_states, proof_state: state, ...order }, { deadline, progress }) {
      const draw = async (raw_state: unknown) =>
        drawTactics({ tactics, ledger }, normalState(raw_state, order.goals), order, deadline, progress);
      const first = await draw(state);
      const more: { tactics: string[]; error?: string }[] = [];
      for (const other of more_states ?? []) more.push(await onlyTactics(draw(other), deadline.signal));
      const { note } = tactics;
      return { ...answerOf(first), format, ...(more_states && { more }), ...(note && { note }) };
    },
    render: (answer) => {
      if (answer.format === "json") return [JSON.stringify(answer, null, 2)];
      return [listing(answer.tactics), ...remarks(answer)];
    },
  });
}

function answerOf({ suggestions, left_out, reply }: Drawn): Omit<z.output<typeof output>, "more" | "format" | "note"> {
  const dropped = { ...reply.dropped, ...(left_out > 0 && { left_out }) };
  return {
    tactics: suggestions.map(({ tactic }) => tactic),
    generation_time: reply.time,
    daemon_status: "running",
    model_info: modelInfo(reply.model),
    suggestions: [...suggestions],
    ...(Object.keys(dropped).length > 0 && { dropped }),
    cached: reply.cached ?? false,
    timed_out: reply.timed_out ?? false,
    model_fingerprint: reply.model?.fingerprint ?? null,
  };
}

/** Returns a state's tactics, or its error. So one bad state does not prevent answers for the other states. */
async function onlyTactics(drawn: Promise<Drawn>, signal: AbortSignal): Promise<{ tactics: string[]; error?: string }> {
  try {
    return { tactics: (await drawn).suggestions.map(({ tactic }) => tactic) };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { tactics: [], error: toFault(thrown).message };
  }
}

/** Lists one tactic per line. If a tactic has several lines, tactics are separated by empty lines. */
function listing(tactics: readonly string[]): string {
  if (tactics.length === 0)
    return "No tactic was generated: a different seed, a higher temperature or a larger max_tokens might help.";
  return tactics.join(tactics.some((tactic) => tactic.includes("\n")) ? "\n\n" : "\n");
}

function remarks({ timed_out, dropped, suggestions, more, note }: z.output<typeof output>): string[] {
  const reasons = Object.entries(dropped ?? {}).map(([reason, count]) => `${count} ${reason}`);
  const failed = suggestions.filter(({ failed_before }) => failed_before).length;
  const other = failed === suggestions.length ? ": a different seed or a higher temperature gives others" : "";
  return [
    ...(timed_out ? ["; timed out: these are the tactics that were ready"] : []),
    ...(reasons.length > 0 ? [`; dropped: ${reasons.join(", ")}`] : []),
    ...(note ? [`; ${note} \`verdict daemon restart\` changes that.`] : []),
    ...(failed > 0 ? [`; the last ${failed} failed here before${other}`] : []),
    ...(more ?? []).map(({ tactics, error }, i) => `; state ${i + 2}\n${error ?? listing(tactics)}`),
  ];
}
