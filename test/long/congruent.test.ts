import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { Deadline } from "../../src/kernel/deadline.ts";
import { unless } from "../../src/kernel/unless.ts";
import { typeOf } from "../../src/prover/logic/values.ts";
import { unknown_exception } from "../../src/prover/python/exceptions.ts";
import { readProgram } from "../../src/prover/python/program.ts";
import { Unsupported } from "../../src/prover/python/refusal.ts";
import type { SyntaxTree } from "../../src/prover/python/tree.ts";
import { numbersFrom } from "../support/chance.ts";
import { driver, randomPair } from "../support/congruent_programs.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { isOf, observer, randomOperation, returning, Seen } from "../support/operation_results.ts";
import { model, never, runInPython, shareProver } from "../support/prover.ts";

/** Another run has other programs; VERDICT_SEED repeats one. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const pairs = Number(process.env["VERDICT_PAIRS"] ?? 300);
const batch = 20;
const prove_ms_max = 4_000;

const questions = ["differs", "raised"];
const exceptions =
  "ValueError KeyError IndexError LookupError TypeError ZeroDivisionError OverflowError Exception".split(" ");

/** The words of a text that Python returned. */
function wordsIn(outcome: string | undefined, separator: string): string[] {
  const { value } = z.object({ value: z.object({ codes: z.array(z.number()) }) }).parse(JSON.parse(outcome ?? ""));
  return String.fromCodePoint(...value.codes).split(separator);
}

/** What the prover says can come of a function: types of results, and exceptions. Undefined if it refuses the function. */
function endsOf(tree: SyntaxTree, mappings: boolean) {
  return unless(Unsupported, () => {
    const program = readProgram(tree, { congruent: true, mappings });
    const { returns, raises } = model(program, "f").summary;
    const types = returns.flatMap(({ value }) => value.map(({ plain }) => typeOf(plain)));
    return { types, raises: raises.map(({ exception }) => exception), known: program.exceptions };
  });
}

describe.skipIf(!has_python)("operations without a model, at length", () => {
  console.log("seed:", seed);
  const bench = fixture(shareProver);

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
        if (wordsIn(runs[i]?.outcomes[1], " ").includes(exception))
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

  it("have results of the types that CPython gives, and raise what CPython raises", async () => {
    const below = numbersFrom(seed);
    const sum = { read: 0, refused: 0 };
    for (let done = 0; done < 4 * pairs; done += 10 * batch) {
      const all = Array.from({ length: 10 * batch }, () => randomOperation(below)).filter((each) => each.length < 100);
      const calls = [{ function: "seen", args: [] }];
      const runs = await runInPython(all.map((each) => ({ code: returning(each) + observer, calls })));
      const texts = await runInPython(all.map((each) => ({ code: returning(each), calls: [] })));
      for (const [i, operation] of all.entries())
        for (const mappings of [false, true]) {
          const [syntax, outcome] = [texts[i]?.syntax, runs[i]?.outcomes[0]];
          const ends = syntax && outcome?.includes("codes") ? endsOf(syntax, mappings) : undefined;
          sum[ends ? "read" : "refused"]++;
          for (const line of ends ? wordsIn(outcome, "\n") : []) {
            const seen = Seen.parse(JSON.parse(line));
            const is_known =
              "raises" in seen
                ? ends?.raises.some(
                    (each) => each === unknown_exception || seen.raises.find((own) => ends.known.has(own)) === each,
                  )
                : ends?.types.some((type) => isOf(type, seen));
            expect(is_known, `${operation} can end so: ${line}`).toBe(true);
          }
        }
    }
    console.log("operations without a model:", sum);
    expect(sum.read).toBeGreaterThan(sum.refused);
  });
});
