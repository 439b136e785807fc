import * as z from "zod/v4";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { index, model_id } from "./arguments.ts";
import { change } from "./change.ts";
import { type Items, remove } from "./items/items.ts";
import type { Store } from "./items/store.ts";
import { model_limits } from "./limits.ts";
import { remarks } from "./solution/remarks.ts";

const output = z.object({
  status: z.literal("ok"),
  removed_item: z.string(),
  index: z.int(),
  warnings: z.array(z.string()).optional(),
});

/** `delete_item`: removes an item if the remaining model passes its check. */
export function deleteItem(store: Store): Tool {
  return defineTool({
    name: "delete_item",
    description: "Delete an item; later items move up.",
    annotations: annotated("Delete an item", "changes"),
    input: z.strictObject({ index, model_id }),
    output,
    listed_output: ["status"],
    limit_ms: () => model_limits.change_ms_max,
    async run({ model_id, index: at }, context) {
      const edit = (items: Items) => remove(items, at);
      const { old, index, warnings } = await change(store, { model_id, edit, warnings: [] }, context);
      return { status: "ok" as const, removed_item: old, index, ...(warnings.length > 0 && { warnings }) };
    },
    render: (answer) => [`Deleted item ${answer.index}:\n${answer.removed_item}`, ...remarks(answer.warnings)],
  });
}
