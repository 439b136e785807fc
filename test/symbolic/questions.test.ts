import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Answer, shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const proven = {
  engine: expect.stringContaining("Verdict's prover"),
  assumptions: expect.arrayContaining([expect.any(String)]),
};

describe.skipIf(!has_python)("the examples that the tools were specified with", () => {
  const tricky = `
def tricky(x: int, y: int) -> int:
    """Symbolic execution finds input that random testing would miss."""
    if x == 12345 and y == x * 7 + 3:
        raise ValueError("Found the needle")
    return x + y
`;

  it("finds a needle in a haystack (5.3)", async () => {
    const answer = await verdict.check(tricky, "tricky");
    expect(answer).toMatchObject({
      status: "counterexample",
      counterexamples: [
        {
          args: { x: 12345, y: 12345 * 7 + 3 },
          kwargs: {},
          call: "tricky(x=12345, y=86418)",
          path_condition: "x == 12345 and y == x * 7 + 3",
        },
      ],
      proof: null,
    });
    expect(String(field(answer, "counterexamples", 0, "violation"))).toContain("ValueError");
    expect(String(field(answer, "counterexamples", 0, "stack_trace"))).toBe("ValueError at line 5: Found the needle");
  });

  it("detects a difference at x = 0 (5.3)", async () => {
    const code = `
def impl_a(x: int) -> int:
    return x * 2

def impl_b(x: int) -> int:
    return x + x if x != 0 else 1  # Bug: wrong for x=0
`;
    expect(await verdict.compare(code, "impl_a", "impl_b")).toMatchObject({
      status: "different",
      distinguishing_input: { args: { x: 0 }, function_a_result: 0, function_b_result: 1 },
    });
  });

  it("proves that safe_div never divides by zero (5.3)", async () => {
    const code = "def safe_div(a: int, b: int) -> float:\n    if b == 0:\n        return 0.0\n    return a / b\n";
    const answer = await verdict.raises(code, "safe_div", "ZeroDivisionError");
    expect(answer).toMatchObject({ status: "unreachable", triggering_inputs: [], proof: proven });
    expect(await verdict.raises(code, "safe_div", "OverflowError")).toMatchObject({ status: "found" });
  });

  it("identifies dead code (5.3)", async () => {
    const code = "def dead_branch(x: int) -> int:\n    if x > 0 and x < 0:\n        return 999\n    return x\n";
    const answer = await verdict.branches(code, "dead_branch");
    expect(answer).toMatchObject({ status: "complete", dead_code_lines: [3], cyclomatic_complexity: 3 });
    expect(answer["proof"]).not.toBeNull();
    expect(answer["branches"]).toContainEqual(
      expect.objectContaining({ line: 2, condition: "x > 0 and x < 0", true_reachable: false, true_example: null }),
    );
  });

  it("names the lines behind a chain of elif that leaves nothing over", async () => {
    const code = `
def tax(income: int) -> int:
    if income <= 10:
        return 0
    elif income <= 40:
        rate = 20
        assert rate > 0
    elif income > 40:
        return 40
    else:
        return -1
        rate = 0
    if rate < 20:
        rate = 20
    return rate

def grade(points: int) -> str:
    if points >= 90:
        return "A"
    elif points >= 50:
        return "B"
    elif points < 50:
        return "C"
    return "?"
`;
    expect(await verdict.branches(code, "grade")).toMatchObject({ status: "complete", dead_code_lines: [24] });
    expect(await verdict.branches(code, "tax")).toMatchObject({ status: "complete", dead_code_lines: [11, 12, 14] });
  });

  it("names lines that nothing leads to, and sides that a constant shuts out, whatever was explored", async () => {
    const code = `
def climb(xs: list[int]) -> int:
    if not xs:
        return 0
        xs = [1]
    while True:
        if xs[0] > 3:
            return len(xs)
        xs[0] += 1
    return -1
`;
    const answer = await verdict.branches(code, "climb");
    expect(answer).toMatchObject({ status: "complete", dead_code_lines: [5, 10] });
    expect(answer["proof"]).toEqual({ method: "constant conditions", engine: expect.any(String), assumptions: [] });
    expect(answer["branches"]).toContainEqual(
      expect.objectContaining({ condition: "True", true_reachable: true, false_reachable: false }),
    );
  });

  it("does not call two functions different because memory ran out for one of them here", async () => {
    const bound = "    assert 0 <= n <= 2**32\n";
    const code = `def f(n: int) -> int:\n${bound}    return len('a' * n)\n\ndef g(n: int) -> int:\n${bound}    return n\n`;
    expect(await verdict.compare(code, "f", "g")).toMatchObject({
      status: "equivalent",
      distinguishing_input: null,
      proof: { assumptions: expect.arrayContaining([expect.stringContaining("memory")]) },
    });
  });

  it("finds x=7, y=25 (8.1)", async () => {
    const code =
      'def tricky(x: int, y: int) -> int:\n    if x == 7 and y == 25:\n        raise ValueError("Boom")\n    return x + y\n';
    expect(await verdict.raises(code, "tricky", "ValueError")).toMatchObject({
      status: "found",
      triggering_inputs: [{ args: { x: 7, y: 25 }, stack_trace: "ValueError at line 3: Boom" }],
    });
  });

  it("proves that a summing loop is sum(), for lists of any length (8.2)", async () => {
    const code = `
def original(items: list[int]) -> int:
    total = 0
    for item in items:
        total += item
    return total

def refactored(items: list[int]) -> int:
    return sum(items)
`;
    expect(await verdict.compare(code, "original", "refactored")).toMatchObject({
      status: "equivalent",
      confidence: "proven",
      distinguishing_input: null,
      proof: proven,
    });
  });

  it.each(["ValueError", "ZeroDivisionError"])("proves that validated_sqrt never raises %s (8.3)", async (name) => {
    const code = "def validated_sqrt(x: float) -> float:\n    if x < 0:\n        return 0.0\n    return x ** 0.5\n";
    const answer = await verdict.raises(code, "validated_sqrt", name);
    expect(answer).toMatchObject({ status: "unreachable", triggering_inputs: [], proof: proven });
  });

  it.each([
    [
      "icontract",
      "from icontract import require, ensure\n\n@require(lambda x: x >= 0)\n@ensure(lambda result: result >= 0)\ndef sqrt(x: float) -> float:\n    return x ** 0.5\n",
    ],
    [
      "asserts",
      'def sqrt(x: float) -> float:\n    assert x >= 0, "precondition"\n    result = x ** 0.5\n    assert result >= 0, "postcondition"\n    return result\n',
    ],
  ])("proves the contract of sqrt by %s (tool 1)", async (_, code) => {
    const answer = await verdict.check(code, "sqrt");
    expect(answer).toMatchObject({ status: "verified", counterexamples: [], coverage_estimate: 1, proof: proven });
  });

  it("finds that sqrt breaks its annotation below zero (tool 1)", async () => {
    const answer = await verdict.check("def sqrt(x: float) -> float:\n    return x ** 0.5\n", "sqrt");
    expect(answer["status"]).toBe("counterexample");
    expect(String(field(answer, "counterexamples", 0, "violation"))).toContain("float");
    expect(String(field(answer, "counterexamples", 0, "actual_result"))).toContain("j");
  });

  it("finds an IndexError on an empty list, and others (tool 2)", async () => {
    const answer = await verdict.raises(
      "def at(lst: list[int], idx: int) -> int:\n    return lst[idx]\n",
      "at",
      "IndexError",
    );
    expect(answer).toMatchObject({ status: "found" });
    expect(String(field(answer, "triggering_inputs", 0, "stack_trace"))).toBe(
      "IndexError at line 2: list index out of range",
    );
  });
});

describe.skipIf(!has_python)("an exception and invariants", () => {
  const code = (head: string, first = "") => `def f(xs: list[int], d: int) -> int:
${first}    a, b = 0, 0
    for x in xs:
        assert ${head}
        a += 2 if x > 0 else 3
        b += 1
    return 100 // (a - 2 * b + 1)
`;
  const raises = (text: string, isEnough: (answer: Answer) => boolean, tries_max = 3) =>
    withEnoughTime((ms) => verdict.raises(text, "f", "ZeroDivisionError", ms / 1000), isEnough, 3_000, tries_max);

  it("asserts at the heads of loops prove that it is not raised", async () => {
    const answer = await raises(code("a >= 2 * b"), ({ status }) => status === "unreachable");
    expect(answer).toMatchObject({ status: "unreachable", proof: { method: "proof by induction over its loops" } });
    expect(answer).not.toHaveProperty("obligations");
  });

  it("a proof that fails says in which state it is not excluded", async () => {
    const answer = await raises(
      code("b >= 0"),
      (each) => JSON.stringify(each["obligations"])?.includes("before") === true,
    );
    expect(answer).toMatchObject({
      status: expect.stringMatching(/timeout|undecided/),
      obligations: { open: [{ kind: "no exception", line: 7, exception: "ZeroDivisionError", reachable: false }] },
    });
  });

  it("an assert at the beginning that raises it is not left out", async () => {
    const answer = await raises(code("a >= 2 * b", "    assert 10 // d > 0\n"), () => true, 1);
    expect(answer["status"]).not.toBe("unreachable");
  });
});

describe.skipIf(!has_python)("several answers", () => {
  it("shows several paths to the same exception, each once", async () => {
    const code = `
def need(n: int) -> None:
    if n < 0:
        raise ValueError("negative")

def pay(a: int, b: int) -> int:
    if a > 100:
        need(b - 50)
    elif b == 7:
        need(a)
    return a
`;
    const answer = await verdict.raises(code, "pay", "ValueError");
    const paths = [field(answer, "triggering_inputs", 0), field(answer, "triggering_inputs", 1)];
    expect(answer).toMatchObject({ status: "found", paths_to_exception: 2 });
    expect(paths.map((each) => field({ each }, "each", "path_condition")).sort()).toEqual([
      "a > 100",
      "not (a > 100) and b == 7",
    ]);
  });

  it("shows every violation, not only the first", async () => {
    const code = `
def f(x: int) -> int:
    if x == 1234:
        raise KeyError(x)
    assert x != 4321
    return "nine" if x == 9999 else x
`;
    const answer = await verdict.check(code, "f", 100);
    const calls = [0, 1, 2].map((i) => field(answer, "counterexamples", i, "call"));
    expect(calls.sort()).toEqual(["f(x=1234)", "f(x=4321)", "f(x=9999)"]);
  });

  it("finds exceptions below the one that was asked for, and those that the code makes itself", async () => {
    const code = `
class Broken(ValueError):
    pass

def f(x: int) -> int:
    if x == 77:
        raise Broken(x)
    return [1, 2, 3][x] if 0 <= x < 4 else 0
`;
    expect(await verdict.raises(code, "f", "ValueError")).toMatchObject({
      status: "found",
      triggering_inputs: [{ args: { x: 77 } }],
    });
    expect(await verdict.raises(code, "f", "Broken")).toMatchObject({ status: "found" });
    expect(await verdict.raises(code, "f", "LookupError")).toMatchObject({
      status: "found",
      triggering_inputs: [{ args: { x: 3 } }],
    });
  });
});

/** A part of an answer, by its path. */
function field(answer: Answer, ...path: (string | number)[]): unknown {
  let value: unknown = answer;
  for (const step of path) value = typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined;
  return value;
}

describe.skipIf(!has_python)("the guide", () => {
  const guide = readFileSync("src/tools/symbolic/guide.md", "utf8");
  const blocks = [...guide.matchAll(/```python\n# (\w+)\(([^)]*)\): (\w+)\n([\s\S]*?)```/g)].map(
    ([, tool = "", names = "", status = "", code = ""]) => ({
      tool,
      names: [...names.matchAll(/"([\w.]+)"/g)].map(([, name]) => name),
      status,
      code,
    }),
  );

  it("has blocks, and each says what it shows", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    expect(blocks.length).toBe([...guide.matchAll(/```python/g)].length);
  });

  it.each(blocks)("has the block $tool $names, which answers $status", async ({ tool, names, status, code }) => {
    const [first, second] = names;
    const args: Record<string, Record<string, unknown>> = {
      symbolic_check: { function_name: first },
      find_path_to_exception: { function_name: first, exception_type: second },
      compare_functions: { function_a: first, function_b: second },
      analyze_branches: { function_name: first },
    };
    expect(await verdict.call(tool, { code, ...args[tool], timeout_seconds: 100 })).toMatchObject({ status });
  });
});

describe.skipIf(!has_python)("what can't be asked", () => {
  it.each([
    ["a syntax error", "def f(x: int) -> int:\n    return x +\n", { error_type: "SyntaxError", line: 2 }],
    ["no such function", "def g(x: int) -> int:\n    return x\n", { error_type: "NameError", error: /\bg\b/ }],
    ["empty code", "", { error_type: "ValueError", error: /empty/ }],
    [
      "an import at module level",
      "import os\ndef f(x: int) -> int:\n    return x + len(os.sep)\n",
      { error_type: "SandboxViolation", line: 3 },
    ],
    [
      "an import inside the function",
      "def f(x: int) -> int:\n    import subprocess\n    return subprocess.call(x)\n",
      { error_type: "SandboxViolation", line: 3 },
    ],
    [
      "__import__",
      'def f(x: int) -> int:\n    return __import__("os").getpid()\n',
      { error_type: "SandboxViolation", line: 2 },
    ],
    [
      "a module's own modules",
      "import random\ndef f(x: int) -> int:\n    return random._os.getpid()\n",
      { error_type: "SandboxViolation", line: 3 },
    ],
    [
      "a lambda that reaches out at run time",
      'g = lambda: open("/etc/passwd").read()\ndef f(x: int) -> str:\n    return g()\n',
      { error_type: "SandboxViolation", line: 1 },
    ],
    [
      "a module that does not end",
      "y = 0\nwhile True:\n    y += 1\ndef f(x: int) -> int:\n    return x + y\n",
      { error: /runs for more than 2 seconds/ },
    ],
    ["a module that exits", "y = exit(0)\ndef f(x: int) -> int:\n    return y\n", { error: /exit/i, line: 1 }],
    [
      "a module that raises",
      "y = 1 // 0\ndef f(x: int) -> int:\n    return y\n",
      { error: /ZeroDivisionError/, line: 1 },
    ],
    [
      "a hundred parameters",
      `def f(${Array.from({ length: 100 }, (_, i) => `a${i}: int`).join(", ")}) -> int:\n    return a0\n`,
      { error_type: "UnsupportedConstruct" },
    ],
    ["a coroutine", "async def f(x: int) -> int:\n    return x\n", { error_type: "UnsupportedConstruct" }],
    [
      "a recursive type",
      "from __future__ import annotations\nfrom dataclasses import dataclass\n\n@dataclass\nclass Node:\n    next: Node\n\ndef f(n: Node) -> int:\n    return 1\n",
      { error_type: "UnsupportedConstruct" },
    ],
  ])("%s", async (_, code, expected) => {
    // Two seconds of processor time are half a minute and more on a busy machine.
    const fault = await faultOf(verdict.check(code, "f", 150));
    const { error, ...others } = expected as { error?: RegExp };
    expect(fault).toMatchObject({ status: "error", ...others });
    if (error) expect(`${fault.error} ${fault.remedy}`).toMatch(error);
    expect(fault["suggestion"]).not.toBe("");
    expect(fault.remedy).not.toBe("");
  });

  it("64 KiB and one byte", async () => {
    const code = `def f(x: int) -> int:\n    return x\n#${" ".repeat(64 * 1024)}`;
    expect(await faultOf(verdict.check(code, "f"))).toMatchObject({ code: "invalid_argument" });
  });

  it("an exception that there is not", async () => {
    const fault = await faultOf(verdict.raises("def f(x: int) -> int:\n    return x\n", "f", "ValuError"));
    expect(fault.error).toContain("ValuError");
    expect(`${fault.error} ${fault.remedy}`).toContain("ValueError");
  });
});
