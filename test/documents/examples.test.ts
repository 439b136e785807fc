import { readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { example, examples } from "../../scripts/examples.mjs";
import { type Connection, connect } from "../support/client.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";

const all = examples();

/** The largest picture, in bytes: they are loaded by everyone who opens the page. */
const picture_bytes_max = 60_000;

/** Tools whose calls in the examples name no limit: a busy machine needs more than the usual one. */
const without_limit = ["solve", "solve_model", "solve_smtlib"];
const ample_ms = 150_000;

/** Further ones of a language or a tool that has another example, and long searches; the long tests ask them. */
const long = ["delivery_round", "instalments", "job_shop", "merging_intervals", "sudoku"];

describe("the examples", () => {
  it("use all languages, and the tools for Python code", () => {
    const calls = all.flatMap((each) => each.calls);
    const languages = new Set(
      calls.map(({ arguments: args }) => args["language"]).filter((each) => each !== undefined),
    );
    expect([...languages].toSorted()).toEqual(["asp", "cpmpy", "minizinc", "ortools", "pysat", "z3"]);
    expect(new Set(calls.map(({ tool }) => tool))).toEqual(
      new Set([
        ...["solve", "solve_model", "add_item", "solve_smtlib"],
        ...["compare_functions", "find_path_to_exception", "symbolic_check"],
      ]),
    );
  });

  it("are in the list of examples/README.md", () => {
    const links = [...readFileSync("examples/README.md", "utf8").matchAll(/\]\((\w+)\.md\)/g)].map(([, name]) => name);
    expect(links.toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  });

  it("are read whole: text that is not a call counts as none", () => {
    expect(example("none", "# Nothing\n\n```json\n{}\n```\n")).toMatchObject({ calls: [], picture: undefined });
  });

  it.each(all)(
    "$name has a question, calls whose answers have a status, the answer in words, and a picture",
    (each) => {
      expect(each.calls.length).toBeGreaterThan(0);
      expect(each.calls.every(({ answer }) => typeof answer["status"] === "string")).toBe(true);
      expect(each.text.split("```json").length - 1, "every block is a call or an answer").toBe(2 * each.calls.length);
      expect(each.text).toMatch(/^# .+\n\n> [\s\S]+\n\n## Dialogue\n[\s\S]+\n\n## Answer\n\n\w/);
      expect(each.picture?.file).toBe(`pictures/${each.name}.png`);
      expect(statSync(`examples/${each.picture?.file}`).size).toBeLessThanOrEqual(picture_bytes_max);
    },
  );

  it.each(all)("$name shows the code that its calls send", ({ code, calls }) => {
    for (const block of code) expect(calls.map(({ arguments: args }) => args["code"])).toContain(block);
  });
});

describe.skipIf(!has_python)("on a real server", () => {
  let server: Connection;
  beforeAll(async () => {
    const data = await pythonData();
    await pythonData("cp");
    await pythonData("smt");
    server = await connect({ env: { VERDICT_DATA: data, VERDICT_HANDOVER_MS: "0" } });
  }, real_setup_ms_max);
  afterAll(() => server?.close());

  it.each(all.filter(({ name }) => runs_all || !long.includes(name)))("$name comes out as told", async ({ calls }) => {
    for (const { tool, arguments: args, answer } of calls) {
      const limit = without_limit.includes(tool) ? { timeout_ms: ample_ms } : {};
      const reply = await server.client.callTool(
        { name: tool, arguments: { ...limit, ...args } },
        { timeout: 200_000 },
      );
      expect(reply.structuredContent).toMatchObject(answer);
    }
  });
});
