import { describe, expect, it } from "vitest";
import { readProgram } from "../../src/prover/python/program.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { int } from "../support/program_inputs.ts";
import { equal, meets, model, outcomeOf, runInPython, shareProver } from "../support/prover.ts";

describe.skipIf(!has_python)("the prover, on dicts and sets", () => {
  const bench = fixture(shareProver);

  it.each<[string, string, string]>([
    [
      "two names for one dict",
      "d = {n: 1}\n    e = d\n    e[n] = 2\n    return d[n]",
      "in-place changes of e, as it is not new here",
    ],
    [
      "one name for what another one holds",
      "d = {n: 1}\n    e = d\n    d[n] = 2\n    return e[n]",
      "a second reference to d",
    ],
    ["a dict in a list", "d = {n: 1}\n    ds = [d]\n    d[n] = 2\n    return ds[0][n]", "a second reference to d"],
    ["a dict in a dict", "d = {n: 1}\n    e = {n: d}\n    d[n] = 2\n    return e[n][n]", "a second reference to d"],
    [
      "a dict that a helper returns",
      "d = {n: 1}\n    e = same(d)\n    e[n] = 2\n    return d[n]",
      "in-place changes of e",
    ],
    ["a dict that a helper changes", "d = {n: 1}\n    put(d)\n    return d[n]", "in-place changes of the parameter d"],
    [
      "a set that is changed while it is iterated over",
      "s = {n}\n    for x in s:\n        s.add(x + 1)\n    return 0",
      "in-place changes of s while a loop iterates over it",
    ],
    [
      "a dict that is changed while its pairs are iterated over",
      "d = {n: 1}\n    for k, v in d.items():\n        d[v] = k\n    return 0",
      "assignments to d in a loop whose iterable depends on d",
    ],
    [
      "a view that is kept",
      "d = {n: 1}\n    keys = d.keys()\n    d[0] = 1\n    return len(keys)",
      "a second reference to d",
    ],
    ["a view that is not iterated over", "return len({n: 1}.keys())", "calls of the method keys"],
    ["keys of several types", "d = {1: 2, True: 3}\n    return n // len(d)", "a key of type bool for a dict[int, int]"],
    ["a key that is a float", "return len({0.5: n})", "dicts and sets with keys of type float"],
    [
      "a search for a bool among numbers",
      "return 1 if (n > 0) in {n: 1} else 0",
      "a key of type bool for a dict[int, int]",
    ],
    [
      "values of several types",
      "d = {n: 1}\n    d[0] = True\n    return n",
      "a value of type bool in a dict[int, int]",
    ],
    ["a default that is changed", "return put()", "default values of put that are not constants"],
    ["a set's own choice", "s = {n, 2}\n    return s.pop()", "calls of the method pop"],
    ["a dict in a text", "raise ValueError(f'{ {n: 1} }')", "f-strings that contain a list, dict or set"],
  ])("refuses %s", async (_, body, construct) => {
    const helper = body.includes("put()")
      ? "def put(d: dict[int, int] = {}) -> int:\n    d[0] = 1\n    return len(d)\n"
      : body.includes("put(")
        ? "def put(d: dict[int, int]) -> None:\n    d[0] = 1\n"
        : "def same(d: dict[int, int]) -> dict[int, int]:\n    return d\n";
    const verdict = await bench.prove(`${helper}def f(n: int) -> int:\n    ${body}\n`, meets);
    expect(verdict).toMatchObject({ cause: "unsupported", construct: expect.stringContaining(construct) });
  });

  it.each<[string, string]>([
    ["the order of a set", "s = {n, m}\n    for x in s:\n        return x\n    return 0\n# post: _ == n"],
    [
      "the order of a dict without a key",
      "d = {n: 1, m: 2, 7: 3}\n    d.pop(n)\n    return list(d)[0]\n# post: _ == m",
    ],
    ["that an entry is there", "d = {n: 1}\n    d.popitem()\n    k, v = d.popitem()\n    return k\n# post: _ == n"],
    ["an older entry", "d = {n: 1, m: 2}\n    k, v = d.popitem()\n    return v\n# post: _ == 1"],
    ["a parameter's order", "for x in s:\n        return x\n    return 0\n# post: all(_ <= x for x in s)"],
    ["two keys that may be one", "d = {n: 1, m: 2}\n    return d[n]\n# post: _ == 1"],
    ["two texts that may be one", "d = {a: 1, b: 2}\n    return d[a]\n# post: _ == 1"],
    ["a pair as its mirror image", "d = {(n, m): 1}\n    return d[(m, n)]\n# post: _ == 1"],
    ["that a set has two of everything", "return len({n, m})\n# post: _ == 2"],
  ])("does not prove %s", async (_, text) => {
    const [body, post] = text.split("\n# ");
    const code = `def f(n: int, m: int, a: str, b: str, s: set[int]) -> int:\n    """${post}"""\n    ${body}\n`;
    expect((await bench.prove(code, meets, 2_000)).kind).not.toBe("proven");
  });

  it.each<[string, string]>([
    ["different keys", "assert n != m\n    d = {n: 1, m: 2}\n    return d[n]\n# post: _ == 1"],
    ["different texts", "assert a != b\n    d = {a: 1, b: 2}\n    return d[a]\n# post: _ == 1"],
    ["different pairs", "assert n != m\n    d = {(n, m): 1, (m, n): 2}\n    return d[(n, m)]\n# post: _ == 1"],
    ["that a key is new or not", "return len({n, m})\n# post: _ == (1 if n == m else 2)"],
    ["that keys keep their places", "d = {n: 1, 5: 2}\n    d[n] = 3\n    return list(d)[0]\n# post: _ == n"],
    ["whatever the order is", "t = 0\n    for x in {n, m}:\n        t += 1\n    return t\n# post: _ <= 2"],
    ["that a copy is another dict", "d = {n: 1}\n    e = d.copy()\n    e[n] = 2\n    return d[n]\n# post: _ == 1"],
    [
      "that the newest key comes off",
      "d = {n: 1, 5: 2}\n    d[n] = 3\n    k, v = d.popitem()\n    return k\n# post: _ == 5 or _ == n == 5",
    ],
    ["that the rest keeps its order", "d = {7: 0, 8: n, 9: m}\n    d.popitem()\n    return list(d)[1]\n# post: _ == 8"],
    ["a table of the module", "return TABLE.get(n, 0)\n# post: 0 <= _ <= 8"],
  ])("proves %s", async (_, text) => {
    const [body, post] = text.split("\n# ");
    const code = `TABLE = {1: 5, 2: 8}\ndef f(n: int, m: int, a: str, b: str) -> int:\n    """${post}"""\n    ${body}\n`;
    expect(await bench.decide(code, meets)).toMatchObject({ kind: "proven" });
  });

  it.each<[string, string, string]>([
    ["a key with a default", "d.get(n, 0)", "d[n] if n in d else 0"],
    ["equality both ways", "d == {n: 1}", "len(d) == 1 and d.get(n) == 1"],
    ["inclusion both ways", "s <= {n, 1}", "{n, 1} >= s"],
  ])("proves that two functions are equal by %s", async (_, f, g) => {
    const head = "(d: dict[int, int], s: set[int], n: int):\n    return ";
    expect(await bench.decide(`def f${head}${f}\ndef g${head}${g}\n`, equal)).toMatchObject({ kind: "proven" });
  });

  it("does not take dicts with another order of keys for equal", async () => {
    const head = "(n: int):\n    return ";
    const code = `def f${head}{1: n, 2: 0}\ndef g${head}{2: 0, 1: n}\n`;
    expect((await bench.prove(code, equal, 2_000)).kind).not.toBe("proven");
  });

  it("knows the keys that are left when others were removed, and their order", async () => {
    const code = `def f(n: int):
    d = {0: 1, 1: 2, 5: 7}
    s = set(d)
    t = d.pop(n, 3)
    s.discard(n)
    e = {5: 0, n: 1}
    return (t, d, s, list(e), sorted(s), len(d), d == {1: 2, 5: 7}, s <= {0, 1})
`;
    const inputs = [-1, 0, 1, 5].map((n) => [int(n)]);
    const [run] = await runInPython([{ code, calls: inputs.map((args) => ({ function: "f", args })) }]);
    if (!run) throw new Error("Python ran nothing");
    const modelled = model(readProgram(run.syntax), "f");
    for (const [i, args] of inputs.entries()) expect(await outcomeOf(modelled, args)).toBe(run.outcomes[i]);
  });
});
