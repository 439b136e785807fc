import { linesOf } from "../../kernel/text/lines.ts";

/** Context lines shown around a change. */
const context = 3;

/**
 * The difference between two texts that differ in a single place, in the format of `diff -u` with one hunk. A new file
 * has no old text.
 */
export function difference(path: string, before: string, after: string): string {
  const [old, next] = [linesOf(before), linesOf(after)];
  const same = countSame(old, next);
  const same_end = countSame(old.slice(same).reverse(), next.slice(same).reverse());
  const start = Math.max(0, same - context);
  const removed = old.slice(same, old.length - same_end);
  const added = next.slice(same, next.length - same_end);
  const tail = old.slice(old.length - same_end, old.length - same_end + context);
  const head = old.slice(start, same);
  const range = (first: number, count: number) => `${count === 0 ? first : first + 1},${count}`;
  const common = head.length + tail.length;
  return [
    `--- ${before === "" ? "/dev/null" : path}`,
    `+++ ${path}`,
    `@@ -${range(start, common + removed.length)} +${range(start, common + added.length)} @@`,
    ...head.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ].join("\n");
}

function countSame(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((line, i) => line !== b[i]);
  return end < 0 ? Math.min(a.length, b.length) : end;
}
