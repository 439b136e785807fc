import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { judged } from "../../scripts/conformance_checks.mjs";

const good = { id: "good", status: "SUCCESS" };
const bad = { id: "bad", status: "FAILURE", errorMessage: "no answer" };

describe("the conformance suite fails", () => {
  it("where a check fails", () => {
    expect(judged(new Map([["ping", [good, bad]]]), [])).toEqual({
      passed: 1,
      faults: ["ping:bad failed: FAILURE no answer"],
    });
  });

  it.each(["WARNING", "SKIPPED"])("where a check ends as %s", (status) => {
    expect(judged(new Map([["ping", [{ id: "odd", status }]]]), []).faults).toHaveLength(1);
  });

  it("where a check of the baseline passes, or is not made", () => {
    const { faults } = judged(new Map([["ping", [good]]]), ["ping:good", "ping:gone"]);
    expect(faults).toHaveLength(2);
  });

  it("where a scenario checks nothing", () => {
    const silent = [
      { id: "request", status: "INFO" },
      { ...good, id: "wire-schema-valid" },
    ];
    expect(judged(new Map([["ping", silent]]), []).faults).toEqual(["ping:nothing failed: no check was made"]);
  });
});

describe("the conformance suite passes", () => {
  it("where all checks pass but those of the baseline", () => {
    expect(judged(new Map([["ping", [good, bad]]]), ["ping:bad"])).toEqual({ passed: 1, faults: [] });
  });
});

it("each entry of the baseline has a reason, and names each check once", () => {
  const Baseline = z.array(
    z.strictObject({
      servers: z.array(z.enum(["verdict", "fixture"])).min(1),
      revisions: z.array(z.string()).min(1),
      why: z.string().min(20),
      checks: z.array(z.string().regex(/^[\w-]+:[\w$-]+$/)).min(1),
    }),
  );
  const entries = Baseline.parse(JSON.parse(readFileSync("test/conformance/baseline.json", "utf8")));
  const places = entries.flatMap(({ servers, revisions, checks }) =>
    servers.flatMap((server) =>
      revisions.flatMap((revision) => checks.map((check) => [server, revision, check].join())),
    ),
  );
  expect(new Set(places).size).toBe(places.length);
});
