/**
 * Whether every test runs on every build, as `npm run test:long` has it. The suite itself runs on each build what distinguishes
 * builds apart, and on one of them what Verdict does by itself: an embedded engine takes a second or two to start.
 */
export const runs_all = process.env["VERDICT_TEST_ALL"] === "1";

/** Of cases of one kind that each take several processes, the suite asks the first few and the long tests all. */
export function some<Case>(cases: readonly Case[], count = 1): readonly Case[] {
  return runs_all ? cases : cases.slice(0, count);
}

/** Of a long list of similar cases, the suite takes every n-th one from a place on, and the long tests take all. */
export function everyNth<Case>(cases: readonly Case[], n: number, from = 0): readonly Case[] {
  return runs_all ? cases : cases.filter((_, i) => i % n === from % n);
}
