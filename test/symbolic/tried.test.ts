import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const by_trying = ["found by trying boundary values"];

describe.skipIf(!has_python)("the inputs that are tried", () => {
  it.each([
    [
      "middle-sized numbers",
      "import math\ndef f(n: int, k: int) -> int:\n    if not 0 <= k <= n:\n        return 0\n    return int(math.factorial(n) / (math.factorial(k) * math.factorial(n - k)))\ndef g(n: int, k: int) -> int:\n    if not 0 <= k <= n:\n        return 0\n    return math.factorial(n) // (math.factorial(k) * math.factorial(n - k))\n",
    ],
    [
      "overlapping texts",
      "def f(s: str, t: str) -> int:\n    return s.count(t) if t else 0\ndef g(s: str, t: str) -> int:\n    return sum(s.startswith(t, i) for i in range(len(s))) if t else 0\n",
    ],
    [
      "numbers that constants make",
      "def f(n: int) -> str:\n    return f'{n / 10**6:.1f} million' if n < 10**9 else 'many'\ndef g(n: int) -> str:\n    text = f'{n / 10**6:.1f} million'\n    return text if n < 10**9 and text != '1000.0 million' else 'many'\n",
    ],
    [
      "texts that a pattern matches",
      "import re\ndef f(s: str) -> str:\n    m = re.match(r'(\\d+):(\\d\\d)(?:[.:](\\d+))?$', s)\n    return m[2] if m else ''\ndef g(s: str) -> str:\n    m = re.match(r'(\\d+):(\\d\\d)(?:[.](\\d+))?$', s)\n    return m[2] if m else ''\n",
    ],
    [
      "floats that are rounded to a power of ten",
      "def f(x: float) -> str:\n    return f'{x:.0f}'\ndef g(x: float) -> str:\n    return f'{x:.0f}' if abs(x) < 1000 or x != x else '1k' if round(x) == 1000 else f'{x:.0f}'\n".replaceAll(
        "abs(x) < 1000",
        "abs(x) < 999",
      ),
    ],
    [
      "constants of the functions before those of their module",
      `T = {${Array.from({ length: 60 }, (_, i) => `"word${i}": ${i}`).join(", ")}}\ndef f(s: str) -> int:\n    return len(s) + T.get(s, 0)\ndef g(s: str) -> int:\n    return len(s) + T.get(s, 0) + (s.endswith("zz") and len(s) > 2)\n`,
    ],
    [
      "numbers that take long to handle last",
      "def f(x: float, digits: int) -> str:\n    return f'{x:.{abs(digits)}f}' if digits > 3 else str(x)\ndef g(x: float, digits: int) -> str:\n    return f'{x:.{abs(digits)}f}' if digits > 3 else repr(x) if x < 999 else ''\n",
    ],
  ])("have %s", async (_, code) => {
    const answer = await verdict.compare(code, "f", "g");
    expect(answer).toMatchObject({ distinguishing_input: { kind: "result" }, notes: by_trying });
  });

  it.each([
    "[^a-y\\s]{3}",
    "(?i:ab|[0-5]x)\\.(foo|bar)+",
    "(?P<year>\\d{4})-\\d\\d(?!9)",
    "<(\\w+)>.*?</\\1>|\\[\\W\\D\\S]",
  ])("match the pattern %s", async (pattern) => {
    const code = `import re\ndef f(s: str) -> int:\n    return 1 // 0 if re.match(r"${pattern}", s) else 0\n`;
    const { status, notes } = await verdict.raises(code, "f", "ZeroDivisionError");
    expect([status, notes]).toEqual(["found", by_trying]);
  });

  it.each([
    ["begin", "visit_", '"visit_" + animal', ""],
    ["end", "", 'animal + "_visit"', "_visit"],
  ])("have the rest of names that %s with a constant", async (_, before, name, after) => {
    const code = `class Farm:\n    def ${before}cows${after}(self) -> int:\n        return 1 // 0\n    def ${before}pigs${after}(self) -> int:\n        return 1\ndef f(animal: str) -> int:\n    return getattr(Farm(), ${name}, int)()\n`;
    expect(await verdict.raises(code, "f", "ZeroDivisionError")).toMatchObject({
      triggering_inputs: [{ args: { animal: "cows" } }],
    });
  });

  it.each([
    ["an object that is changed and shared", "len(rows) == 2", "rows[1].pop()", "[(shared := [0]), shared]"],
    ["an object that is changed", "len(rows) == 1", "1 // (n * n - 15241630849)", "[[123457]]"],
  ])("are those before the call: %s", async (_, condition, end, python) => {
    const code = `def f(rows: list[list[int]]) -> int:\n    """pre: ${condition} and all(len(each) == 1 for each in rows)"""\n    n = rows[0].pop()\n    return ${end}\n`;
    const { counterexamples } = await verdict.check(code, "f");
    expect(counterexamples).toMatchObject([{ call: `f(rows=${python})` }]);
  });

  it("are replayed with the objects that they share, and shown with them", async () => {
    const code =
      'def f(rows: list[list[int]]) -> int:\n    if len(rows) == 2:\n        rows[0].append(0)\n        n = len(rows[1])\n        rows[0].append(0)\n        if len(rows[1]) != n:\n            raise KeyError("shared")\n    return 0\n';
    const { counterexamples } = await verdict.check(code, "f");
    expect(counterexamples).toMatchObject([
      {
        call: "f(rows=[(shared := []), shared])",
        args: { rows: { python: "[(shared := []), shared]" } },
        violation: "exception: KeyError: 'shared'",
      },
    ]);
  });
});
