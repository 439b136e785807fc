import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { equal, isDecided, meets, never, openProver, prove_ms_max } from "../support/prover.ts";

const bench = fixture(openProver);
const verdictOn = (code: string, goal = meets) =>
  withEnoughTime((ms) => bench.prove(code, goal, ms), isDecided, prove_ms_max);

describe.skipIf(!has_python)("a function that changes its parameter in place", () => {
  it.each([
    [
      "appends",
      "def f(xs: list[int]) -> None:\n    n = len(xs)\n    xs.append(4)\n    assert len(xs) == n + 1 and xs[n] == 4\n",
    ],
    [
      "swaps",
      "def f(xs: list[int], i: int, j: int) -> None:\n    assert 0 <= i < len(xs) and 0 <= j < len(xs)\n    a = xs[i]\n    b = xs[j]\n    xs[i], xs[j] = xs[j], xs[i]\n    assert xs[i] == b and xs[j] == a\n",
    ],
    [
      "overwrites all items",
      "def f(xs: list[int]) -> list[int]:\n    for i in range(len(xs)):\n        assert all(xs[j] == 0 for j in range(i))\n        xs[i] = 0\n    assert all(x == 0 for x in xs)\n    return xs\n",
    ],
    [
      "moves the largest item to the end",
      "def f(xs: list[int]) -> None:\n    for i in range(len(xs) - 1):\n        assert all(xs[j] <= xs[i] for j in range(i))\n        if xs[i] > xs[i + 1]:\n            xs[i], xs[i + 1] = xs[i + 1], xs[i]\n    assert all(x <= xs[len(xs) - 1] for x in xs)\n",
    ],
    ["sets a key", "def f(d: dict[str, int], k: str) -> None:\n    d[k] = 3\n    assert d[k] == 3\n"],
    [
      "replaces it by a copy itself",
      "def f(xs: list[int], ys: list[int]) -> None:\n    xs = xs.copy()\n    n = len(ys)\n    xs.append(1)\n    assert len(ys) == n\n",
    ],
    [
      "moves it to another name",
      "def f(xs: list[int]) -> None:\n    assert len(xs) < 9\n    ys = xs\n    ys.append(4)\n    assert ys[-1] == 4\n",
    ],
    [
      "takes the newest entry",
      "def f(d: dict[int, int]) -> None:\n    assert len(d) > 0\n    e: dict[int, int] = d\n    n = len(e)\n    k, v = e.popitem()\n    assert len(e) == n - 1\n",
    ],
  ])("is proven if it %s", async (_, code) => {
    expect(await verdictOn(code)).toMatchObject({ kind: "proven" });
  });

  it("is proven not to raise", async () => {
    const code = "def f(xs: list[int]) -> int:\n    xs.append(1)\n    return xs[0]\n";
    expect(await verdictOn(code, never("IndexError"))).toMatchObject({ kind: "proven" });
  });

  it.each([
    ["a wrong assert", "def f(xs: list[int]) -> None:\n    xs.append(1)\n    assert len(xs) == 1\n"],
    [
      "an assert about the old value",
      "def f(xs: list[int]) -> None:\n    assert len(xs) > 0\n    xs[0] = 7\n    assert xs[0] != 7\n",
    ],
  ])("is refuted for %s", async (_, code) => {
    expect(await verdictOn(code)).toMatchObject({ cause: "unconfirmed" });
  });

  it.each([
    [
      "another parameter",
      "def f(xs: list[int], ys: list[int]) -> None:\n    n = len(ys)\n    xs.append(1)\n    assert len(ys) == n\n",
    ],
    [
      "an item of another parameter",
      "def f(xs: list[int], ys: list[list[int]]) -> None:\n    n = len(ys)\n    xs.append(1)\n    assert len(ys) == n\n",
    ],
    ["an item of the list", "def f(xs: list[list[int]]) -> None:\n    xs[0].append(1)\n    assert True\n"],
    ["items that are kept", "def f(xs: list[list[int]]) -> None:\n    xs.append([1])\n    assert len(xs) > 0\n"],
    ["two names", "def f(xs: list[int]) -> None:\n    ys = xs\n    ys.append(1)\n    assert len(xs) == len(ys) - 1\n"],
    [
      "a move in a loop",
      "def f(xs: list[int], n: int) -> None:\n    for i in range(n):\n        ys = xs\n        ys.append(1)\n        assert len(ys) < 3\n",
    ],
    [
      "a move and another list",
      "def f(xs: list[int], zs: list[int]) -> None:\n    n = len(zs)\n    ys = xs\n    ys.append(1)\n    assert len(zs) == n\n",
    ],
    ["a global list", "L = [1]\ndef f(xs: list[int]) -> None:\n    xs.append(1)\n    assert len(L) == 1\n"],
    [
      "a postcondition",
      'def f(xs: list[int]) -> None:\n    """post: len(xs) == len(__old__.xs)"""\n    xs.append(1)\n',
    ],
    [
      "a condition of icontract",
      "from icontract import ensure\n@ensure(lambda xs: len(xs) == 0)\ndef f(xs: list[int]) -> None:\n    xs.clear()\n    xs.append(1)\n",
    ],
    ["a default value", "def f(xs: list[int] = None) -> None:\n    xs.append(1)\n    assert len(xs) > 0\n"],
    ["no exact type", "def f(xs: list[int] | None) -> None:\n    xs.append(1)\n    assert len(xs) > 0\n"],
    [
      "a call of itself",
      "def f(xs: list[int]) -> int:\n    if len(xs) > 5:\n        return 0\n    xs.append(1)\n    f(xs)\n    assert len(xs) < 3\n    return len(xs)\n",
    ],
    [
      "a caller",
      "def h(xs: list[int]) -> None:\n    xs.append(1)\ndef f(n: int) -> None:\n    ys = [n]\n    h(ys)\n    assert len(ys) == 1\n",
    ],
    [
      "a change before the copy",
      "def f(xs: list[int], ys: list[int]) -> None:\n    xs.append(1)\n    xs = xs.copy()\n    xs.append(1)\n    assert len(ys) == 0 or len(ys) > 0\n",
    ],
  ])("is refused with %s", async (_, code) => {
    expect(["undecided", "unsupported"]).toContain((await verdictOn(code)).kind);
  });

  it("is not compared with another one", async () => {
    const code =
      "def f(xs: list[int]) -> int:\n    xs.append(1)\n    return len(xs)\ndef g(xs: list[int]) -> int:\n    return len(xs) + 1\n";
    expect((await verdictOn(code, equal)).kind).not.toBe("proven");
  });
});
