import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { programsOfEnvironments } from "../../src/solvers/places.ts";
import { type Trap, traps } from "../fixtures/symbolic/traps.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { openSymbolic, type Symbolic } from "../support/symbolic.ts";

/** Enough for nearly all that can be found, and for all that can be proved. */
const seconds = 1;
const claims = ["equivalent", "verified", "unreachable"];
const findings = ["different", "counterexample", "found"];

let verdict: Symbolic;
beforeAll(async () => {
  verdict = await openSymbolic();
  // Starting the interpreters is no part of the second that each trap gets.
  if (has_python) await verdict.check("def f(x: int) -> int:\n    return x\n", "f");
}, real_setup_ms_max);
afterAll(() => verdict?.close());

async function statusOf({ asks, code, functions, exception }: Trap): Promise<string> {
  const [first, second = first] = functions;
  const answer =
    asks === "compare"
      ? await verdict.compare(code, first, second, seconds)
      : asks === "check"
        ? await verdict.check(code, first, seconds)
        : await verdict.raises(code, first, exception ?? "", seconds);
  return String(answer["status"]);
}

/** The traps of one truth with the answer that each got; two at a time. */
async function answers(truth: Trap["truth"]): Promise<{ name: string; status: string }[]> {
  const waiting = traps.filter((trap) => trap.truth === truth);
  const told: { name: string; status: string }[] = [];
  const work = async () => {
    for (let trap = waiting.shift(); trap; trap = waiting.shift()) {
      told.push({ name: trap.name, status: await statusOf(trap) });
    }
  };
  await Promise.all([work(), work()]);
  return told;
}

describe.skipIf(!has_python)("code where a wrong proof lies near", () => {
  it("is described truly: plain Python agrees with every trap", async () => {
    const [python] = programsOfEnvironments(readConfig({}, { VERDICT_DATA: await pythonData() }), "python");
    const { stdout, stderr } = spawnSync(python ?? "", ["-I", "test/fixtures/symbolic/truth.py"], {
      input: JSON.stringify(traps),
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([]);
    expect(traps.length).toBeGreaterThan(100);
  }, 60_000);

  it("is never called equivalent, verified or unreachable where it is not, and most of it is seen through", async () => {
    const told = await answers("fails");
    expect(told.filter(({ status }) => !["timeout", "undecided", ...findings].includes(status))).toEqual([]);
    expect(told.filter(({ status }) => findings.includes(status)).length).toBeGreaterThan(told.length * 0.9);
  }, 120_000);

  it("is never refuted where it holds, and some of it is proved", async () => {
    const told = await answers("holds");
    expect(told.filter(({ status }) => !["timeout", "undecided", ...claims].includes(status))).toEqual([]);
    expect(told.filter(({ status }) => claims.includes(status)).length).toBeGreaterThan(10);
  }, 120_000);
});
