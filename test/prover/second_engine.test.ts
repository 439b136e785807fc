import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { asking, type Opinion } from "../../src/engines/smt/second.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { type Goal, type Proves, SyntaxTree } from "../../src/prover/index.ts";
import { ProverThreads } from "../../src/prover/threads.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { faultOf } from "../support/faults.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { openSymbolic } from "../support/symbolic.ts";

/** Proofs about Python whose questions another engine answers again. */

const max = `def f(x: int, y: int) -> int:
    return x if x > y else y
def g(x: int, y: int) -> int:
    return max(x, y)
`;
const sum = `def f(n: int) -> int:
    total = 0
    for i in range(n):
        total += 2
    return total
def g(n: int) -> int:
    return 2 * n if n > 0 else 0
`;
const bits = `def f(x: float) -> bool:
    return x <= x or x != x
def g(x: float) -> bool:
    return True
`;
const { prover_file } = readConfig({}, process.env);
const equal: Goal = { kind: "equivalent", function_a: "f", function_b: "g" };

describe.runIf(has_python)("a proof that another engine is asked about", () => {
  let engines: Engines;
  let fakes: FakeSolvers;
  beforeAll(async () => {
    fakes = openFakes();
    await pythonData("smt");
    engines = new Engines(readConfig({}, { ...process.env, VERDICT_DATA: await pythonData() }));
  }, real_setup_ms_max);
  afterAll(() => {
    engines?.close();
    fakes.remove();
  });

  async function prove(code: string, prover: Proves) {
    const read = await engines.python.syntax(code, new Deadline(60_000));
    return prover.prove(SyntaxTree.parse(read), equal, new Deadline(100_000));
  }

  it.each([
    ["whole numbers", max],
    ["a loop, by induction", sum],
    ["floats", bits],
  ])("about %s is confirmed by cvc5", async (_what, code) => {
    const verdict = await prove(code, new ProverThreads(prover_file, engines.z3, asking(engines.cvc5)));
    expect(verdict).toMatchObject({ kind: "proven", proof: { confirmed_by: [expect.stringMatching(/^cvc5 /)] } });
  });

  it("is not confirmed, and still a proof, where the other engine has no word; and no proof where it says sat", async () => {
    const says = (opinion: Opinion) => new ProverThreads(prover_file, engines.z3, async () => opinion);
    const silent = await prove(max, says({ kind: "undecided", why: "it sleeps" }));
    expect(silent).toMatchObject({ kind: "proven", proof: { unconfirmed: "it sleeps" } });
    const lie = prove(max, says({ kind: "sat", engine: "liar", question: 0 }));
    await expect(lie).rejects.toMatchObject({
      code: "engines_disagree",
      message: expect.stringMatching(/says unsat to question 1 of \d+ of the proof, liar says sat/),
    });
  });

  it("is asked for by a setting, and says so in the answer of a tool", async () => {
    const env = { VERDICT_PROVER_CHECK: "1" };
    const tools = await openSymbolic({ env });
    // No exploration ends here, which could come before the prover.
    const loop = `def f(xs: list[int]) -> int:
    total = 0
    for x in xs:
        if x > 0:
            total += x
    return total

def g(xs: list[int]) -> int:
    total = 0
    for x in xs:
        total += max(x, 0)
    return total`;
    try {
      const answer = await withEnoughTime(
        (ms) => tools.compare(loop, "f", "g", ms / 1000),
        ({ proof }) => JSON.stringify(proof).includes("confirmed_by"),
        20_000,
      );
      expect(answer).toMatchObject({
        status: "equivalent",
        proof: { confirmed_by: [expect.stringMatching(/^cvc5 /)] },
      });
    } finally {
      tools.close();
    }
    const lying = await openSymbolic({ env: { ...env, VERDICT_CVC5: fakes.path("lies") } });
    try {
      expect(await faultOf(lying.compare(loop, "f", "g"))).toMatchObject({ code: "engines_disagree" });
    } finally {
      lying.close();
    }
  });
});
