import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { has_python } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { faultOf, openSymbolic, type Symbolic } from "../support/symbolic.ts";

let verdict: Symbolic;
beforeAll(async () => {
  verdict = await openSymbolic();
}, real_setup_ms_max);
afterAll(() => verdict?.close());

/** A function with a bug in its third line. */
const inverse = "def inverse(x: int) -> int:\n    y = 100\n    return y // x\n";

describe.skipIf(!has_python)("code as language models send it", () => {
  it.each([
    ["a code fence", `\`\`\`python\n${inverse}\`\`\`\n`, "code fence"],
    [
      "a code fence with line ends of another system",
      `\`\`\`py\r\n${inverse.replaceAll("\n", "\r\n")}\`\`\``,
      "code fence",
    ],
    ["a byte order mark", `\uFEFF${inverse}`, "byte order mark"],
  ])("may have %s around it, which is taken off and told; lines count within", async (_, code, told) => {
    expect(await verdict.check(code, "inverse")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ args: { x: 0 }, stack_trace: expect.stringContaining("ZeroDivisionError at line 3") }],
      notes: expect.arrayContaining([expect.stringContaining(told)]),
    });
  });

  it("keeps its lines in a fault, too, and says nothing where nothing was taken off", async () => {
    const fault = await faultOf(verdict.check("```python\ndef f(x: int) -> int:\n    return x +\n```", "f"));
    expect(fault).toMatchObject({ error_type: "SyntaxError", position: { line: 2 } });
    expect(JSON.stringify(await verdict.check(inverse, "inverse"))).not.toContain("taken off");
  });

  const main = 'if __name__ == "__main__":\n    print(inverse(int(input())))\n';

  it("may end with a block for the main program, which never runs and is not looked at", async () => {
    const code = `def inverse(x: int) -> int:\n    return 0 if x == 0 else 100 // x\n\n${main}`;
    expect(await verdict.check(code, "inverse")).toMatchObject({ status: "verified" });
    expect(await verdict.branches(code, "inverse")).toMatchObject({ status: "complete", total_branches: 1 });
  });

  it.each([
    ["input() elsewhere", `def f(x: int) -> int:\n    return int(input())\n${main}`],
    [
      "a module that calls itself the main program",
      `__name__ = "__main__"\ndef f(x: int) -> int:\n    return x\n${main}`,
    ],
    [
      "one that does so by globals()",
      `globals()["__name__"] = "__main__"\ndef f(x: int) -> int:\n    return x\n${main}`,
    ],
    ["an import of sys", `import sys\ndef f(x: int) -> int:\n    return x\n${main}`],
  ])("is refused for %s, with such a block as without", async (_, code) => {
    expect(await faultOf(verdict.check(code, "f"))).toMatchObject({ error_type: "SandboxViolation" });
  });
});
