import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { blocksOf } from "../support/proofs.mjs";
import { equal, openProver, prove_ms_max, runInPython } from "../support/prover.ts";

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
  const bench = fixture(openProver);
  const compare = (code: string, ms?: number) => bench.prove(imports + code, equal, ms);

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
