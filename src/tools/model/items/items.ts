import { Fault } from "../../../kernel/fault.ts";
import { isFile } from "../../written_in.ts";
import { model_limits } from "../limits.ts";

export type Items = readonly string[];

/** Identifies the new items after a change. */
export type Changed = number | "all" | undefined;

/** A model as it would be after a change. */
export interface Edit {
  readonly items: Items;
  /** The index of the changed item. */
  readonly index: number;
  /** The index of the new item, or "all"; undefined after a deletion. */
  readonly changed: Changed;
}

/** A change that removes an item. */
export interface Removal extends Edit {
  readonly old: string;
}

/** Inserts an item before the item at this index, or at the end. Raises `invalid_argument` and `input_rejected`. */
export function insert(items: Items, item: string, index: number = items.length): Edit {
  if (!isIndex(index, items.length)) throw badInsertion(items, index);
  return within({ items: items.toSpliced(index, 0, item), index, changed: index });
}

/** Removes an item. Raises `invalid_argument`. */
export function remove(items: Items, index: number): Removal {
  const old = itemAt(items, index, "delete");
  return { items: items.toSpliced(index, 1), index, changed: undefined, old };
}

/** Replaces an item. Raises `invalid_argument` and `input_rejected`. */
export function replace(items: Items, index: number, item: string): Removal {
  const old = itemAt(items, index, "replace");
  return within({ items: items.with(index, item), index, changed: index, old });
}

/** Returns the items from this index onwards. Raises `invalid_argument`. */
export function from(items: Items, index: number): Items {
  if (index !== 0) itemAt(items, index, "begin with");
  return items.slice(index);
}

/** The total length of the items. */
export function charsOf(items: Items): number {
  return items.reduce((sum, item) => sum + item.length, 0);
}

function isIndex(index: number, last: number): boolean {
  return Number.isInteger(index) && index >= 0 && index <= last;
}

function itemAt(items: Items, index: number, verb: string): string {
  if (items.length === 0) {
    throw new Fault("invalid_argument", `The model is empty: no index is valid, because there is no item to ${verb}.`, [
      "call add_item to add items first",
      "call get_model with model_id if you meant a different model",
    ]);
  }
  const item = isIndex(index, items.length - 1) ? items[index] : undefined;
  if (item !== undefined) return item;
  throw new Fault("invalid_argument", `${whyNot(index)} Valid: ${rangeTo(items.length - 1)}.`, [
    "call get_model to see the items with their indices",
    `send it again with an index that is ${rangeTo(items.length - 1)}`,
  ]);
}

function badInsertion(items: Items, index: number): Fault {
  const range = rangeTo(items.length);
  return new Fault("invalid_argument", `${whyNot(index)} Valid: ${range} (${items.length} appends).`, [
    "omit index to append the item",
    "call get_model to see the items with their indices",
  ]);
}

function rangeTo(last: number): string {
  return last === 0 ? "0" : `0 to ${last}`;
}

function whyNot(index: number): string {
  if (!Number.isInteger(index)) return `The index ${index} is not an integer.`;
  if (index < 0) return `The index ${index} is negative; items are numbered from 0, not from the end.`;
  return `The index ${index} is past the end; items are numbered from 0.`;
}

/** Returns the edit if its result is within the size limits for a model. */
function within<Done extends Edit>(edit: Done): Done {
  const { items, index } = edit;
  const chars = items[index]?.length ?? 0;
  const is_file = chars > model_limits.item_chars_max && isFile(items[index] ?? "");
  if (is_file && chars <= model_limits.file_chars_max && items.length === 1) return edit;
  if (is_file) throw tooLarge(`The file has ${chars} characters`, model_limits.file_chars_max, []);
  if (chars > model_limits.item_chars_max)
    throw tooLarge(`The item has ${chars} characters`, model_limits.item_chars_max, [
      "split it into several items, such as one per data table: items share their names",
    ]);
  if (items.length > model_limits.items_max)
    throw tooLarge(`The model would have ${items.length} items`, model_limits.items_max);
  const all = charsOf(items);
  if (all > model_limits.model_chars_max)
    throw tooLarge(`The model would have ${all} characters`, model_limits.model_chars_max);
  return edit;
}

function tooLarge(
  what: string,
  most: number,
  steps = ["put related statements into one item, and delete items that are not needed"],
): Fault {
  return new Fault("input_rejected", `${what}; the limit is ${most}.`, [
    ...steps,
    "write constraints as loops or comprehensions instead of one by one",
  ]);
}
