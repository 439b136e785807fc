import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const assumptionsOf = (answer: Record<string, unknown>) => JSON.stringify(answer["proof"]);

describe.skipIf(!has_python)("one meaning for who judges, explores and proves", () => {
  it("lets a whole number pass for a float that is promised", async () => {
    const code = "def f(xs: list[int]) -> float:\n    t = 0\n    for x in xs:\n        t += 1\n    return t\n";
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified" });
  });

  it("takes a precondition that raises for one that is not met, and says so", async () => {
    const code = (body: string) => `def f(n: int) -> int:\n    assert 10 // n > 0\n${body}`;
    const looped = code("    t = 0\n    for i in range(n):\n        t += 1\n    assert t == n\n    return t\n");
    const answer = await verdict.check(looped, "f");
    expect(answer).toMatchObject({ status: "verified" });
    expect(assumptionsOf(answer)).toContain("does not meet it");
    const explored = await verdict.check(code("    return n * 2\n"), "f");
    expect(explored).toMatchObject({ status: "verified" });
    expect(assumptionsOf(explored)).toContain("does not meet it");
    const raised = await verdict.raises(looped, "f", "ZeroDivisionError");
    expect(raised).toMatchObject({ status: "unreachable" });
    expect(assumptionsOf(raised)).toContain("does not meet it");
  });

  it("excuses no call by what a precondition raises within another call", async () => {
    const code = "def f(n: int) -> int:\n    assert 10 // n > 0\n    if n == 1:\n        return f(0)\n    return n\n";
    const answer = await verdict.check(code, "f");
    expect(answer["status"]).toBe("counterexample");
  });

  it("says that messages of exceptions are not compared", async () => {
    const g = (text: string) => `(x: int) -> int:\n    if x < 0:\n        raise ValueError(${text})\n    return x\n`;
    const answer = await verdict.compare(`def f${g("'a'")}def g${g("'b'")}`, "f", "g");
    expect(answer).toMatchObject({ status: "equivalent", confidence: "proven" });
    expect(assumptionsOf(answer)).toContain("messages are not");
  });

  it.each([
    ["a: int, b: int", "b: int, a: int", true],
    ["a: int, b: int", "a: int, b: int", false],
    ["a: int, b: int, /", "x: int, y: int, /", false],
  ])("says that arguments are passed by position where names differ: f(%s), g(%s)", async (one, other, is_said) => {
    const [first, second] = [one, other].map((each) =>
      [...each.matchAll(/(\w+):/g)].map(([, name]) => name).join(" - "),
    );
    const code = `def f(${one}) -> int:\n    return ${first}\ndef g(${other}) -> int:\n    return ${second}\n`;
    const answer = await verdict.compare(code, "f", "g");
    expect(answer).toMatchObject({ status: "equivalent", confidence: "proven" });
    expect(assumptionsOf(answer).includes("passed by position")).toBe(is_said);
  });

  it("leaves the blanks in the empty lines of a text", async () => {
    const text = 'def f(n: int) -> str:\n    return """a\n   \nb"""\ndef g(n: int) -> str:\n    return "a\\n\\nb"\n';
    expect(await verdict.compare(text, "f", "g")).toMatchObject({ status: "different" });
    // All of it indented, as a piece of a file: that is still read.
    const indented = "    def f(n: int) -> int:\n        return n\n    def g(n: int) -> int:\n        return n + 0\n";
    expect(await verdict.compare(indented, "f", "g")).toMatchObject({ status: "equivalent" });
  });

  it("keeps in its fields what the text tells apart", async () => {
    const floats = "def f(x: int):\n    return 0 * x\ndef g(x: int):\n    return [0.0 * x][0]\n";
    expect(await verdict.compare(floats, "f", "g")).toMatchObject({
      status: "different",
      distinguishing_input: { function_a_repr: "0", function_b_repr: "0.0" },
    });
    const texts = "from decimal import Decimal\ndef f(x: int) -> str:\n    return Decimal('1')\n";
    expect(await verdict.check(texts, "f")).toMatchObject({ counterexamples: [{ actual_repr: "Decimal('1')" }] });
  });
});
