import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunProgram } from "../../src/engines/python/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Examiner } from "../../src/tools/symbolic/examiner.ts";
import { forgers, honest } from "../fixtures/symbolic/forgers.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

interface Told {
  readonly forged: boolean;
  readonly claim: boolean;
  /** The first report of reasons against a proof. */
  readonly first: { readonly claim: readonly string[]; readonly trusted: readonly string[] } | null;
}

/** The report of an exploration's process for each program, without any layer of the restricted Python. */
function told(programs: Readonly<Record<string, string>>, seconds: number): Readonly<Record<string, Told>> {
  const { stdout, stderr } = spawnSync(python, ["-I", "test/fixtures/symbolic/forgers.py", "python", String(seconds)], {
    input: JSON.stringify(Object.values(programs)),
    encoding: "utf8",
    timeout: 500_000,
  });
  expect(stderr).toBe("");
  const all: Told[] = JSON.parse(stdout);
  return Object.fromEntries(Object.keys(programs).flatMap((name, i) => (all[i] ? [[name, all[i]]] : [])));
}

let python = "";
beforeAll(async () => {
  if (has_python) python = (await privatePython()).python;
}, real_setup_ms_max);

describe.skipIf(!has_python)("code that forges what its own exploration says", () => {
  it("is limited by a word that was said before it could run, by whatever route it comes", async () => {
    // What the question does not reach is left out, and forges nothing.
    const forgedOf = (all: readonly [string, Told][]) => all.filter((each) => each[1].forged);
    const all = await withEnoughTime(
      async (ms) => Object.entries(told(forgers, ms / 1000)),
      (found) => forgedOf(found).length > 30,
      3_000,
    );
    expect(all.length).toBe(Object.keys(forgers).length);
    const forged = forgedOf(all);
    expect(forged.length).toBeGreaterThan(30);
    expect(forged.filter(([, { first }]) => !first || first.claim.length === 0).map(([name]) => name)).toEqual([]);
    expect(forged.filter(([, { first }]) => !first || first.trusted.length === 0).map(([name]) => name)).toEqual([]);
  }, 600_000);

  it("takes no proof from code that never comes to one", () => {
    for (const [name, answer] of Object.entries(told(honest, 60)))
      expect({ name, ...answer }).toMatchObject({ forged: false, claim: true, first: { claim: [], trusted: [] } });
  }, 600_000);

  it("says nothing of the branches of a module that was read before it ran", async () => {
    const read = { sites: [], cyclomatic_complexity: 1, dead_lines: [] };
    const result = { functions: [], hazards: [], notes: [] };
    const run: RunProgram = async (_language, _program, _job, found) => {
      found?.({ branches: read });
      found?.({ branches: { ...read, dead_lines: [2] } });
      return {
        end: { kind: "result", result: { ...result, dead_lines: [3] } },
        versions: {},
        printed: "",
      };
    };
    const examiner = new Examiner(run, { task: "branches", code: "", functions: ["f"] });
    const job = new Deadline(60_000);
    expect(await examiner.inspect(job)).toMatchObject({ dead_lines: [] });
  });

  const nothing = { limits: { claim: [], trusted: [] } };
  const limited = { limits: { claim: ["line 1: it forges"], trusted: [] } };
  it.each([
    ["a limit, and then none", [limited, nothing], false],
    ["none, and then a limit", [nothing, limited], true],
    ["no word at all", [], false],
  ])("is heard for its first word only: %s", async (_, said, proves) => {
    const counts = { paths: 1, verified: 1, skipped: 0, covered: [], unknown: 0 };
    const result = { ...counts, exhausted: true, claim: true, why_not: [], trusted: true, stopped: "exhausted" };
    const run: RunProgram = async (_language, _program, _job, found) => {
      for (const each of said) found?.(each);
      return { end: { kind: "result", result }, versions: {}, printed: "" };
    };
    const examiner = new Examiner(run, { task: "check", code: "", functions: ["f"] });
    const job = new Deadline(60_000);
    const proof = await examiner.explorer.look(
      job,
      () => {},
      () => {},
    );
    expect(proof !== undefined).toBe(proves);
    expect(examiner.explored?.claim).toBe(proves);
  });
});
