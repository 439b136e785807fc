import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Prover, SyntaxTree, type Verdict } from "../../src/prover/index.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { has_python } from "../support/models.ts";
import { blocksOf } from "../support/proofs.ts";
import { runInPython } from "../support/prover.ts";
import { pythonData } from "../support/python.ts";

const prove_ms_max = 10_000;
const imports = "import math\nimport re\nimport string\n";

/** Whether the two functions end differently in CPython. */
function shown(code: string, args: string): string {
  return `${imports}${code}
def end(h, *args):
    try:
        value = h(*args)
        return type(value).__name__ + repr(value)
    except Exception as error:
        return type(error)

def shows():
    return end(f, *${args}) != end(g, *${args})
`;
}

describe.skipIf(!has_python)("operations without a model", () => {
  let engines: Engines;
  let prover: Prover;
  beforeAll(async () => {
    engines = new Engines(readConfig({}, { ...process.env, VERDICT_DATA: await pythonData() }));
    prover = new Prover(engines.z3);
  });
  afterAll(() => engines?.close());

  async function compare(code: string, ms = prove_ms_max): Promise<Verdict> {
    const read = await engines.python.syntax(imports + code, new Deadline(60_000));
    const goal = { kind: "equivalent", function_a: "f", function_b: "g" } as const;
    return prover.prove(SyntaxTree.parse(read), goal, new Deadline(ms));
  }

  it.each(blocksOf("congruent").map(({ title, code }) => [title, code]))(
    "are the same function on both sides: %s",
    async (_, code = "") => {
      const verdict = await withEnoughTime(
        (ms) => compare(code, ms),
        ({ kind }) => kind === "proven",
        prove_ms_max,
      );
      expect(verdict).toMatchObject({
        kind: "proven",
        proof: { assumptions: expect.arrayContaining([expect.stringContaining("operation without a model")]) },
      });
    },
  );

  it.each(blocksOf("congruent_wrong").map(({ title, note, code }) => [title, note, code]))(
    "prove nothing that CPython refutes: %s",
    async (_, args = "", code = "") => {
      const [run] = await runInPython([{ code: shown(code, args), calls: [{ function: "shows", args: [] }] }]);
      expect(run?.outcomes).toEqual([JSON.stringify({ kind: "value", value: { type: "bool", value: true } })]);
      expect((await compare(code)).kind).toBe("undecided");
    },
  );
});
