import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import { fitTexts, fitValues, roomFor } from "../../kernel/text/fit.ts";
import { visibleLine } from "../../kernel/text/visible.ts";
import { timeout_ms } from "../../kernel/timeout.ts";
import { annotated, defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import { model_id } from "./arguments.ts";
import { checker_output, checkerFields, checkerSentence } from "./checker/result.ts";
import { waitedTooLong } from "./items/model.ts";
import type { Store } from "./items/store.ts";
import { ItemLine, lineShown, type Outcome, type Values } from "./language.ts";
import { model_limits } from "./limits.ts";
import { brokenLines } from "./plans/broken.ts";
import { nothingToSolve, withHint } from "./solve_model.ts";

const values_error =
  'Parameter "values" must be an object of values by name, as answers of the model show them, such as {"x": [1, null, 3]}.';

const output = z.object({
  status: z.enum(["valid", "invalid", "unknown"]),
  message: z.string(),
  values: z.record(z.string(), z.unknown()).nullable().describe("The plan, completed."),
  objective: z.unknown(),
  best: z.object({ value: z.unknown(), proved: z.boolean() }).optional(),
  broken: z
    .array(ItemLine.extend({ by: z.number().optional() }))
    .describe("Without these lines the values are possible; by: the least amount by which to relax each."),
  not_compared: z.array(z.string()),
  ...checker_output,
  warnings: z.array(z.string()),
});
type PlanAnswer = z.output<typeof output>;

/** `check_plan`: checks whether the model allows proposed values, and which lines of the model they violate. */
export function checkPlan(store: Store): Tool {
  return defineTool({
    name: "check_plan",
    description:
      "Does the model allow these values? Missing ones are completed. Lists the lines, and the rules of the checker, that they break.",
    annotations: annotated("Check a proposed plan", "reads"),
    input: z.strictObject({ values: z.record(z.string(), z.unknown(), { error: values_error }), timeout_ms, model_id }),
    output,
    listed_output: ["status"],
    limit_ms: ({ timeout_ms }) => timeout_ms,
    question: "of_session",
    async run({ values: plan, model_id }, { deadline, progress }) {
      const model = store.at(model_id);
      const now = await model.snapshot(deadline);
      if (now === "expired") throw waitedTooLong();
      if (now.items.length === 0) throw nothingToSolve(model, model.refusals.warnings());
      const { language, data } = model;
      const kept = data && { data, data_kept: Object.keys(data) };
      const options = withHint(model, { plan, ...kept, ...(language.takes.includes("why") && { why: true }) });
      progress("checking the plan");
      const outcome = await language.solve(now.items, { deadline, progress, news: () => {}, options });
      return answerOf(outcome, plan);
    },
    render: renderPlan,
  });
}

function answerOf(outcome: Outcome, plan: Values): PlanAnswer {
  const { all_answer: answer, verdict, why, checker } = outcome;
  const { broken, proof } = brokenLines(why);
  const is_decided = answer?.kind === "plan";
  const breaks_rules = checker?.status === "violated";
  const status = !is_decided ? "unknown" : answer.possible && !breaks_rules ? "valid" : "invalid";
  const chars_max = roomFor({})(limits.values_text_chars_max);
  const completed = is_decided && answer.possible ? fitValues(answer.values ?? {}, chars_max).values : null;
  const reason = answer?.reason ?? (verdict.kind === "undecided" ? verdict.reason : "the model has assumptions");
  const is_refused = is_decided && !answer.possible;
  const sentence = is_decided
    ? decidedWords(answer.possible, Object.keys(plan).length > 0, broken.length)
    : `Undecided: ${reason}.`;
  return {
    status,
    message: `${sentence}${is_refused ? proof : ""}${checkerSentence(checker, !is_refused)}`,
    values: completed,
    objective: is_decided ? (answer.objective ?? null) : null,
    ...(is_decided && answer.best && { best: { value: answer.best.value ?? null, proved: answer.best.proved } }),
    broken: [...broken],
    not_compared: answer?.left_out ?? [],
    ...checkerFields(checker, chars_max),
    warnings: fitTexts(outcome.warnings, chars_max),
  };
}

function decidedWords(possible: boolean, has_values: boolean, broken: number): string {
  if (possible) return has_values ? "The model has a solution with these values." : "The model has a solution.";
  return broken > 0
    ? "The model has no solution with these values; they violate the lines below."
    : "The model has no solution with these values.";
}

function renderPlan({
  status,
  message,
  values,
  objective,
  best,
  broken,
  violations = [],
  not_compared,
  warnings,
}: PlanAnswer): Rendering {
  return [
    [
      status,
      message,
      ...broken.map((line) => `broken${line.by === undefined ? "" : ` by ${line.by}`}: ${lineShown(line)}`),
      ...violations.map((each) => `violated: ${each}`),
      ...(values ? [`values: ${JSON.stringify(values)}`] : []),
      ...(objective === null ? [] : [`objective: ${JSON.stringify(objective)}`]),
      ...(best ? [`best known objective: ${JSON.stringify(best.value)}${best.proved ? " (proved)" : ""}`] : []),
      ...(not_compared.length > 0
        ? [`not compared: ${not_compared.slice(0, model_limits.names_listed_max).join(", ")}`]
        : []),
    ]
      .map(visibleLine)
      .join("\n"),
    ...warnings.map(visibleLine),
  ];
}
