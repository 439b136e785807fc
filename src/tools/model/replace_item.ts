import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { fitTexts } from "../../kernel/text/fit.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { index, itemNamed, model_id } from "./arguments.ts";
import { change } from "./change.ts";
import { fileIn } from "./data/files.ts";
import { type Items, replace } from "./items/items.ts";
import type { Store } from "./items/store.ts";
import { tidy } from "./items/tidy.ts";
import { model_limits } from "./limits.ts";
import { remarks } from "./solution/remarks.ts";

const input = z.strictObject({ index, new_item: itemNamed("new_item"), model_id });

const output = z.object({
  status: z.literal("ok"),
  old_item: z.string(),
  new_item: z.string(),
  index: z.int(),
  warnings: z.array(z.string()),
});

/** `replace_item`: replaces an item if the model with the new item passes its check. */
export function replaceItem(store: Store): Tool {
  return defineTool({
    name: "replace_item",
    description: "Replace one item by another; checked as in add_item.",
    annotations: annotated("Replace an item", "replaces"),
    input,
    output,
    listed_output: ["status"],
    limit_ms: () => model_limits.change_ms_max,
    async run({ model_id, new_item, index: at }, context) {
      if (fileIn(new_item) !== undefined) throw fileIsNoItem();
      const { item, warnings } = tidy(new_item);
      const edit = (items: Items) => replace(items, at, item);
      const done = await change(store, { model_id, edit, text: item, warnings }, context);
      return {
        status: "ok" as const,
        old_item: done.old,
        new_item: item,
        index: done.index,
        warnings: done.warnings,
      };
    },
    render: ({ index, old_item, new_item, warnings }) => [
      `Replaced item ${index}${difference(old_item.split("\n"), new_item.split("\n"))}`,
      ...remarks(warnings),
    ],
  });
}

/** Lists the lines from the first to the last difference: old lines with a minus, new lines with a plus, as many as fit. */
function difference(before: readonly string[], now: readonly string[]): string {
  const shorter = Math.min(before.length, now.length);
  const isSame = (i: number) => before.at(i) === now.at(i);
  let from = 0;
  while (from < shorter && isSame(from)) from++;
  let end = 0;
  while (end < shorter - from && isSame(-1 - end)) end++;
  const part = (lines: readonly string[], sign: string) =>
    lines.slice(from, lines.length - end).map((line) => `${sign} ${line}`);
  const lines = [...part(before, "-"), ...part(now, "+")];
  return lines.length === 0
    ? ": no line differs."
    : `, from line ${from + 1}:\n${fitTexts(lines, limits.answer_lines_chars_max).join("\n")}`;
}

function fileIsNoItem(): Fault {
  return new Fault("invalid_argument", "A file is stored as model data, so it can't replace an item.", [
    "add_item with this file reads it again, under the same name",
    "delete_item removes the item",
  ]);
}
