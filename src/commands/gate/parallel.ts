import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";

const attempts = 5;

/** Asks again where the machine was too busy to answer, as long as there is time. */
export async function patiently<Answer>(deadline: Deadline, ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const is_busy = error instanceof Fault && error.code === "busy";
      if (!is_busy || attempt === attempts || deadline.is_over) throw error;
    }
  }
}

/** Does some work on each item, on so many at once; the results are in the order of the items. */
export async function atOnce<Item, Result>(
  count: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.map((item, place) => ({ item, place }));
  const take = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next.place] = await work(next.item);
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, take));
  return results;
}
