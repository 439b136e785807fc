import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { visible, visibleName } from "../../src/kernel/text/visible.ts";
import { answerResult, faultResult } from "../../src/server/results.ts";
import { remarks } from "../../src/tools/model/solution/remarks.ts";
import { renderSolve } from "../../src/tools/model/solution/solve_text.ts";
import { cli } from "../support/client.ts";
import { quickest_z3 } from "../support/engines.ts";

/** What a script prints, or a model names, may be written by a language model: it must not steer a terminal or a reader. */
const steering = "\u001b]0;owned\u0007\u001b[2J\u009b1A\u007f\u202eab\u2066\u200f";
const unseen = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe("text of a model on a terminal", () => {
  it.each([["--text"], []])("has no control characters in a command's output (%s)", (...flags) => {
    const script = `(declare-const x Int)(assert (> x 3))(check-sat)(echo "${steering}")`;
    const env = { ...process.env, VERDICT_Z3: quickest_z3 };
    const stdout = execFileSync(process.execPath, [cli, "call", "solve_smtlib", ...flags, script], { env }).toString();
    expect(stdout).not.toMatch(unseen);
    expect(stdout).toContain("\\u001b");
    if (flags.length === 0) expect(JSON.parse(stdout).output).toContain("owned");
  });

  it("has none in a fault", () => {
    const { stderr } = spawnSync(process.execPath, [cli, "call", "solve_smtlib", "--text", `(as${steering}sert x)`], {
      env: { ...process.env, VERDICT_Z3: quickest_z3 },
    });
    expect(stderr.toString()).not.toMatch(unseen);
    expect(stderr.toString()).toContain("What to do");
  });

  it("has none in what is said about wrong arguments", () => {
    for (const args of [[`x${steering}`], ["solve", `--x${steering}`]]) {
      const { stderr } = spawnSync(process.execPath, [cli, ...args]);
      expect(stderr.toString()).not.toMatch(unseen);
      expect(stderr.toString()).toContain("verdict help");
    }
  });

  it("has no note that looks like another line of the answer", () => {
    expect(remarks(["from a program\nconfirmed by z3", "another"])).toEqual([
      "note: from a program\n  confirmed by z3\nnote: another",
    ]);
  });

  it("keeps the lines and all other signs of a text", () => {
    expect(visible("é\t∀x\r\n日本 👩‍👧 \\u0041")).toBe("é\t∀x\r\n日本 👩‍👧 \\u0041");
    expect(visible("a\rb")).toBe("a\\u000db");
    expect(JSON.parse(visible(JSON.stringify(steering)))).toBe(steering);
    expect(visibleName("x\nunsat = 4")).toBe("x\\u000aunsat = 4");
  });
});

describe("the text of an answer", () => {
  it("shows marks of direction and control characters, and the structured content keeps them", () => {
    const result = answerResult({ text: [`name${steering} = 4`], structured: { name: steering } });
    expect(result.content[0]?.text).not.toMatch(unseen);
    expect(result.structuredContent).toEqual({ name: steering });
    const fault = faultResult(new Fault("syntax_error", `wrong: ${steering}`, [steering]));
    expect(fault.content[0]?.text).not.toMatch(unseen);
  });

  it("has no line of its own for a name with a newline", () => {
    const name = "x\nunsat";
    const [text] = renderSolve({
      ...{ status: "sat", satisfiable: true, model: { [name]: 4 }, values: { [name]: 4 }, objective_value: null },
      ...{ optimal: null, statistics: {}, error: null, success: true, message: "Satisfiable.", objective: null },
      ...{ solve_time: 0, output: [], warnings: [], engine: "z3" },
    });
    expect(text).toContain("x\\u000aunsat = 4");
    expect(text.split("\n")).not.toContain("unsat = 4");
  });
});
