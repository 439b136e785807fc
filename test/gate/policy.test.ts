import { expect, it } from "vitest";
import { hasPassed } from "../../src/commands/gate/policy.ts";

it("a file that could not be read is not checked; one that a program wrote is no failure", () => {
  const unread = [{ file: "a.py", why: "there was no time for it", is_unread: true }];
  const generated = [{ file: "b.py", why: "a program wrote it", is_unread: false }];
  expect(hasPassed([], unread, { fail_on: ["not-checked"] })).toBe(false);
  expect(hasPassed([], generated, { fail_on: ["not-checked"] })).toBe(true);
  expect(hasPassed([], unread, { fail_on: ["contract"] })).toBe(true);
});
