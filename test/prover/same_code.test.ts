import { beforeAll, describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { SyntaxTree } from "../../src/prover/index.ts";
import { near_misses, same_pairs, unsure_pairs } from "../fixtures/same_code.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { equal, type Run, runInPython, shareProver } from "../support/prover.ts";

/** Whether the two functions end differently in CPython, or leave different arguments. */
function shown([f, g, args]: readonly [string, string, string]): string {
  return `${f}\n${g}
def end(h, *args):
    try:
        value = h(*args)
        return type(value).__name__ + repr(value) + repr(args)
    except Exception as error:
        return type(error).__name__ + repr(args)

def shows():
    return end(f, *${args}) != end(g, *${args})
`;
}

describe.skipIf(!has_python)("two functions of the same code", () => {
  const bench = fixture(shareProver);
  const read = (code: string) =>
    bench.engines.python.syntax(code, new Deadline(60_000), { roots: ["f", "g"], pair: ["f", "g"] });

  it.each(same_pairs)("are the same but for %s", async (_, f, g) => {
    expect(await read(`${f}\n${g}\n`)).toMatchObject({ same: true });
  });

  it("are proven equivalent, without a question to a solver", async () => {
    const [[, f, g] = ["", "", ""]] = same_pairs;
    const tree = SyntaxTree.parse(await read(`${f}\n${g}\n`));
    const verdict = await bench.prover.prove(tree, equal, new Deadline(60_000));
    expect(verdict).toMatchObject({ kind: "proven", proof: { method: "same_code", smt: [] } });
  });

  it("are asked for: otherwise nothing is said", async () => {
    const [[, f, g] = ["", "", ""]] = same_pairs;
    const answer = await bench.engines.python.syntax(`${f}\n${g}\n`, new Deadline(60_000), { roots: ["f", "g"] });
    expect(answer.same).toBe(false);
  });

  describe("that only look the same", () => {
    let runs: readonly Run[] = [];
    beforeAll(async () => {
      const calls = [{ function: "shows", args: [] }];
      runs = await runInPython(near_misses.map((each) => ({ code: shown(each), calls })));
    });

    it.each(near_misses.map((each, i) => [i, ...each] as const))("are told apart (%i)", async (i, f, g) => {
      expect(runs[i]?.outcomes).toEqual([JSON.stringify({ kind: "value", value: { type: "bool", value: true } })]);
      expect(await read(`${f}\n${g}\n`)).toMatchObject({ same: false });
    });
  });

  it.each(unsure_pairs)("are not known to do the same: %s", async (f, g) => {
    expect(await read(`${f}\n${g}\n`)).toMatchObject({ same: false });
  });

  it("end the search on code that is large or nested deeply", async () => {
    const nest = (name: string) =>
      `def ${name}(n):\n${Array.from({ length: 19 }, (_, i) => `${" ".repeat(i + 1)}for v${i} in n:\n`).join("")}${" ".repeat(20)}x = v0\n`;
    expect(await read(`${nest("f")}${nest("g")}`)).toMatchObject({ same: expect.any(Boolean) });
    const long = (name: string) => `def ${name}(n):\n${"  n = n + 1\n".repeat(3_000)}  return n\n`;
    expect(await read(`${long("f")}${long("g")}`)).toMatchObject({ same: false });
  });
});
