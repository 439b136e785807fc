import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { Deadline } from "../../src/kernel/deadline.ts";
import { driver, randomPair } from "../support/congruent_programs.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { never, openProver, runInPython } from "../support/prover.ts";

/** Another run has other programs; VERDICT_SEED repeats one. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const pairs = Number(process.env["VERDICT_PAIRS"] ?? 300);
const batch = 20;
const prove_ms_max = 4_000;

function numbersFrom(start: number): (bound: number) => number {
  let state = start | 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

const questions = ["differs", "raised"];
const exceptions =
  "ValueError KeyError IndexError LookupError TypeError ZeroDivisionError OverflowError Exception".split(" ");

/** The names of exceptions in a text that Python returned. */
function namesIn(outcome: string | undefined): string[] {
  const { value } = z.object({ value: z.object({ codes: z.array(z.number()) }) }).parse(JSON.parse(outcome ?? ""));
  return String.fromCodePoint(...value.codes).split(" ");
}

describe.skipIf(!has_python)("operations without a model, at length", () => {
  console.log("seed:", seed);
  const bench = fixture(openProver);

  it("prove of no two functions that they are the same, and of none what it does not raise, if a call shows otherwise", async () => {
    const below = numbersFrom(seed);
    const sum = { proven: 0, same: 0, differ: 0, never_raises: 0 };
    for (let done = 0; done < pairs; done += batch) {
      const all = Array.from({ length: batch }, () => randomPair(below));
      const runs = await runInPython(
        all.map(({ code }) => ({
          code: code + driver,
          calls: questions.map((name) => ({ function: name, args: [] })),
        })),
      );
      const texts = await runInPython(all.map(({ code }) => ({ code, calls: [] })));
      for (const [i, { code, same }] of all.entries()) {
        const differs = runs[i]?.outcomes[0]?.includes("true") ?? true;
        const syntax = texts[i]?.syntax;
        if (!syntax) throw new Error("every text has a tree");
        const goal = { kind: "equivalent", function_a: "f", function_b: "g" } as const;
        const { kind } = await bench.prover.prove(syntax, goal, new Deadline(prove_ms_max));
        if (differs) expect(kind, code).not.toBe("proven");
        const exception = exceptions[below(exceptions.length)] ?? "KeyError";
        const alone = await bench.prover.prove(syntax, never(exception), new Deadline(prove_ms_max));
        if (namesIn(runs[i]?.outcomes[1]).includes(exception))
          expect(alone.kind, `${exception}\n${code}`).not.toBe("proven");
        if (alone.kind === "proven") sum.never_raises++;
        if (kind === "proven") sum.proven++;
        if (same) sum.same++;
        if (differs) sum.differ++;
      }
    }
    console.log("pairs of random functions:", sum);
    expect(sum.proven).toBeGreaterThan(pairs / 10);
    expect(sum.differ).toBeGreaterThan(pairs / 10);
    expect(sum.never_raises).toBeGreaterThan(pairs / 30);
  });
});
