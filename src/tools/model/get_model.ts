import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import { cut } from "../../kernel/text/cut.ts";
import { fitTexts } from "../../kernel/text/fit.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { indexNamed, model_id } from "./arguments.ts";
import { from, type Items } from "./items/items.ts";
import { type Model, waitedTooLong } from "./items/model.ts";
import type { Store } from "./items/store.ts";
import { model_limits } from "./limits.ts";
import { remarks } from "./solution/remarks.ts";

const output = z.object({
  status: z.literal("ok"),
  item_count: z.int(),
  items: z.array(z.object({ index: z.int(), content: z.string() })),
  model_id: z.string(),
  language: z.string(),
  /** The names of the data stored with the model. */
  data: z.array(z.string()).optional(),
  findings: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
});

type Listed = z.output<typeof output>["items"];

/** `get_model`: lists the items with their indices. */
export function getModel(store: Store): Tool {
  return defineTool({
    name: "get_model",
    description: "The items with their indices, and what looks wrong in them.",
    annotations: annotated("Show the model", "reads"),
    input: z.strictObject({
      from_index: indexNamed("from_index").optional().describe("First item to show."),
      model_id,
    }),
    output,
    listed_output: ["status"],
    limit_ms: () => model_limits.change_ms_max,
    question: "of_session",
    async run({ model_id, from_index = 0 }, { deadline }) {
      const model = store.at(model_id);
      const now = await model.snapshot(deadline);
      if (now === "expired") throw waitedTooLong();
      const items = list(from(now.items, from_index), from_index);
      const next = (items.at(-1)?.index ?? now.items.length) + 1;
      const findings = fitTexts(findingsIn(model, now.items), model_limits.fault_output_chars_max);
      return {
        status: "ok" as const,
        item_count: now.items.length,
        items,
        model_id: model.id,
        language: model.language.id,
        ...(model.data && { data: Object.keys(model.data) }),
        ...(findings.length > 0 && { findings }),
        ...(next < now.items.length && { warnings: [`More items: get_model with from_index ${next} shows them.`] }),
      };
    },
    render: ({ item_count, items, model_id, language, data = [], findings = [], warnings }) => [
      [`${model_id}, ${language}: ${item_count} items`, ...items.map(numbered)].join("\n"),
      ...(data.length > 0 ? [`Data: ${data.join(", ")}.`] : []),
      ...findings,
      ...remarks(warnings),
    ],
  });
}

/** Returns the suspicious parts of a model; none if it is empty. */
function findingsIn({ language, data }: Model, items: Items): readonly string[] {
  return items.length === 0 ? [] : (language.findings?.(items, data) ?? []);
}

/** Returns as many items as fit in one answer, numbered from `first`. */
function list(items: Items, first: number): Listed {
  let left = limits.answer_chars_max;
  const shown: Listed = [];
  for (const [i, item] of items.entries()) {
    const entry = { index: first + i, content: cut(item, limits.answer_chars_max) };
    left -= JSON.stringify(entry).length;
    if (left < 0 && i > 0) break;
    shown.push(entry);
  }
  return shown;
}

function numbered({ index, content }: Listed[number]): string {
  const margin = " ".repeat(String(index).length);
  return content
    .split("\n")
    .map((line, i) => `${i === 0 ? index : margin} | ${line}`)
    .join("\n");
}
