import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { meets, shareProver } from "../support/prover.ts";

const imports = "import bisect, re\nfrom typing import Any, Iterable\nfrom collections.abc import Sequence\n";

/** A function with these parameters and this result. */
const of = (signature: string, ...body: readonly string[]) =>
  `${imports}def f${signature}:\n${body.map((line) => `    ${line}\n`).join("")}`;

describe.skipIf(!has_python)("what everyday functions use", () => {
  const bench = fixture(shareProver);

  it.each([
    ["any result", of("(n: int) -> Any", "return n")],
    ["an object", of("(n: int) -> object", "return [n]")],
    ["lists of anything", of("(n: int) -> list", "return [n]")],
    ["dicts of anything", of("(s: str) -> dict[str, Any]", "return {s: 1}")],
    ["tuples of any length", of("(n: int) -> tuple[int, ...]", "return (n, n)")],
    ["tuples of anything", of("(n: int) -> tuple", "return (n, 'a')")],
    ["tuples made of lists", of("(xs: list[int]) -> tuple[int, ...]", "return tuple(sorted(xs))")],
    ["Iterables", of("(xs: list[int]) -> Iterable[int]", "return xs")],
    ["several beginnings", of("(s: str) -> bool", "return s.startswith(('a', s)) and s.endswith(('', 'b'))")],
    ["a copy by a slice", of("(xs: list[int]) -> int", "ys = xs[:]", "ys.append(1)", "return ys[-1]")],
    ["a pattern with groups", of("(s: str) -> list[str]", "return re.findall('a(b)?', s)")],
    ["groups that are none", of("(s: str) -> list[str]", "return re.split('(?:a)+', s)")],
    ["the truth of a match", of("(s: str) -> bool", "return bool(re.search('a', s))")],
    ["a number as text", of("(n: int) -> str", "return f'{n:04X} {n:_b}'")],
    ["a list or None", of("(xs: list[int] | None) -> int", "t = 0", "for x in xs or []:", "    t += x", "return t")],
    [
      "a dict that is not None",
      of(
        "(d: dict[str, int] | None) -> list[str]",
        "if d is None:",
        "    return []",
        "return [k for k, v in d.items() if v]",
      ),
    ],
    ["an index in a tuple", of("(t: tuple[int, ...]) -> int", "return t[0] + t[-1] if len(t) > 0 else 0")],
    ["a slice of a tuple", of("(t: tuple[int, ...]) -> tuple[int, ...]", "return t[1:]")],
    [
      "a place in a tuple",
      of("(t: tuple[int, ...]) -> int", "i = bisect.bisect_left(t, 5)", "return t[i] if i < len(t) else 0"),
    ],
    ["any bits", of("(n: int, k: int) -> int", "return n << 32 | k ^ n & k")],
    ["equal bits", of("(n: int, k: int) -> int", "pass", "assert n | k == n | k", "return n & k")],
    [
      "a frozenset of constants",
      `A = frozenset(["a", "b"])\n${of("(s: str) -> bool", "pass", "assert not 'c' in A and 'a' in A", "return s.lower() in A")}`,
    ],
    [
      "a frozenset that is not meant",
      `A = frozenset({1})\n${of("(A: list[int]) -> bool", "pass", "assert (1 in A) == any(a == 1 for a in A)", "return 1 not in A")}`,
    ],
    [
      "a table as a default",
      `A = {7: "a", 8: "b"}\n${of("(s: str, t: dict[int, str] = A) -> str", "return s.translate(t)")}`,
    ],
    [
      "a table as a default of another function",
      `A = {7: "a"}\ndef g(n, t=A):\n    return n in t\n${of("(n: int) -> bool", "A = {}", "assert g(7) and not g(8) and n not in A", "return g(n)")}`,
    ],
  ])("is proved: %s", async (_, code) => {
    expect(await bench.decide(code, meets), code).toMatchObject({ kind: "proven" });
  });

  it.each([
    ["a match as bytes", of("(s: str, b: bytes) -> bytes", "return re.search('a', s) if s == 'abc' else b")],
    ["a match as a sequence", of("(s: str) -> Sequence[int]", "return re.search('a', s)")],
    ["another item", of("(n: int) -> tuple[int, ...]", "return (n, 'a')")],
    ["another length", of("(t: tuple[int, ...]) -> tuple[int]", "return t")],
    ["an empty tuple", of("(n: int) -> tuple[()]", "return (n,)")],
    ["a list as a tuple", of("(n: int) -> tuple[int, ...]", "return [n]")],
    ["another key", of("(n: int) -> dict[str, Any]", "return {n: 1}")],
    ["a tuple as a list", of("(n: int) -> list", "return (n,)")],
    ["a beginning that is no text", of("(s: str) -> bool", "return s.startswith(('a', 1))")],
    ["the parts between groups", of("(s: str) -> list[str]", "return re.split('(a)|b', s)")],
    ["several groups", of("(s: str) -> list[str]", "return re.findall('(a)|(b)', s)")],
    ["too many digits", of("(n: int) -> str", "return f'{n:5d}'")],
    ["a format of another type", of("(s: str) -> str", "return f'{s:d}'")],
    ["None", of("(xs: list[int] | None) -> int", "t = 0", "for x in xs:", "    t += x", "return t")],
    [
      "None alone",
      of("(xs: list[int] | None) -> int", "if xs is None:", "    for x in xs:", "        return 1", "return 0"),
    ],
    ["a sum over None", of("(xs: list[int] | None) -> int", "return sum(xs) if xs is None else 0")],
    ["the items of None", of("(xs: str | None) -> list[str]", "return [c for c in xs] if xs is None else []")],
    [
      "None in place of a list",
      of(
        "(xs: list[int], b: bool) -> int",
        "ys = xs if b else None",
        "if not b:",
        "    for y in ys:",
        "        return 1",
        "return 0",
      ),
    ],
    ["a specification by name", of("(s: str) -> str", "return format(s, format_spec='d')")],
    ["two specifications", of("(s: str) -> str", "return format(s, '', '')")],
    ["a text by a name that it does not have", of("(s: str) -> str", '"""post: _ == s"""', "return str(encoding=s)")],
    ["an unknown handler of errors", of("(s: str) -> bytes", "return s.encode('ascii', errors=s)")],
    ["a handler of errors that is no text", of("(s: str) -> bytes", "return s.encode('utf-8', errors=3)")],
    ["a specification of another type", of("(s: str) -> str", "return format(s, 3)")],
    ["None without items", of("(d: dict[str, int] | None) -> list[str]", "return [k for k, v in d.items()]")],
    ["an index out of a tuple", of("(t: tuple[int, ...]) -> int", "return t[1] if len(t) > 0 else 0")],
    ["the end of a tuple", of("(t: tuple[int, ...]) -> int", "return t[bisect.bisect_left(t, 5)] if t else 0")],
    ["the name of a pattern", `${imports}len = re.compile("a")\ndef f(s: str) -> int:\n    return len(s)\n`],
    ["a chain from a set", of("(n: int) -> bool", "pass", "assert not (n in {1, 2} == {1, 2})", "return True")],
    ["a chain to a set", of("(n: int) -> bool", "pass", "assert n == 1 in {1, 2}", "return True")],
    ["bits that are not equal", of("(n: int, k: int) -> int", "pass", "assert n | k == n ^ k", "return n")],
    ["bits of a float", of("(n: int, x: float) -> int", "return n | x")],
    ["bits that divide", of("(n: int, k: int) -> int", "return 1 // (n | k)")],
    ["a list in a frozenset", `A = frozenset([1])\n${of("(xs: list[int]) -> bool", "return xs in A")}`],
    ["a frozenset of a list", `A = frozenset([[1]])\n${of("(n: int) -> bool", "return n in A")}`],
    ["a frozenset as a set", `A = frozenset([1])\n${of("(n: int) -> set[int]", "return A")}`],
    ["a frozenset that grows", `A = frozenset([1])\n${of("(n: int) -> bool", "A.add(2)", "return True")}`],
    [
      "another frozenset",
      `def frozenset(a):\n    return [2]\nA = frozenset([1])\n${of("(n: int) -> bool", "pass", "assert 1 in A", "return True")}`,
    ],
    [
      "a table of another type as a default",
      `A = {7: 1}\n${of("(s: str, t: dict[int, str] = A) -> int", "return sum(len(t[k]) for k in t)")}`,
    ],
    [
      "a default that is changed",
      `A = {7: "a"}\n${of("(n: int, t: dict[int, str] = A) -> int", "t[n] = 'b'", "assert len(A) == 1", "return n")}`,
    ],
    [
      "a default that another one changes",
      `A = {7: "a"}\ndef g(n, t=A):\n    t[n] = 'b'\n    return len(A)\n${of("(n: int) -> int", "assert g(1) == g(2)", "return n")}`,
    ],
    [
      "a default before its table",
      `def g(n, t=A):\n    return n in t\nA = {7: "a"}\n${of("(n: int) -> bool", "return g(n)")}`,
    ],
    ["a translation to numbers", of("(s: str, t: dict[int, int]) -> str", "return s.translate(t)")],
    [
      "a translation by texts",
      of("(s: str, t: dict[str, str]) -> str", "pass", "assert s.translate(t) != 'a'", "return s"),
    ],
  ])("is not proved: %s", async (_, code) => {
    expect((await bench.decide(code, meets)).kind, code).not.toBe("proven");
  });

  it.each(["D = 5\n", "def D(self):\n        return 5\n", "D: int = 5\n"])(
    "looks up a default in its class: %s",
    async (own) => {
      const code = `D = {"a": 1}\nclass A:\n    ${own}    def m(self, k: str, d=D) -> int:\n        return 0 if d == 5 else 1\ndef f(k: str) -> int:\n    t = A().m(k)\n    assert t == 1\n    return t\n`;
      expect((await bench.decide(code, meets)).kind).not.toBe("proven");
    },
  );

  it("have the same bits for the same operands", async () => {
    const code = (bits: string) =>
      `def f(a: int, b: int) -> int:\n    return (a ^ b) + 1 if a > b else 0\ndef g(a: int, b: int) -> int:\n    if a <= b:\n        return 0\n    return 1 + (${bits})\n`;
    const equal = { kind: "equivalent", function_a: "f", function_b: "g" } as const;
    expect(await bench.decide(code("a ^ b"), equal)).toMatchObject({ kind: "proven" });
    for (const bits of ["a | b", "a ^ (b + 1)", "b ^ (a + 1)"])
      expect((await bench.decide(code(bits), equal)).kind, bits).not.toBe("proven");
  });

  it("differ by the flags of a pattern", async () => {
    const code = (flags: string) =>
      `import re\nA = re.compile("a"${flags})\nB = re.compile("a", re.S | re.I)\ndef f(s: str) -> bool:\n    return bool(A.match(s))\ndef g(s: str) -> bool:\n    return bool(B.match(s))\n`;
    const equal = { kind: "equivalent", function_a: "f", function_b: "g" } as const;
    expect(await bench.decide(code(", flags=re.IGNORECASE | re.DOTALL"), equal)).toMatchObject({ kind: "proven" });
    for (const flags of ["", ", re.I", ", re.S", ", re.I | re.S | re.M"])
      expect((await bench.decide(code(flags), equal)).kind, flags).not.toBe("proven");
  });
});
