import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { equal, isDecided, meets, never, prove_ms_max, shareProver } from "../support/prover.ts";

const bench = fixture(shareProver);
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

  it.each([
    [
      "swaps at once or through a variable",
      "def f(xs: list[int], i: int, j: int) -> None:\n    xs[i], xs[j] = xs[j], xs[i]\ndef g(xs: list[int], i: int, j: int) -> None:\n    a = xs[i]\n    b = xs[j]\n    xs[i] = b\n    xs[j] = a\n",
    ],
    [
      "sort with another name for the index",
      "def f(xs: list[int]):\n    for i in range(1, len(xs)):\n        while i > 0 and xs[i - 1] > xs[i]:\n            xs[i], xs[i - 1] = xs[i - 1], xs[i]\n            i -= 1\n    return xs\ndef g(xs: list[int]):\n    for i in range(1, len(xs)):\n        j = i\n        while j > 0 and xs[j - 1] > xs[j]:\n            xs[j], xs[j - 1] = xs[j - 1], xs[j]\n            j -= 1\n    return xs\n",
    ],
    [
      "append one way or another",
      "def f(xs: list[int], n: int) -> int:\n    xs.append(n)\n    return len(xs)\ndef g(xs: list[int], n: int) -> int:\n    k = len(xs)\n    xs += [n]\n    return k + 1\n",
    ],
    [
      "change a list that was moved",
      "def f(xs: list[int], n: int) -> None:\n    ys = xs\n    ys.append(n)\ndef g(xs: list[int], n: int) -> None:\n    xs.append(n)\n",
    ],
    [
      "set a key",
      "def f(d: dict[str, int], k: str) -> None:\n    d[k] = d.get(k, 0) + 1\ndef g(d: dict[str, int], k: str) -> None:\n    if k in d:\n        d[k] = d[k] + 1\n    else:\n        d[k] = 1\n",
    ],
    [
      "overwrite all items",
      "def f(xs: list[int]) -> None:\n    for i in range(len(xs)):\n        xs[i] = 0\ndef g(xs: list[int]) -> None:\n    for i in range(0, len(xs)):\n        xs[i] *= 0\n",
    ],
  ])("is the same as another one: both %s", async (_, code) => {
    expect(await verdictOn(code, equal)).toMatchObject({ kind: "proven" });
  });

  it.each([
    [
      "one changes a copy",
      "def f(xs: list[int]) -> list[int]:\n    xs.append(1)\n    return xs\ndef g(xs: list[int]) -> list[int]:\n    ys = xs.copy()\n    ys.append(1)\n    return ys\n",
    ],
    [
      "one returns a new list",
      "def f(xs: list[int]) -> list[int]:\n    xs += [1]\n    return xs\ndef g(xs: list[int]) -> list[int]:\n    return xs + [1]\n",
    ],
    [
      "one only reads",
      "def f(xs: list[int]) -> int:\n    xs.append(1)\n    return len(xs)\ndef g(xs: list[int]) -> int:\n    return len(xs) + 1\n",
    ],
    [
      "other items",
      "def f(xs: list[int]) -> None:\n    xs.append(1)\ndef g(xs: list[int]) -> None:\n    xs.append(2)\n",
    ],
    [
      "other places",
      "def f(xs: list[int]) -> None:\n    xs.insert(0, 1)\ndef g(xs: list[int]) -> None:\n    xs.append(1)\n",
    ],
    [
      "a change before an exception",
      "def f(xs: list[int], n: int) -> int:\n    xs.append(n)\n    return 1 // n\ndef g(xs: list[int], n: int) -> int:\n    k = 1 // n\n    xs.append(n)\n    return k\n",
    ],
    [
      "a change before a failing assert",
      "def f(xs: list[int]) -> None:\n    xs.append(1)\n    assert len(xs) < 3\ndef g(xs: list[int]) -> None:\n    assert len(xs) < 2\n    xs.append(1)\n",
    ],
    [
      "a change in a branch",
      "def f(xs: list[int], n: int) -> None:\n    if n > 0:\n        xs.append(1)\ndef g(xs: list[int], n: int) -> None:\n    if n >= 0:\n        xs.append(1)\n",
    ],
    [
      "a change in a handler",
      "def f(xs: list[int]) -> None:\n    try:\n        xs[3] = 1\n    except IndexError:\n        xs.append(1)\ndef g(xs: list[int]) -> None:\n    try:\n        xs[3] = 1\n    except IndexError:\n        pass\n",
    ],
    [
      "a change in the last iteration",
      "def f(xs: list[int], n: int) -> None:\n    for i in range(n):\n        xs.append(i)\ndef g(xs: list[int], n: int) -> None:\n    for i in range(n - 1):\n        xs.append(i)\n",
    ],
    [
      "a return within a loop",
      "def f(xs: list[int]) -> int:\n    for i in range(len(xs)):\n        if xs[i] == 7:\n            return i\n        xs[i] = 0\n    return -1\ndef g(xs: list[int]) -> int:\n    for i in range(len(xs)):\n        if xs[i] == 7:\n            xs[i] = 0\n            return i\n        xs[i] = 0\n    return -1\n",
    ],
    [
      "an exception within a loop",
      "def f(xs: list[int]) -> int:\n    for i in range(len(xs)):\n        xs[i] = 1 // xs[i]\n    return -1\ndef g(xs: list[int]) -> int:\n    for i in range(len(xs)):\n        k = xs[i]\n        xs[i] = 5\n        xs[i] = 1 // k\n    return -1\n",
    ],
    [
      "a replaced parameter",
      "def f(xs: list[int]) -> list[int]:\n    xs.append(1)\n    return xs\ndef g(xs: list[int]) -> list[int]:\n    xs = xs.copy()\n    xs.append(1)\n    return xs\n",
    ],
    [
      "a parameter that is replaced later",
      "def f(xs: list[int]) -> list[int]:\n    xs.append(1)\n    return xs\ndef g(xs: list[int]) -> list[int]:\n    xs.append(1)\n    xs = xs.copy()\n    return xs\n",
    ],
    [
      "a parameter that is replaced and changed",
      "def f(xs: list[int]) -> list[int]:\n    xs.append(1)\n    xs.append(2)\n    return xs\ndef g(xs: list[int]) -> list[int]:\n    xs.append(1)\n    xs = xs.copy()\n    xs.append(2)\n    return xs\n",
    ],
    [
      "a moved list that is replaced",
      "def f(xs: list[int]) -> None:\n    ys = xs\n    ys.append(1)\ndef g(xs: list[int]) -> None:\n    ys = xs\n    ys = [1]\n    ys.append(1)\n",
    ],
    [
      "a moved list under a condition",
      "def f(xs: list[int], n: int) -> None:\n    if n:\n        ys = xs\n        ys.append(1)\ndef g(xs: list[int], n: int) -> None:\n    xs.append(1)\n",
    ],
    [
      "another parameter",
      "def f(xs: list[int], ys: list[int]) -> None:\n    xs.append(1)\ndef g(xs: list[int], ys: list[int]) -> None:\n    ys.append(1)\n",
    ],
    [
      "two changed parameters",
      "def f(xs: list[int], ys: list[int]) -> None:\n    xs.append(len(ys))\n    ys.append(1)\ndef g(xs: list[int], ys: list[int]) -> None:\n    xs.append(len(ys))\n    ys.append(2)\n",
    ],
    [
      "two names for one list",
      "def f(xs: list[int], ys: list[int]) -> int:\n    xs.append(1)\n    return len(ys)\ndef g(xs: list[int], ys: list[int]) -> int:\n    n = len(ys)\n    xs.append(1)\n    return n\n",
    ],
    [
      "a dict with another order",
      "def f(d: dict[int, int]) -> None:\n    d[1] = 0\n    d[2] = 0\ndef g(d: dict[int, int]) -> None:\n    d[2] = 0\n    d[1] = 0\n",
    ],
    [
      "a dict that loses a key",
      "def f(d: dict[int, int]) -> None:\n    d[1] = 0\ndef g(d: dict[int, int]) -> None:\n    d.pop(1, 0)\n    d[1] = 0\n",
    ],
    [
      "a set that grows",
      "def f(s: set[int], n: int) -> bool:\n    s.add(n)\n    return True\ndef g(s: set[int], n: int) -> bool:\n    return True\n",
    ],
    [
      "a union in place",
      "def f(s: set[int], n: int) -> int:\n    s |= {n}\n    return len(s)\ndef g(s: set[int], n: int) -> int:\n    return len(s | {n})\n",
    ],
    [
      "repetition in place",
      "def f(xs: list[int]) -> int:\n    xs *= 2\n    return len(xs)\ndef g(xs: list[int]) -> int:\n    return 2 * len(xs)\n",
    ],
    [
      "an item that is popped",
      "def f(xs: list[int]) -> int:\n    return xs.pop()\ndef g(xs: list[int]) -> int:\n    return xs[-1]\n",
    ],
    [
      "a popped item of an empty list",
      "def f(xs: list[int]) -> None:\n    if len(xs) > 0:\n        xs.pop()\ndef g(xs: list[int]) -> None:\n    xs.pop()\n",
    ],
    [
      "a list in a list",
      "def f(xs: list[list[int]]) -> None:\n    xs[0].append(1)\ndef g(xs: list[list[int]]) -> None:\n    xs[0] = xs[0] + [2]\n",
    ],
    [
      "sorting",
      "def f(xs: list[int]) -> list[int]:\n    xs.sort()\n    return xs\ndef g(xs: list[int]) -> list[int]:\n    return sorted(xs)\n",
    ],
    [
      "a reversed list",
      "def f(xs: list[int]) -> list[int]:\n    xs.reverse()\n    return xs\ndef g(xs: list[int]) -> list[int]:\n    return xs[::-1]\n",
    ],
    [
      "True for 1",
      "def f(xs: list[int]) -> None:\n    xs.append(1)\ndef g(xs: list[int]) -> None:\n    xs.append(True)\n",
    ],
    [
      "a helper that changes it",
      "def h(xs: list[int]) -> None:\n    xs.append(1)\ndef f(xs: list[int]) -> int:\n    h(xs)\n    return 1\ndef g(xs: list[int]) -> int:\n    return 1\n",
    ],
    [
      "a slice",
      "def f(xs: list[int]) -> None:\n    ys = xs[:]\n    ys.append(1)\ndef g(xs: list[int]) -> None:\n    ys = xs\n    ys.append(1)\n",
    ],
  ])("is not the same as another one: %s", async (_, code) => {
    expect((await bench.prove(code, equal, prove_ms_max)).kind).not.toBe("proven");
  });
});
