/** Processes the items with a given concurrency; the results are in the order of the items. */
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
