import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { openAsp } from "../support/asp.ts";

const old = resolve("test/fixtures/old");

describe("a native clingo that is too old", () => {
  it("is not used from PATH, and doctor says why", async () => {
    const { VERDICT_CLINGO: _, ...env } = process.env;
    const engines = new Engines(readConfig({}, { ...env, PATH: `${old}:/usr/bin:/bin` }));
    try {
      const [report] = await engines.clingo.probe();
      expect(report).toMatchObject({
        kind: "wasm",
        why: "embedded: the one of PATH is 5.4.1, older than 5.7 (VERDICT_CLINGO forces it)",
      });
      // 5.4 says that this has none.
      const solved = await engines.clingo.run(new Deadline(60_000), { program: "{p}. :- not {p}.", args: ["0"] });
      expect(solved).toMatchObject({ answer: { kind: "sat" } });
      expect(solved).not.toHaveProperty("doubt");
    } finally {
      engines.close();
    }
  });

  it("is used where the user names it, and each answer says that it may be false", async () => {
    const bench = openAsp(resolve(old, "clingo"));
    try {
      await bench.call("clear_model", { language: "asp" });
      await bench.call("add_item", { item: "{p}. :- not {p}." });
      const answer = await bench.call("solve_model");
      expect(answer).toMatchObject({ status: "unsat", engine: "clingo 5.4.1 (native)" });
      expect(String(answer["warnings"])).toContain("clingo 5.4.1 can return wrong answers");
    } finally {
      bench.close();
    }
  });
});
