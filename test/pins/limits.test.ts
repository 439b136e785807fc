import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent_limits } from "../../src/agent/limits.ts";
import { gate_limits } from "../../src/commands/gate/limits.ts";
import { solve_limits } from "../../src/commands/solve/limits.ts";
import { engine_limits } from "../../src/engines/limits.ts";
import { evidence_limits } from "../../src/evidence/limits.ts";
import { job_limits } from "../../src/jobs/limits.ts";
import { redis_limits } from "../../src/jobs/redis/limits.ts";
import { limits } from "../../src/kernel/limits.ts";
import { prover_limits } from "../../src/prover/ask/limits.ts";
import { http_limits } from "../../src/server/http/limits.ts";
import { server_limits } from "../../src/server/limits.ts";
import { lean_limits } from "../../src/tools/lean/limits.ts";
import { memo_limits } from "../../src/tools/memo/limits.ts";
import { bundle_limits } from "../../src/tools/model/bundle/limits.ts";
import { model_limits } from "../../src/tools/model/limits.ts";
import { smtlib_limits } from "../../src/tools/smtlib/limits.ts";
import { symbolic_limits } from "../../src/tools/symbolic/limits.ts";
import { viewer_limits } from "../../src/viewer/limits.ts";

const all = {
  limits,
  engine_limits,
  evidence_limits,
  prover_limits,
  smtlib_limits,
  model_limits,
  symbolic_limits,
  lean_limits,
  memo_limits,
  job_limits,
  redis_limits,
  http_limits,
  server_limits,
  agent_limits,
  solve_limits,
  viewer_limits,
  gate_limits,
  bundle_limits,
};

const src = new URL("../../src", import.meta.url).pathname;
const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(join(src, file), "utf8") }));

describe("the limits of all folders", () => {
  it("are these", () => {
    const lines = Object.entries(all).flatMap(([subject, own]) =>
      Object.entries(own).map(([name, value]) => `${subject}.${name} = ${value}`),
    );
    expect(lines.join("\n")).toMatchSnapshot();
  });

  it("are all named here, each with its reason", () => {
    const files = sources.filter(({ file }) => file.endsWith("limits.ts"));
    expect(files.map(({ text }) => /export const (\w+)/.exec(text)?.[1]).toSorted()).toEqual(
      Object.keys(all).toSorted(),
    );
    // One reason can cover several limits that follow it.
    for (const { file, text } of files) expect(/= \{\n {2}\/\*\*/.test(text), file).toBe(true);
  });

  it("are all used", () => {
    const elsewhere = sources.filter(({ file }) => !file.endsWith("limits.ts")).map(({ text }) => text);
    const unused = Object.values(all)
      .flatMap((own) => Object.keys(own))
      .filter((name) => !elsewhere.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
    expect(unused).toEqual([]);
  });
});
