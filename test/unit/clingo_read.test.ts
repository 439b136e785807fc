import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { costWatch, readClingo, witnessesIn } from "../../src/engines/clingo/read.ts";
import type { Finished } from "../../src/kernel/process/run.ts";
import { everyNth } from "../support/runs_all.ts";

const Recorded = z.object({
  ending: z.union([
    z.object({ kind: z.literal("exited"), code: z.number() }),
    z.object({ kind: z.literal("stopped"), why: z.literal("deadline") }),
  ]),
  stdout: z.string(),
  stderr: z.string(),
});

/** What `scripts/record_clingo.mjs` recorded of real runs. */
function recorded(build: string, name: string): Finished {
  return Recorded.parse(JSON.parse(readFileSync(`test/fixtures/clingo/${build}/${name}.json`, "utf8")));
}

const names = readdirSync("test/fixtures/clingo/wasm").map((file) => file.replace(".json", ""));

describe.each(["wasm", "native"])("what the %s clingo printed", (build) => {
  const read = (name: string) => readClingo(recorded(build, name));
  const sets = (name: string) => {
    const answer = read(name);
    return answer.kind === "sat" ? answer.witnesses.map(({ atoms }) => [...atoms].sort().join(" ")) : [];
  };

  it("is an answer set, with its version and statistics", () => {
    const answer = read("sat_one");
    expect(answer).toMatchObject({ kind: "sat", search: "exhausted", optimum: false });
    expect(sets("sat_one")).toEqual(['a(1,"x y") b']);
    expect(answer.version).toBe(build === "wasm" ? "5.8.1" : "5.4.1");
    expect(answer.statistics).toMatchObject({ models: 1, rules: 3 });
  });

  it("is an answer set without atoms, and one of several", () => {
    expect(sets("sat_empty")).toEqual([""]);
    expect(read("sat_three_of_more")).toMatchObject({ kind: "sat", search: "enough" });
    expect(sets("sat_three_of_more")).toHaveLength(3);
    expect(read("sat_all")).toMatchObject({ kind: "sat", search: "exhausted" });
    expect(sets("sat_all").sort()).toEqual(["a", "b", "c"]);
  });

  it("is unsat", () => {
    expect(read("unsat")).toMatchObject({ kind: "unsat" });
  });

  it("is an optimum, with costs from the highest level down", () => {
    const one = read("optimum");
    expect(one).toMatchObject({ kind: "sat", search: "exhausted", optimum: true });
    expect(one.kind === "sat" && one.witnesses.at(-1)?.costs).toEqual([1]);
    const levels = read("optimum_levels");
    expect(levels.kind === "sat" && levels.witnesses.at(-1)?.costs).toEqual([-7, 3, 0]);
    expect(read("optimum_two_of_more")).toMatchObject({ kind: "sat", search: "enough", optimum: true });
    expect(new Set(sets("optimum_all"))).toContain("b c e");
  });

  it("is what holds in some or in all answer sets", () => {
    expect(sets("brave").at(-1)).toBe("a b c d");
    expect(sets("cautious").at(-1)).toBe("e");
  });

  it("is an error with its place, and never an open answer", () => {
    expect(read("error_syntax")).toMatchObject({
      kind: "error",
      messages: [{ severity: "error", place: { line: 2, column: 8 } }, { place: undefined }],
    });
    expect(read("error_unsafe")).toMatchObject({
      kind: "error",
      messages: [{ notes: [{ text: "'X' is unsafe" }, { text: "'Y' is unsafe" }] }, {}],
    });
    const { kind, messages } = read("error_overflow");
    expect([kind, messages[0]?.text]).toEqual(["error", expect.stringMatching(/^Value too large/)]);
  });

  it("is remarks on atoms and terms", () => {
    expect(read("infos").messages.map(({ severity, text }) => [severity, text])).toEqual([
      ["info", "operation undefined: (1/0)"],
      ["info", "atom does not occur in any rule head: c"],
    ]);
  });

  it("is the best one so far when it was killed, and else nothing", () => {
    const cut = read("cut_with_witness");
    expect(cut).toMatchObject({ kind: "sat", search: "time", optimum: false, witnesses: [{ costs: [1] }] });
    expect(read("cut_without")).toMatchObject({ kind: "undecided", cause: "time" });
    expect(read("cut_brave")).toMatchObject({ kind: "sat", search: "time" });
  });

  it.each(names)("proves nothing, wherever it was cut: %s", (name) => {
    const finished = recorded(build, name);
    const whole = witnessesIn(finished.stdout).map((witness) => JSON.stringify(witness));
    // Thousands of comparisons: a failed one is reported, and only those.
    const wrong: unknown[] = [];
    for (let at = 0; at <= finished.stdout.length; at += at < 800 ? 1 : 7) {
      const stdout = finished.stdout.slice(0, at);
      for (const why of everyNth(["deadline", "memory", "output"] as const, 3, at)) {
        const answer = readClingo({ ...finished, stdout, ending: { kind: "stopped", why } });
        if (answer.kind === "undecided") continue;
        const search = why === "deadline" ? "time" : why;
        const is_right =
          answer.kind === "sat" &&
          answer.search === search &&
          answer.optimum === false &&
          answer.witnesses.every((witness, i) => JSON.stringify(witness) === whole[i]);
        if (!is_right) wrong.push({ at, why, answer });
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(names)("is an error when clingo crashed: %s", (name) => {
    const finished = recorded(build, name);
    for (const ending of [
      { kind: "exited", code: 1 },
      { kind: "exited", code: 65 },
      { kind: "exited", code: 128 },
      { kind: "exited", code: 11 },
      { kind: "signalled", signal: "SIGSEGV" },
      { kind: "not_started", detail: "ENOENT" },
    ] as const) {
      expect(readClingo({ ...finished, ending }).kind).toBe("error");
    }
    expect(["undecided", "sat"]).toContain(readClingo({ ...finished, ending: { kind: "exited", code: 33 } }).kind);
  });

  it.each(names)("is an error when the code and the words differ: %s", (name) => {
    const { kind } = readClingo(recorded(build, name));
    for (const code of [10, 20, 30]) {
      const other = readClingo({ ...recorded(build, name), ending: { kind: "exited", code } });
      if (other.kind !== kind) expect(other.kind).toBe("error");
    }
  });
});

describe("costs as they come", () => {
  it("are heard line by line", () => {
    const heard: (readonly number[])[] = [];
    const hear = costWatch((costs) => heard.push(costs));
    for (const line of recorded("native", "optimum_levels").stdout.split("\n")) hear(line);
    expect(heard.at(-1)).toEqual([-7, 3, 0]);
  });

  it("are none where the list is empty, or the line is another one", () => {
    const heard: (readonly number[])[] = [];
    const hear = costWatch((costs) => heard.push(costs));
    for (const line of ['"Costs": [', "]", '"Costs": [', "", '"Costs": [', "  5, -2", "7"]) hear(line);
    expect(heard).toEqual([[5, -2]]);
  });
});
