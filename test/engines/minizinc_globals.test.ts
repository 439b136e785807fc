import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { global_names, globalsFor } from "../../src/engines/minizinc/library/globals.ts";
import { Reader } from "../../src/engines/minizinc/read.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { runs_all } from "../support/runs_all.ts";

const include = 'include "globals.mzn";';
/** A name in a model for which all of the library is read, even if it is only in a comment. */
const whole = "% fzn_";

describe("the part of the library that a model uses", () => {
  it.each<readonly [string, string | undefined]>([
    ["array[1..2] of var 1..2: x; constraint alldifferent(x);", 'include "all_different.mzn";\n'],
    ["constraint count([1, 2], 1) = 1;", 'include "count.mzn";\ninclude "count_fn.mzn";\n'],
    ['output ["\\(nvalue([1, 2]))"];', 'include "nvalue.mzn";\ninclude "nvalue_fn.mzn";\n'],
    ["var 1..2: x;", ""],
    ["constraint fzn_circuit([2, 1]);", undefined],
  ])("of %s", (model, globals) => {
    expect(globalsFor([include, model])).toBe(globals);
    expect(globalsFor([model])).toBeUndefined();
  });
});

describe("the embedded MiniZinc with a part of its library", () => {
  const engines = new Engines(readConfig({ tools: "model" }, { ...process.env, VERDICT_MINIZINC: "wasm" }));
  afterAll(() => engines.close());

  /** What MiniZinc says about models, and what it compiles them to. */
  async function compiled(...models: readonly string[]) {
    const deadline = new Deadline(200_000);
    const answered = await engines.minizinc.run(deadline, async (run) => {
      const results: { readonly errors: readonly string[]; readonly flatzinc: string | null | undefined }[] = [];
      for (const model of models) {
        const reader = new Reader(1);
        const args = ["--solver", "gecode", "-c", "--fzn", "model.fzn", "model.mzn"];
        const end = await run({ files: { "model.mzn": model }, args, keeps: ["model.fzn"] }, deadline, (line) =>
          reader.take(line),
        );
        const errors = reader.answer().errors.map(({ message }) => message);
        results.push({ errors, flatzinc: end.kept_files["model.fzn"] });
      }
      return results;
    });
    if (answered === "expired") throw new Error("the time ran out");
    return answered;
  }

  // MiniZinc lists all overloads of a name that is called with arguments that none of them has.
  it.each(runs_all ? [...global_names] : ["circuit", "count", "arg_max_weak"])(
    "has all overloads of %s",
    async (name) => {
      const model = `${include} constraint ${name}("", 0.5, true, {1.5}, "", 0.5, true, {1.5}, "", 0.5, true);`;
      const [part, all] = await compiled(model, `${model}\n${whole}`);
      expect(part?.errors[0]).toContain(`\`${name}(`);
      expect(linesOf(part?.errors)).toEqual(linesOf(all?.errors));
    },
  );

  it("compiles a model to the same constraints", async () => {
    const model = `${include} array[1..4] of var 1..4: x; array[1..4] of var 0..9: s; var 0..20: end;
      constraint alldifferent(x) /\\ circuit(x) /\\ cumulative(s, [2, 3, 1, 4], [1, 2, 1, 1], 2) /\\ count(s, 0) <= 1;
      constraint end = max(i in 1..4)(s[i] + x[i]) /\\ sum(i in 1..4)(bool2int(s[i] > 3)) = 2; solve minimize end;`;
    const [part, all] = await compiled(model, `${model}\n${whole}`);
    expect(part?.flatzinc).toContain("cumulative");
    expect(withoutNumbers(part?.flatzinc)).toEqual(withoutNumbers(all?.flatzinc));
  });
});

/** The lines of compiled text; the numbers of introduced variables depend on what the library contains. */
function withoutNumbers(text: string | null | undefined): readonly string[] {
  return (text ?? "")
    .replaceAll(/INTRODUCED_\d+/g, "INTRODUCED")
    .split("\n")
    .sort();
}

function linesOf(messages: readonly string[] | undefined): readonly string[] {
  return (messages ?? []).flatMap((each) => each.split("\n")).sort();
}
