import * as z from "zod/v4";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { index, itemNamed, model_id } from "./arguments.ts";
import { change } from "./change.ts";
import { dataOf, type Files, fileIn, notesOn, type ReadFile, readFiles } from "./data/files.ts";
import { isPart } from "./data/with_files.ts";
import { type Items, insert } from "./items/items.ts";
import type { Model } from "./items/model.ts";
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
  index: z.int().optional(),
  item: z.string(),
  /** The names of the data, if a file provided data instead of code. */
  data: z.array(z.string()).optional(),
  warnings: z.array(z.string()),
});

/** `add_item`: adds an item if the model with the item passes its check. */
export function addItem(store: Store, files: Files): Tool {
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
      const named = fileIn(source);
      const found = named === undefined ? [] : await readFiles([named], files, context.deadline);
      const [part] = found.filter((file) => isPart(file, store.at(model_id).language.id));
      if (found.length > 0 && part?.content.kind !== "text") return addData(store.at(model_id), source, found);
      const { item, warnings } = tidy(part?.content.kind === "text" ? part.content.text : source);
      const edit = (items: Items) => insert(items, item, at);
      const done = await change(store, { model_id, edit, text: item, warnings }, context);
      return { status: "ok" as const, index: done.index, item, warnings: done.warnings };
    },
    render: ({ index, data = [], warnings }) => [
      index === undefined ? `Stored as model data: ${data.join(", ")}.` : `Added as item ${index}.`,
      ...remarks(warnings),
    ],
  });
}

/** Stores the values of files with a model, for all later calls of `solve`. */
function addData(model: Model, item: string, found: readonly ReadFile[]) {
  const data = dataOf(found);
  model.addData(data);
  return { status: "ok" as const, item, data: Object.keys(data), warnings: notesOn(found) };
}
