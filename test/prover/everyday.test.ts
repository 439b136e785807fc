import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { meets, openProver } from "../support/prover.ts";

const imports = "import bisect, re\nfrom typing import Any, Iterable\nfrom collections.abc import Sequence\n";

/** A function with these parameters and this result. */
const of = (signature: string, ...body: readonly string[]) =>
  `${imports}def f${signature}:\n${body.map((line) => `    ${line}\n`).join("")}`;

describe.skipIf(!has_python)("what everyday functions use", () => {
  const bench = fixture(openProver);

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
  ])("is not proved: %s", async (_, code) => {
    expect((await bench.decide(code, meets)).kind, code).not.toBe("proven");
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
