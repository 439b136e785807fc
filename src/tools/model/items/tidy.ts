import { Fault } from "../../../kernel/fault.ts";
import { unfence } from "../../../kernel/text/unfence.ts";

export interface Tidied {
  readonly item: string;
  readonly warnings: readonly string[];
}

/** Removes the wrapping that language models put around an item's code, and normalises line endings to newlines. */
export function tidy(source: string): Tidied {
  const { text, notes } = unfence(source, "item");
  if (text.trim() !== "") return { item: text, warnings: notes };
  throw new Fault("invalid_argument", "The item is empty.", [
    "write one declaration, constraint or statement into the item",
    "call delete_item to remove an item from the model",
  ]);
}
