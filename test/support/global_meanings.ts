/** What global constraints mean by their definitions, for the brute force of random models. */

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
export const times = (numbers: readonly number[], value: number): number =>
  numbers.filter((each) => each === value).length;
export const areDifferent = (numbers: readonly number[]): boolean => new Set(numbers).size === numbers.length;

/** Below 0 if the first list comes first in the order of a dictionary, 0 if they are equal. */
export function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, i) => each !== b[i]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? Number.NEGATIVE_INFINITY);
}

/** Whether successors, counted from `first`, are one round: through all places, or those that are not their own. */
export function isCircuit(next: readonly number[], first: number, only_moved = false): boolean {
  const places = next.map((each) => each - first);
  if (places.some((each) => each < 0 || each >= places.length) || !areDifferent(places)) return false;
  const moved = places.flatMap((each, i) => (only_moved && each === i ? [] : [i]));
  const [start] = moved;
  if (start === undefined) return only_moved;
  let seen = 1;
  for (let at = places[start]; at !== undefined && at !== start; at = places[at]) seen++;
  return seen === moved.length;
}

export interface Task {
  readonly start: number;
  readonly size: number;
  readonly need?: number;
}

/** Whether the tasks never need more than this at once. */
export function neverAbove(tasks: readonly Task[], most: number): boolean {
  return tasks.every(({ start: time }) => {
    const running = tasks.filter(({ start, size }) => start <= time && time < start + size);
    return total(running.map(({ need = 1 }) => need)) <= most;
  });
}

/** Whether no two tasks overlap; one of size 0 may lie inside of another one only where it does not count. */
export function areApart(tasks: readonly Task[], empty_count = true): boolean {
  const counting = tasks.filter(({ size }) => empty_count || size > 0);
  return counting.every((a, i) =>
    counting.every((b, j) => i === j || a.start + a.size <= b.start || b.start + b.size <= a.start),
  );
}

export const tasksOf = (starts: readonly number[], sizes: readonly number[], needs: readonly number[] = []): Task[] =>
  starts.map((start, i) => ({ start, size: sizes[i] ?? 0, need: needs[i] ?? 1 }));
