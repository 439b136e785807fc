import { Fault } from "../../../kernel/fault.ts";
import type { Edit, Items } from "./items.ts";

/**
 * Returns the fault of a rejected change with items numbered as in the unchanged model. The check numbered them as they
 * would have been after the change.
 */
export function asItemsAre(fault: Fault, before: Items, { items, index, changed }: Edit): Fault {
  const added = items.length - before.length;
  const now = (item: number) => {
    if (added < 0) return item < index ? item : item + 1;
    return added > 0 && item > index ? item - 1 : item;
  };
  // An item rejected on insertion has no number.
  const between = added > 0 && index < before.length;
  const named = (whole: string, item: string) =>
    between && Number(item) === changed ? "The new item" : whole.replace(item, String(now(Number(item))));
  const renumbered = (text: string) => text.replaceAll(/(?:^Item|\b[Ii]tem(?= \d+, line)) (\d+)/g, named);
  const { item, ...place } = fault.position ?? { line: 0, column: 0 };
  const position = item === undefined ? fault.position : { item: now(item), ...place };
  const unchanged = changed === undefined ? `Item ${index} was not deleted. ` : "";
  return new Fault(
    fault.code,
    `${unchanged}${renumbered(fault.message)}`,
    fault.steps.map(renumbered),
    position,
    fault.details,
  );
}
