import * as z from "zod/v4";
import type { Tactics } from "../../engines/tactic/index.ts";
import { drawing, tacticText } from "../../engines/tactic/protocol.ts";
import { normalState } from "../../engines/tactic/state.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { proof_state } from "./arguments.ts";
import type { Ledger, Proof } from "./ledger.ts";
import { type AttemptItem, items, judge, type Outcome, readItems } from "./outcome.ts";

const input = z.strictObject({
  proof_state: proof_state.optional(),
  items: items.default([]).describe("`items` of lean_multi_attempt, unchanged."),
  proof_id: z
    .string({ error: "proof_id must be a string." })
    .max(limits.id_chars_max, { error: `proof_id can have at most ${limits.id_chars_max} characters.` })
    .optional()
    .describe("Tracks the steps of one proof."),
  applied: tacticText("applied").optional().describe("The snippet that was written into the file."),
  goals: drawing.goals,
});

const verdicts = z.enum(["proved", "closed", "progress", "no_progress", "failed", "timed_out"]);

const output = z.object({
  status: z.literal("ok"),
  outcomes: z.array(
    z.object({ tactic: z.string(), verdict: verdicts, goals: z.int(), message: z.string().nullable() }),
  ),
  best: z.string().nullable().describe("The attempt that made the most progress."),
  heads: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      "How often tactics with this first word (head) were tried and worked; without items, counted over all tactics.",
    ),
  proof: z
    .object({
      proof_id: z.string(),
      steps: z.array(z.record(z.string(), z.unknown())),
      open_goals: z.int(),
      state: z.string().nullable(),
    })
    .optional(),
  notes: z.array(z.string()),
});

/** `bfs_record_outcome`: records Lean's answers to tactics. Later suggestions use them. */
export function recordOutcome(tactics: Tactics, ledger: Ledger): Tool {
  return defineTool({
    name: "bfs_record_outcome",
    description:
      "Record the answer of lean_multi_attempt: from then on, failed tactics are suggested last, and the steps of a proof are tracked. Without items, show what has been recorded so far.",
    annotations: annotated("Record outcomes", "adds"),
    input,
    output,
    bad_arguments: "invalid_input",
    limit_ms: () => limits.probe_ms_max + 2 * limits.file_wait_ms_max,
    async run({ proof_state: raw_state, items: attempts, proof_id, applied, goals }, { deadline }) {
      const outcomes = judged(readItems(attempts), raw_state, goals);
      if (outcomes.length > 0) {
        const model = (await tactics.status(deadline.atMost(limits.probe_ms_max)))?.model?.fingerprint ?? null;
        await ledger.record({ state: normalState(raw_state, goals), outcomes, model }, deadline);
      }
      const proof = proof_id === undefined ? undefined : await stepOf(ledger, proof_id, applied, outcomes, deadline);
      return {
        status: "ok" as const,
        outcomes: outcomes.map(({ tactic, verdict, goals: left, message }) => ({
          tactic,
          verdict,
          goals: left,
          message,
        })),
        best: bestOf(outcomes)?.tactic ?? null,
        heads: (await ledger.heads(outcomes)).map((head) => ({ ...head })),
        ...(proof && proof_id !== undefined && { proof: { proof_id, ...show(proof) } }),
        notes: [
          ...notesOn(outcomes),
          ...(proof_id !== undefined && !proof
            ? ["nothing is recorded for that proof_id: pass applied together with items"]
            : []),
        ],
      };
    },
    render: ({ outcomes, heads, best, notes, proof }) => [
      outcomes.map(({ tactic, verdict }) => `${verdict}: ${tactic}`).join("\n") ||
        heads.map(({ head, tried, worked }) => `${head}: ${worked} of ${tried} worked`).join("\n") ||
        "Nothing is recorded yet.",
      ...(best === null ? [] : [`; furthest: ${best}`]),
      ...(proof ? [`; proof ${proof.proof_id}: ${proof.steps.length} steps, ${proof.open_goals} open goals`] : []),
      ...notes.map((note) => `; ${note}`),
    ],
  });
}

function judged(attempts: readonly AttemptItem[], raw_state: unknown, goals: "first" | "all"): Outcome[] {
  if (attempts.length === 0) return [];
  if (raw_state === undefined) throw needsState();
  // The goals after a tactic are compared with all goals of the state before it.
  normalState(raw_state, goals);
  const before = normalState(raw_state, "all");
  return attempts.map((item) => judge(item, before));
}

async function stepOf(
  ledger: Ledger,
  proof_id: string,
  applied: string | undefined,
  outcomes: readonly Outcome[],
  deadline: Deadline,
): Promise<Proof | undefined> {
  if (applied === undefined) return ledger.proof(proof_id);
  const outcome = outcomes.find(({ tactic }) => tactic === applied.trim());
  if (outcome) return ledger.step(proof_id, outcome, deadline);
  throw new Fault("invalid_input", "applied is not one of the snippets in items.", [
    "pass the snippet unchanged, with the items that contain its result",
    "or omit it: the outcomes are then recorded without a proof step",
  ]);
}

const order = ["proved", "closed", "progress"];

/** Returns the attempt that ends the proof, or otherwise the one that leaves the fewest goals. */
function bestOf(outcomes: readonly Outcome[]): Outcome | undefined {
  const good = outcomes.filter(({ verdict }) => order.includes(verdict));
  return good.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || a.goals - b.goals)[0];
}

function notesOn(outcomes: readonly Outcome[]): string[] {
  const closed = outcomes.some(({ verdict }) => verdict === "closed" || verdict === "proved");
  return closed
    ? ["no goals are left: the proof counts if the whole file compiles without errors and without sorry"]
    : [];
}

function show({ steps, open_goals, state }: Proof) {
  return {
    steps: steps.map(({ tactic, verdict, open_goals: left }) => ({ tactic, verdict, open_goals: left })),
    open_goals,
    state,
  };
}

function needsState(): Fault {
  return new Fault("invalid_input", "items require the proof_state in which they were tried.", [
    "send the same proof_state that the tactics were suggested for",
    "omit items to see the record so far",
  ]);
}
