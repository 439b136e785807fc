import * as z from "zod/v4";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { index, itemNamed, model_id } from "./arguments.ts";
import { change } from "./change.ts";
import { type Items, insert } from "./items/items.ts";
import type { Store } from "./items/store.ts";
import { tidy } from "./items/tidy.ts";
import { model_limits } from "./limits.ts";
import { remarks } from "./solution/remarks.ts";

const input = z.strictObject({
  item: itemNamed("item"),
  index: index.optional().describe("Insert before it; default: append."),
  model_id,
});

const output = z.object({
  status: z.literal("ok"),
  index: z.int(),
  item: z.string(),
  warnings: z.array(z.string()),
});

/** `add_item`: one more item, when the model is sound with it. */
export function addItem(store: Store): Tool {
  return defineTool({
    name: "add_item",
    description:
      "Add an item: a line of code or the whole model. It is checked; a fault changes nothing: correct and send again.",
    annotations: annotated("Add an item", "adds"),
    input,
    output,
    listed_output: ["status"],
    limit_ms: () => model_limits.change_ms_max,
    async run({ model_id, item: source, index: at }, context) {
      const { item, warnings } = tidy(source);
      const edit = (items: Items) => insert(items, item, at);
      const done = await change(store, { model_id, edit, text: item, warnings }, context);
      return { status: "ok" as const, index: done.index, item, warnings: done.warnings };
    },
    render: (answer) => [`Added as item ${answer.index}.`, ...remarks(answer.warnings)],
  });
}
