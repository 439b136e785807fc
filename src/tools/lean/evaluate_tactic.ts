import * as z from "zod/v4";
import type { Tactics } from "../../engines/tactic/index.ts";
import { drawing, Evaluated, rivals, tacticText } from "../../engines/tactic/protocol.ts";
import { rounded } from "../../engines/tactic/suggest.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { modelInfo, proof_state } from "./arguments.ts";
import { unreadable } from "./draw.ts";

const input = z.strictObject({
  proof_state,
  tactic: tacticText("tactic"),
  rivals: rivals.describe("Tactics to compare this tactic with."),
  goals: drawing.goals,
  prompt: drawing.prompt,
});

const rival = { tactic: z.string(), confidence_score: z.number(), probability: z.number() };

const output = z.object({
  ...rival,
  confidence_score: rival.confidence_score.describe(
    "exp of the mean log-probability per token; not a probability of success.",
  ),
  probability: rival.probability.describe("Probability that the model writes exactly this tactic."),
  logprob: z.number(),
  tokens: z.int(),
  rank: z.int().describe("Rank among the rivals, counted from 1."),
  rivals: z.array(z.object(rival)),
  model_info: z.string(),
  scores: z.enum(["exact", "reported", "none"]),
  note: z.string(),
});

const meaning =
  "How likely the model is to write this tactic. Only Lean shows whether it works: try it with lean_multi_attempt.";

/** `bfs_evaluate_tactic`: returns the model's score for a tactic that the client supplies. */
export function evaluateTactic(tactics: Tactics): Tool {
  return defineTool({
    name: "bfs_evaluate_tactic",
    description: "The model's score for a given Lean tactic in a proof state, alone and compared with rivals.",
    annotations: annotated("Evaluate a tactic", "reads"),
    input,
    output,
    bad_arguments: "invalid_input",
    limit_ms: () => tactics.settings.timeout_ms,
    async run(args, { deadline, progress }) {
      const reply = await tactics.ask("evaluate", args, deadline, progress);
      const read = Evaluated.safeParse(reply);
      if (!read.success) throw unreadable();
      const { scores, model } = read.data;
      const [own, ...others] = scores.map(worthOf);
      if (!own) throw new Error("the daemon returned no score");
      const note = tactics.note === undefined ? meaning : `${meaning} ${tactics.note}`;
      const rank = 1 + others.filter(({ confidence_score }) => confidence_score > own.confidence_score).length;
      return { ...own, rank, rivals: others.map(brief), model_info: modelInfo(model), scores: model.scores, note };
    },
    render: ({ rivals: others, rank, note, ...own }) => [
      [own, ...others].map(({ tactic, confidence_score }) => `${confidence_score.toFixed(4)}  ${tactic}`).join("\n"),
      ...(others.length > 0 ? [`; rank ${rank} of ${others.length + 1}`] : []),
      `; ${note}`,
    ],
  });
}

const brief = ({ tactic, confidence_score, probability }: ReturnType<typeof worthOf>) => ({
  tactic,
  confidence_score,
  probability,
});

function worthOf({ tactic, logprob, tokens }: Evaluated["scores"][number]) {
  return {
    tactic,
    confidence_score: rounded(Math.exp(logprob / tokens)),
    probability: Math.exp(logprob),
    logprob,
    tokens,
  };
}
