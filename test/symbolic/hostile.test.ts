import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { openSymbolic } from "../support/symbolic.ts";

const verdict = fixture(openSymbolic);

describe.skipIf(!has_python)("code that lies", () => {
  /** Classes whose own methods say that all of their instances are alike. */
  const liars = `
class Items(list):
    def __len__(self): return 0
    def __iter__(self): return iter([])
    def __eq__(self, other): return True
class Number(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return True
class Table(dict):
    def __iter__(self): return iter([])
    def __len__(self): return 0
class Key:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return True
    def __hash__(self): return 1
class Slots:
    __slots__ = ("n",)
    def __init__(self, n): self.n = n
    def __eq__(self, other): return True
class Oops(Exception): pass
`;
  const differ = (f: string, g: string, head = liars) =>
    verdict.compare(`${head}\ndef f(x: int):\n    return ${f}\ndef g(x: int):\n    return ${g}\n`, "f", "g");

  it.each([
    ["Items([x])", "Items([1])"],
    ["Number(x)", "Number(1)"],
    ["Table({1: x})", "Table({1: 1})"],
    ["{Key(x): 1}", "{Key(1): 1}"],
    ["{Key(x)}", "{Key(1)}"],
    ["Slots(x)", "Slots(1)"],
    ["Oops(x)", "Oops(1)"],
  ])("%s is not %s", async (f, g) => {
    expect((await differ(f, g))["status"]).toBe("different");
  });

  it("classes that would pass for a library's stay the code's own", async () => {
    const { status } = await differ("Items([x])", "Items([1])", `__name__ = "collections"\n${liars}`);
    expect(status).toBe("different");
  });

  it("an annotation that is redefined means what it says then", async () => {
    const code = "isinstance = lambda *_: True\nint = str\ndef f(x: int) -> int:\n    return 5\n";
    expect((await verdict.check(code, "f"))["status"]).toBe("counterexample");
  });

  it("an exception of the libraries that the code raises itself is an exception", async () => {
    const code =
      "import icontract\ndef f(x: int) -> int:\n    if x == 31337: raise icontract.ViolationError('mine')\n    return x\n";
    expect(await verdict.check(code, "f")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ args: { x: 31337 }, violation: "exception: ViolationError: mine" }],
    });
  });

  it.each([
    [
      "state of the module",
      "n = 0\ndef f(x: int) -> int:\n    return x\ndef g(x: int) -> int:\n    global n\n    n += 1\n    return x if n < 30 else 0\n",
    ],
    [
      "a cache",
      "import functools\n@functools.cache\ndef f(x: int) -> int:\n    return x\ndef g(x: int) -> int:\n    return x\n",
    ],
    [
      "chance",
      "import random\ndef f(x: int) -> int:\n    return x + random.randint(0, 1)\ndef g(x: int) -> int:\n    return x + random.randint(0, 1)\n",
    ],
    [
      "the hash of a text",
      "def f(x: int) -> int:\n    return hash(str(x)) % 2\ndef g(x: int) -> int:\n    return hash(str(x)) % 2\n",
    ],
  ])("nothing is proven over %s", async (_, code) => {
    const { status, proof } = await verdict.compare(code, "f", "g", 1);
    expect([status, proof]).toEqual([expect.stringMatching(/timeout|undecided|different/), null]);
  });

  it("nothing is proven about a promise that could not be read", async () => {
    const code = 'def f(x: int) -> int:\n    """\n    post: the result is right\n    """\n    return x\n';
    expect(await verdict.check(code, "f", 2)).toMatchObject({
      status: expect.stringMatching(/^(timeout|undecided)$/),
      proof: null,
    });
  });
});

describe.skipIf(!has_python)("code that reaches out", () => {
  it("is stopped although a property that `hasattr` reads then has no value", async () => {
    const tries = "            try: eval; C.r.append(1)\n            except Exception: C.r.append(0)\n";
    const property = `    @property\n    def format(self):\n        C.n.append(1)\n        if len(C.n) == 1:\n${tries}        raise AttributeError\n`;
    const asks = "    C.n.clear(); C.r.clear()\n    hasattr(C(), 'format')\n    return C.r[0]\n";
    const code = `class C:\n    n = []\n    r = []\n${property}def f(x: bool) -> int:\n${asks}def g(x: bool) -> int:\n    return 1\n`;
    const fault = await faultOf(verdict.compare(code, "f", "g"));
    expect(JSON.stringify(fault)).toContain("The name eval is not available");
  });

  it.each([
    ["an alias that is built at run time", 'T = "random._o" + "s"\nimport random\ndef f(x: T) -> int:\n    return 1\n'],
    [
      "a field's annotation",
      "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: \"__import__('os').getpid()\" = 1\ndef f(p: P) -> int:\n    return 1\n",
    ],
  ])("%s is refused", async (_, code) => {
    expect((await faultOf(verdict.check(code, "f")))["error_type"]).toMatch(/UnsupportedConstruct|SandboxViolation/);
  });

  it.each([
    [
      "by getattr, which it swallows",
      'import random\ndef f(x: int) -> int:\n    try:\n        return getattr(random, "_os").getpid()\n    except AttributeError:\n        return 0\n',
      4,
    ],
    [
      "by switching contracts off",
      "import icontract\nicontract.ViolationError = None\ndef f(x: int) -> int:\n    return x\n",
      2,
    ],
    [
      "by condition",
      "from icontract import require\nimport random\n@require(lambda x: random._os)\ndef f(x: int) -> int:\n    return x\n",
      3,
    ],
    ["by documentation", 'def f(x: int) -> int:\n    """\n    post: _.__class__.__base__\n    """\n    return x\n', 3],
    [
      "by an enumeration's own class",
      "import enum\nclass E(enum.Enum): pass\ndef f(x: int) -> int:\n    return len(E._convert_('P', 'verdict_runner.sandbox.guards', bool))\n",
      4,
    ],
    [
      "by a namespace that steers copies",
      "import copy, types, enum\nn = types.SimpleNamespace(**{'__reduce_ex__': lambda p: (lambda: enum.Enum, (), (None, {'a': 1}))})\ndef f(x: int) -> int:\n    return x\n",
      2,
    ],
    ["by an array", "import array\ndef f(x: int) -> int:\n    return array.array('q', [x])[0]\n", 3],
    ["by our own names", "def f(x: int) -> int:\n    return __branch__(0, x)\n", 2],
  ])("%s", async (_, code, line) => {
    expect(await faultOf(verdict.check(code, "f"))).toMatchObject({ error_type: "SandboxViolation", line });
  });
});

describe.skipIf(!has_python)("text of the code that a library or we evaluate", () => {
  /** A function whose condition is broken for 0, called by another one. */
  const required = (decorator: string) =>
    `import icontract\n${decorator}\ndef h(x: int) -> int:\n    return x\ndef f(x: int) -> int:\n    return h(abs(x))\n`;

  it.each([
    [
      "another text than the condition",
      `.require(description='''\n@icontract.require(lambda x: eval("1"), description="""\n''', #""",\ncondition=lambda x: x > 0)`,
    ],
    ["a part that did not run", ".require(lambda x: x > 0 or (x < 0 and getattr(x, '__class__')))"],
    ["a class that did not run", ".require(lambda x: x > 0 or (x < 0 and type('T', (), {})))"],
    ["a list that did not run", ".require(lambda x: x > 0 or (x < 0 and ['{0.__class__}'.format(y) for y in [x]]))"],
    ["a loop that did not run", ".require(lambda x: x > 0 or (x < 0 and all(getattr(y, '__class__') for y in [x])))"],
  ])("is confined in what icontract evaluates: %s", async (_, decorator) => {
    const fault = await faultOf(verdict.raises(required(`@icontract${decorator}`), "f", "ViolationError"));
    expect(fault).toMatchObject({ code: "forbidden", error_type: "SandboxViolation" });
  });

  it("reports a broken condition as icontract does", async () => {
    const condition = "all(a < b for a, b in zip([x, 1], [1, 2])) and '{}'.format(x) != 'k' and len(str(x)) > 0";
    const { triggering_inputs } = await verdict.raises(
      required(`@icontract.require(lambda x: ${condition})`),
      "f",
      "ViolationError",
    );
    const trace = JSON.stringify(triggering_inputs);
    expect(trace).toContain("was False, e.g., with\\n  a = 1\\n  b = 1");
    expect(trace).toContain("zip([x, 1], [1, 2]) was <zip object>\\n'{}'.format(x) was '1'".split("\\n")[0]);
    expect(trace).not.toContain("partial");
  });

  it.each([
    [
      "the name of a class",
      "class A:\n    pass\nA.__name__ = 'object) and False and isinstance(value, object'\ndef f(x: int) -> A:\n    return A()\n",
    ],
    [
      "the name of a member",
      "import enum\nfrom typing import Literal\nclass E(enum.Enum):\n    A = 1\nE.A._name_ = 'A and False'\ndef f(x: int) -> Literal[E.A]:\n    return E.A\n",
    ],
    [
      "a constant",
      "from typing import Literal\nclass C(int):\n    def __repr__(self):\n        return '0'\nc = C(1)\ndef f(x: int) -> Literal[c]:\n    return c\n",
    ],
  ])("is not a part of what an annotation asks: %s", async (_, code) => {
    expect((await verdict.check(code, "f", 2))["status"]).not.toBe("counterexample");
  });
});

describe.skipIf(!has_python)("code that takes too much", () => {
  it.each([
    ["time, on one path", "def f(x: int) -> int:\n    if x == 4711:\n        while True: pass\n    return x\n"],
    [
      "time, and catches all",
      "def f(x: int) -> int:\n    while True:\n        try:\n            while True: x += 1\n        except BaseException: pass\n",
    ],
    ["memory, step by step", "def f(x: int) -> int:\n    xs = [1]\n    while True: xs = xs + xs\n"],
    ["room to print", "def f(x: int) -> int:\n    for i in range(10**5): print('x' * 10**4)\n    return x\n"],
  ])("%s", async (_, code) => {
    const { status, proof } = await verdict.check(code, "f", 1);
    expect([status, proof]).toEqual([expect.stringMatching(/timeout|counterexample/), null]);
  });

  it("time, where nothing interrupts, is a note beside the proof that it ends", async () => {
    const { status, notes } = await verdict.check(
      "def f(x: int) -> int:\n    return 9 ** 9 ** 9 if x == 0 else x\n",
      "f",
      8,
    );
    expect([status, notes]).toEqual([
      "verified",
      expect.arrayContaining([expect.stringContaining("f(x=0) had not finished after")]),
    ]);
  });

  it("leaves the next call as it is", async () => {
    const code = "def f(x: int) -> int:\n    return 1 // (x - 31337)\n";
    expect(await verdict.check(code, "f")).toMatchObject({
      status: "counterexample",
      counterexamples: [{ args: { x: 31337 } }],
    });
  });
});
