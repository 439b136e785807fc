import * as z from "zod/v4";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { model_id } from "./arguments.ts";
import type { Store } from "./items/store.ts";
import { model_limits } from "./limits.ts";

const output = z.object({
  status: z.literal("ok"),
  message: z.string(),
  model_id: z.string(),
  language: z.string(),
});

/** `clear_model`: creates an empty model, which becomes the current one. */
export function clearModel(store: Store): Tool {
  const ids = store.choices.map(({ id }) => id).join(", ");
  const input = z.strictObject({
    language: z
      .string({ error: `language must be one of: ${ids}. Omit it for the default.` })
      .optional()
      .describe("As of solve."),
    model_id,
  });
  return defineTool({
    name: "clear_model",
    description:
      "Begin an empty model; it becomes the current one. Choose its language (guide: verdict://guide/{language}), then add_item.",
    annotations: annotated("Clear the model", "replaces"),
    input,
    output,
    listed_output: ["status", "model_id"],
    limit_ms: () => model_limits.change_ms_max,
    async run(wish) {
      const { id, language } = store.clear(wish);
      return { status: "ok" as const, message: "Model cleared", model_id: id, language: language.id };
    },
    render: (answer) => [`${answer.message}: ${answer.model_id}, language ${answer.language}.`],
  });
}
