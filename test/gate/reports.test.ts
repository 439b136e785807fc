import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { means, readOptions } from "../../src/commands/gate/options.ts";
import { judged } from "../../src/commands/gate/policy.ts";
import { Report, type Result } from "../../src/commands/gate/report.ts";
import { githubReport } from "../../src/commands/gate/reports/github.ts";
import { markdownReport } from "../../src/commands/gate/reports/markdown.ts";
import { sarifReport } from "../../src/commands/gate/reports/sarif.ts";
import { textReport } from "../../src/commands/gate/reports/text.ts";

/** Names and values as an attacker would choose them. */
const file = "a\n::error::x,line=1:%0A\u001b[2J\u202e|`<script>@team.py";
const value = "f(x='\n::set-env name=PATH::x\r') | </td><img src=x> \u0007 %0A ``` @team";

const none = { notes: [], cached: false, time_seconds: 0 };
const counterexample = { explanation: value, args: { x: "\n::error::" }, kwargs: {}, test: value };
const place = { file, function: "f", line: 3, end_line: 5 };

function result(comparison: Result["comparison"], contract: Result["contract"] = null): Omit<Result, "failures"> {
  return { change: "changed", head: place, base: place, through: [], comparison, contract };
}

const results: Omit<Result, "failures">[] = [
  result({ status: "different", counterexample, ...none }, { status: "counterexample", counterexample, ...none }),
  result({ status: "equivalent", proof: { method: "proof by induction over its loops", assumptions: [] }, ...none }),
  result({ status: "no_difference_found", ...none }),
  result({ status: "undecided", why: value, ...none }),
  result({ status: "not_checked", why: value, ...none }),
  result({ status: "error", why: value, ...none }),
  result({ status: "same_code", ...none }, { status: "verified", ...none }),
];

function report(fail_on: string): Report {
  const options = readOptions({ base: "main", failOn: fail_on });
  const all = results.map((each) => judged(each, options));
  return Report.parse({
    version: "0.1.0",
    base: { ref: "main\u001b]0;x\u0007", commit: "a".repeat(40), merge_base: "b".repeat(40) },
    head: { ref: "HEAD", commit: "c".repeat(40) },
    python: "3.11.7",
    passed: all.every(({ failures }) => failures.length === 0),
    fail_on: options.fail_on,
    counts: { functions: all.length },
    results: all,
    left_out: [{ file, why: value }],
    notes: [],
    time_seconds: 1,
  });
}

const everything = "different,unexpected,any-contract,undecided,not-checked,error";

describe("reports about a repository of somebody else", () => {
  it.each(["none", everything])("are SARIF 2.1.0 by its schema (--fail-on %s)", (fail_on) => {
    // The schema is of draft 4, of which only the keyword `id` is no longer known.
    const { $schema, id, ...schema } = JSON.parse(readFileSync("test/fixtures/sarif/sarif-2.1.0-rtm.5.json", "utf8"));
    expect([$schema, id]).toEqual([expect.stringContaining("draft-04"), expect.stringContaining("sarif-2.1.0")]);
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    const sarif = JSON.parse(JSON.stringify(sarifReport(report(fail_on))));
    validate(sarif);
    expect(validate.errors).toBe(null);
    expect(validate({ ...sarif, version: "2.2" })).toBe(false);
    const [run] = sarif.runs;
    expect(run.results.length).toBe(fail_on === "none" ? 2 : 6);
    for (const { locations } of run.results)
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^[\w.%~!'()*-]+$/);
  });

  it("give GitHub one command a line, and no other one", () => {
    const lines = githubReport(report(everything), "TOKEN").split("\n");
    const stop = lines.indexOf("::stop-commands::TOKEN");
    const commands = lines.slice(0, stop);
    expect(commands.length).toBe(6);
    for (const line of commands)
      expect(line).toMatch(/^::(error|notice) file=[^:,]*,line=3,endLine=5,title=[^:,]*::[^\n\r]*$/);
    expect(lines.slice(stop + 1).filter((line) => /^\s*::/.test(line))).toEqual(["::TOKEN::"]);
    expect(lines.at(-1)).toBe("::TOKEN::");
  });

  it("send a terminal no control characters", () => {
    for (const text of [textReport(report("none")), githubReport(report(everything), "T")])
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  });

  it("are not markup of the repository's in Markdown", () => {
    const rows = markdownReport(report("none"))
      .split("\n")
      .filter((line) => line.startsWith("|"));
    // Heading, rule, and the findings.
    expect(rows.length).toBe(2 + 9);
    for (const row of rows.slice(2)) {
      expect(row.replaceAll("\\|", "").split("|").length).toBe(5);
      expect(row.replaceAll(/(`+) .*? \1(?!`)/g, "")).not.toMatch(/[<@]/);
    }
  });

  it("give a reason for which several functions have no answer one line, whatever else is known of each", () => {
    const late = (name: string) => {
      const why = "not decided within 10 s";
      const guess = { assumed_types: { [name]: "int" }, notes: [`a guess: ${name}`] };
      return { ...result({ status: "undecided", why, ...none, ...guess }), failures: [], through: [name] };
    };
    const only: Report = { ...report("none"), results: [late("a"), late("b"), late("c")] };
    for (const text of [textReport(only), markdownReport(only)]) {
      expect(text).toMatch(/3 functions: [\s\S]*not decided within 10 s/);
      expect(text).not.toContain("a guess");
    }
    // One of them is written out, and so is each if it fails the gate.
    expect(textReport({ ...only, results: only.results.slice(1, 2) })).toContain("a guess: b");
    const failing = only.results.map((each) => ({ ...each, failures: ["undecided"] }));
    expect(textReport({ ...only, results: failing }).match(/a guess/g)).toHaveLength(3);
  });

  it("give a reason for which several functions were not checked one line, last, and differences by a limit after others", () => {
    const left = (why: string) => ({ ...result({ status: "not_checked", why, ...none }), failures: [] });
    const differs = (kind: "limit" | "crash") => {
      const shown = { ...counterexample, explanation: kind, kind };
      return { ...result({ status: "different", counterexample: shown, ...none }), failures: [] };
    };
    const all = [left("one"), left("two"), differs("limit"), left("two"), differs("crash"), left("two")];
    const only: Report = { ...report("none"), results: all };
    for (const text of [textReport(only), markdownReport(only)]) {
      expect(text).toMatch(/crash[\s\S]*limit \(only a limit of Python[\s\S]*3 functions: [\s\S]*two[\s\S]*one/);
      expect(text.match(/\btwo\b/g)).toHaveLength(1);
    }
  });

  it("use no word of a proof for what was not proved", () => {
    const one = (status: "no_difference_found" | "undecided") => {
      const each = { ...result({ status, ...none }), failures: [] };
      const only: Report = { ...report("none"), results: [each], counts: { functions: 1, [status]: 1 } };
      return [
        textReport(only),
        githubReport(only, "T"),
        markdownReport(only),
        JSON.stringify(sarifReport(only).runs[0]?.results),
      ].join("\n");
    };
    for (const status of ["no_difference_found", "undecided"] as const)
      expect(one(status).replaceAll("not proved", "")).not.toMatch(/verified|proved|equivalent|proof/i);
  });
});

describe("the policy of the gate", () => {
  const failuresOf = (flags: object) => {
    const options = readOptions({ base: "main", ...flags });
    return results.map((each) => judged(each, options).failures.join());
  };

  it("fails on a broken contract and an unexpected difference by default, and on nothing undecided", () => {
    expect(failuresOf({})).toEqual(["contract", "", "", "", "", "", ""]);
    expect(failuresOf({ expectSame: ["f"] })[0]).toBe("contract,unexpected".split(",").toSorted().join());
    expect(failuresOf({ failOn: "none" })).toEqual(["", "", "", "", "", "", ""]);
    expect(failuresOf({ failOn: "undecided" })).toEqual(["", "", "undecided", "undecided", "", "", ""]);
    expect(failuresOf({ failOn: "different", expectDifferent: ["*.py::f"] })[0]).toBe("");
  });

  it("does not call a contract broken by a change that found it broken", () => {
    const before = result(null, { status: "counterexample", in_base: "broken", counterexample, ...none });
    expect(judged(before, readOptions({ base: "main" })).failures).toEqual([]);
    expect(judged(before, readOptions({ base: "main", failOn: "any-contract" })).failures).toEqual(["any-contract"]);
  });

  it.each([
    [{ failOn: "diffrent" }, "write different if you meant that"],
    [{ format: "xml" }, "choose from: text, json, sarif, github, markdown"],
    [{ write: ["out.sarif"] }, "--write sarif=gate.sarif"],
    [{ timeout: "5m" }, "omit it for 300"],
    [{ maxFunctions: "0" }, "omit it for 50"],
  ])("refuses %j and says what is meant", (flags, words) => {
    expect(() => readOptions({ base: "main", ...flags })).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining(words) }),
    );
  });

  it("matches patterns as plain text but for * and ?", () => {
    expect(means("a.b/*::f?", "a.b/c/d.py", "fx")).toBe(true);
    expect(means("f", "a.py", "f")).toBe(true);
    expect(means("a.py", "axpy", "f")).toBe(false);
    expect(means("(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "f")).toBe(false);
  });
});
