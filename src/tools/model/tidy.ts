import { Fault } from "../../kernel/fault.ts";

export interface Tidied {
  readonly item: string;
  readonly warnings: readonly string[];
}

/** An item without what language models put around code; all its lines end as lines do here. */
export function tidy(given: string): Tidied {
  const text = given.replaceAll(/\r\n?/g, "\n");
  const fenced = /^\s*```[ \t]*[\w.+-]*[ \t]*\n/.exec(text);
  const item = fenced ? text.slice(fenced[0].length).replace(/\n?[ \t]*```\s*$/, "") : text;
  if (item.trim() !== "") return { item, warnings: fenced ? [fence_taken] : [] };
  throw new Fault("invalid_argument", "The item is empty.", [
    "write one declaration, constraint or statement into the item",
    "call delete_item to take an item out of the model",
  ]);
}

const fence_taken = "the code fence around the item was taken off; lines count without it";
