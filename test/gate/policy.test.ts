import { describe, expect, it } from "vitest";
import { readOptions } from "../../src/commands/gate/options.ts";
import { expectedNotes, hasPassed, judged } from "../../src/commands/gate/policy.ts";
import type { Comparison, Result } from "../../src/commands/gate/report.ts";

const place = { file: "shop/tax.py", function: "rate", line: 1, end_line: 2 };
const none = { notes: [], cached: false, time_seconds: 0 };

function result(status: Comparison["status"]): Omit<Result, "failures"> {
  return { change: "changed", head: place, base: place, through: [], comparison: { status, ...none }, contract: null };
}

const removed: Omit<Result, "failures"> = {
  ...result("different"),
  change: "removed",
  head: null,
  comparison: null,
};

const options = (more: { failOn?: string; expectSame?: string[]; allow?: string } = {}) =>
  readOptions({ base: "main", ...more });

it("a file that could not be read is not checked; one that a program wrote is not a failure", () => {
  const unread = [{ file: "a.py", why: "there was no time for it", is_unread: true }];
  const generated = [{ file: "b.py", why: "a program wrote it", is_unread: false }];
  expect(hasPassed([], unread, options({ failOn: "not-checked" }))).toBe(false);
  expect(hasPassed([], generated, options({ failOn: "not-checked" }))).toBe(true);
  expect(hasPassed([], unread, options({ failOn: "contract" }))).toBe(true);
});

it("a file that Python's parser did not finish reading is a failure, since another file can cause that", () => {
  const late = [{ file: "a.py", why: "the parser did not finish", is_unread: true, is_late: true }];
  expect(hasPassed([], late, options())).toBe(false);
  expect(hasPassed([], late, options({ failOn: "none" }))).toBe(true);
  expect(hasPassed([], late, options({ allow: "not-checked" }))).toBe(true);
});

describe("--expect-same", () => {
  const expecting = { expectSame: ["shop/tax.py::*"] };

  it.each(["different", "not_checked", "error"] as const)("fails where a function is %s", (status) => {
    expect(judged(result(status), options(expecting)).failures).toEqual(["unexpected"]);
    expect(judged(result(status), options()).failures).toEqual([]);
  });

  it.each(["equivalent", "same_code", "undecided", "no_difference_found"] as const)(
    "passes where a function was looked at, and is %s",
    (status) => expect(judged(result(status), options(expecting)).failures).toEqual([]),
  );

  it("fails where a function was removed, and where it was renamed from the name that is meant", () => {
    expect(judged(removed, options(expecting)).failures).toEqual(["unexpected"]);
    const renamed = { ...result("different"), head: { ...place, file: "shop/new.py" } };
    expect(judged(renamed, options(expecting)).failures).toEqual(["unexpected"]);
  });

  it("passes with --allow, which never allows a difference", () => {
    const allowing = options({ ...expecting, allow: "not_checked, error,removed" });
    for (const each of [result("not_checked"), result("error"), removed])
      expect(judged(each, allowing).failures).toEqual([]);
    expect(judged(result("different"), allowing).failures).toEqual(["unexpected"]);
    expect(judged(result("error"), options({ ...expecting, allow: "not-checked" })).failures).toEqual(["unexpected"]);
    expect(() => options({ allow: "different" })).toThrow(/--allow does not know "different"/);
  });

  it("fails where a file that could not be read may hold such a function", () => {
    const unread = (file: string) => [{ file, why: "it is too large", is_unread: true }];
    expect(hasPassed([], unread("shop/tax.py"), options(expecting))).toBe(false);
    expect(hasPassed([], unread("shop/price.py"), options(expecting))).toBe(true);
    expect(hasPassed([], unread("shop/price.py"), options({ expectSame: ["round_*"] }))).toBe(false);
    expect(hasPassed([], unread("shop/price.py"), options({ expectSame: ["shop/tax.py"] }))).toBe(true);
    expect(hasPassed([], unread("shop/tax.py"), options({ ...expecting, allow: "not-checked" }))).toBe(true);
  });

  it("names the functions for which it is not known", () => {
    const results = [result("not_checked"), result("undecided"), result("equivalent")].map((each) =>
      judged(each, options({ ...expecting, allow: "not-checked" })),
    );
    expect(expectedNotes(results, options(expecting))).toEqual([
      "Of --expect-same, could not be checked: shop/tax.py::rate.",
      "Of --expect-same, checked without a proof: shop/tax.py::rate.",
    ]);
    expect(expectedNotes(results, options())).toEqual([]);
  });
});
