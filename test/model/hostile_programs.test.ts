import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Family, family, familyOnce } from "../support/descendants.ts";
import { fixture } from "../support/fixture.ts";
import { attempts, dunderRoutes, forgeries } from "../support/hostile.ts";
import { has_python, type Models, openModels } from "../support/models.ts";
import { sees_processes } from "../support/processes.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";

/** Text that must never be in an answer: paths of this machine. */
const host_path = /\/(tmp|root|home|usr|work|var)\/|site-packages|verdict_runner\/|VERDICT_/;

const easy = ["x = Int('x')", "And(x > 5, x < 7)"];
const satisfied = { status: "sat", model: { x: 6 } };

/** Says `satisfied` whatever else the program did. */
const then_easy = "x = Int('x')\ns = Solver()\ns.add(x == 6)\nexport_solution(solver=s, variables={'x': x})";

/** What gives an answer after an attempt that was not stopped, so that the test sees it. */
const answers = { z3: then_easy, pysat: "export_solution({'satisfiable': True})" };

for (const forks of [true, false]) {
  describe.skipIf(!has_python)(`programs that misbehave, ${forks ? "forked" : "each in a fresh process"}`, () => {
    let models: Models;
    let before: Family;
    beforeAll(async () => {
      models = await openModels({ forks });
      await models.solve("z3", easy);
      const pysat = "from pysat.solvers import Solver\nprint(Solver(bootstrap_with=[[1]]).solve())";
      await models.solve("pysat", [pysat]);
      before = await family();
    }, real_setup_ms_max);
    afterAll(() => models?.close());

    /** Whatever the program did: the next one is as it should be, in the same server, and nothing is left behind. */
    afterEach(async () => {
      if (!forks) return;
      expect(await models.solve("z3", easy)).toMatchObject(satisfied);
      if (sees_processes) expect(await familyOnce(before)).toEqual(before);
    });
    /** A fresh process takes its second of processor time to start: in the suite one of each kind does there. */
    const several = <Case>(cases: Case[]) => (forks || runs_all ? cases : cases.slice(0, 1));
    const timeout = { status: "timeout", satisfiable: null, model: null };
    /** Until it is given up, a program uses a processor; a fork begins at once. */
    const endless_ms = forks ? 300 : 800;

    it("keeps the memory that the traps of a decimal context write to", async () => {
      const freed = [
        "import decimal\nfor size in (80, 96, 100, 110):",
        "    traps = [decimal.Context().traps for _ in range(200)]",
        "    others = [bytearray(size) for _ in range(3000)]",
        "    for each in traps:\n        for signal in list(each): each[signal] = True",
        "    print(sum(map(any, others)))",
      ].join("\n");
      expect((await models.solve("z3", [freed, ...easy])).output).toEqual(["0", "0", "0", "0"]);
    });

    it("gives up a loop in Python at its deadline", async () => {
      expect(await models.solve("z3", ["while True:\n    pass"], endless_ms)).toMatchObject(timeout);
    });

    it("gives up a call of a solver at its deadline", async () => {
      const factors = "p, q = BitVecs('p q', 192)\np * q == BitVecVal(2**95 - 19, 192) * BitVecVal(2**96 - 17, 192)";
      const items = [`${factors}\np > 1\nq > 1\nULT(p, q)\nURem(p, 3) == 1`];
      expect(await models.solve("z3", items, endless_ms)).toMatchObject(timeout);
    });

    it("gives up a loop inside of one C function at its deadline", async () => {
      const items = ["import re\nre.match('(a*)*b', 'a' * 60)"];
      expect(await models.solve("z3", items, endless_ms)).toMatchObject(timeout);
    });

    it("gives up a program that swallows every exception at its deadline", async () => {
      const items = ["while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass"];
      expect(await models.solve("z3", items, endless_ms)).toMatchObject(timeout);
    });

    it("calls a list of 5 GB a memory limit", async () => {
      const answer = await models.solve("z3", ["a = [0] * 700_000_000"]);
      expect(answer).toMatchObject({ status: "unknown", reason: "memory limit", satisfiable: null });
    });

    it("calls memory that is eaten piece by piece a memory limit, or a timeout", async () => {
      const answer = await models.solve("z3", ["a = []\nwhile True:\n    a.append(bytes(100_000_000))"], 10_000);
      expect(["unknown", "timeout"]).toContain(answer.status);
    });

    it("says of endless recursion where it is", async () => {
      const fault = await models.fault("z3", ["def f(n):\n    return f(n + 1)", "f(0)"]);
      expect(fault).toMatchObject({ code: "input_rejected" });
      expect(fault.error).toContain("RecursionError");
    });

    it("keeps the beginning of 100 MB that are printed, and the answer", async () => {
      const answer = await models.solve("z3", ["for i in range(100):\n    print('x' * 1_000_000)", then_easy]);
      expect(answer).toMatchObject(satisfied);
      expect(answer.output.join("\n").length).toBeLessThan(80_000);
      expect(answer.output.join("\n")).toMatch(/not kept|cut:|characters are left out/);
    });

    it("takes nothing that is printed for a result", async () => {
      const frames = [
        '{"result":{"status":"unsat","model":null,"objective_value":null,"optimal":null,"statistics":{},"warnings":[]}}',
        '{"ended":"done"}',
        '{"id":0,"error":{"kind":"memory"}}',
      ];
      const answer = await models.solve("z3", [...frames.map((each) => `print('${each}')`), then_easy]);
      expect(answer).toMatchObject({ ...satisfied, output: frames });
    });

    it("takes nothing that is written to the stream for a result either", async () => {
      const items = ["print('\\n\\r\\x00\\u2028{\"result\":{}}\\ud800', end='', flush=True)", then_easy];
      expect(await models.solve("z3", items)).toMatchObject(satisfied);
    });

    it.each(several(["KeyboardInterrupt()", "GeneratorExit()", "BaseException('done')"]))(
      "calls %s a fault of the program",
      async (exception) => {
        const fault = await models.fault("z3", [then_easy, `raise ${exception}`]);
        expect(fault).toMatchObject({ code: "input_rejected", position: { item: 1, line: 1 } });
      },
    );

    it.each(["exit(1)", "raise SystemExit(0)"])("ends a program at %s with what it exported", async (end) => {
      expect(await models.solve("z3", [then_easy, end, "1 / 0"])).toMatchObject(satisfied);
    });

    it.each(
      several([
        ["raises", "def __str__(self): raise ValueError('no')"],
        ["raises itself", "def __str__(self): raise self"],
        ["is not text", "def __str__(self): return 5"],
        ["recurses", "def __str__(self): return str(self)"],
        ["ends the program", "def __str__(self): exit()"],
        ["is very long", "def __str__(self): return 'x' * 10_000_000"],
        ["is a text of its own kind", "def __str__(self): return Text('x')"],
      ]),
    )("says something of an exception whose message %s", async (_how, method) => {
      const text =
        "class Text(str):\n    def __getitem__(self, any): raise SystemExit\n    def __str__(self): return self";
      const fault = await models.fault("z3", [`${text}\nclass Odd(BaseException):\n    ${method}\nraise Odd()`]);
      expect(fault).toMatchObject({ code: "input_rejected", position: { item: 0 } });
      expect(fault.error.length).toBeLessThan(4_000);
    });

    it("gives up an exception whose message never ends", async () => {
      const items = ["class Odd(Exception):\n    def __str__(self):\n        while True: pass\nraise Odd()"];
      expect(await models.solve("z3", items, endless_ms)).toMatchObject(timeout);
    });

    it("says of a syntax error of the program's own kind no more than that", async () => {
      const odd = "class Odd(SyntaxError):\n    filename = '<item 0>'\n    lineno = print\nraise Odd('x')";
      expect(await models.fault("z3", [odd])).toMatchObject({ code: "input_rejected", position: { item: 0 } });
    });

    /** Fresh processes know nothing of each other: there one look at the end shows the same. */
    it("leave the server as it was", async () => {
      expect(await models.solve("z3", easy)).toMatchObject(satisfied);
    });
  });
}

describe.skipIf(!has_python)("programs that try to leave", () => {
  let models: Models;
  let before: Family;
  beforeAll(async () => {
    models = await openModels();
    await models.solve("z3", easy);
    await models.fault("pysat", ["from pysat.solvers import Solver"]);
    before = await family();
  }, real_setup_ms_max);
  afterAll(() => models?.close());
  const isAsEver = async () => {
    expect(await models.solve("z3", easy)).toMatchObject(satisfied);
    if (sees_processes) expect(await familyOnce(before)).toEqual(before);
  };
  /** After each program in `npm run test:long`; in the suite after several, since most are refused before they run. */
  const programs_between = runs_all ? 1 : 10;
  let programs = 0;
  afterEach(async () => {
    if (++programs % programs_between === 0) await isAsEver();
  });

  it.each(attempts)("refuses $tries", async ({ language = "z3", items }) => {
    const fault = await models.fault(language, [...items, answers[language]]);
    expect(["forbidden", "input_rejected"]).toContain(fault.code);
    expect(fault.error).not.toMatch(host_path);
    expect(existsSync("/tmp/verdict-was-here")).toBe(false);
  });

  const steering = ["__reduce_ex__", "__mro_entries__"].flatMap((name) =>
    dunderRoutes(name).map((route) => ({ ...route, name })),
  );
  it.each(steering)("binds no $name $tries", async ({ items }) => {
    const fault = await models.fault("z3", [...items, then_easy]);
    expect(["forbidden", "input_rejected"]).toContain(fault.code);
    expect(fault.error).not.toMatch(/NameError|SyntaxError/);
  });

  it.each(forgeries)("does not let a program forge an answer: $tries", async ({ language = "z3", items }) => {
    const fault = await models.fault(language, [...items, answers[language]]);
    expect(["forbidden", "input_rejected"]).toContain(fault.code);
    expect(fault.error).not.toMatch(host_path);
  });

  it.each(["export_solution", "Solver", "sat", "unsat", "Optimize", "print", "isinstance", "str", "len", "type"])(
    "decides as ever when a program gives the name %s to something else",
    async (name) => {
      const aliases = "answer, make, x = export_solution, Solver, Int('x')\ns = make()\ns.add(x == 6)";
      const items = [
        aliases,
        `globals()['${name}'] = None\n${name} = lambda *any, **more: None`,
        "answer(s, {'x': x})",
      ];
      expect(await models.solve("z3", items)).toMatchObject(satisfied);
    },
  );

  it("decides as ever when a program deletes names", async () => {
    const items = ["x = Int('x')", "del globals()['Solver']\ndel globals()['export_solution']", "x == 6"];
    expect(await models.solve("z3", items)).toMatchObject(satisfied);
  });

  it("reads what locals() says and writes nothing by it", async () => {
    const items = [
      "class A:\n    locals()['__match_args__'] = ('a',)\n    b = sorted(locals())\nprint(A.b)",
      then_easy,
    ];
    expect(await models.solve("z3", items)).toMatchObject({ ...satisfied, output: ["[]"] });
  });

  it("shows no memory, path or environment in what it prints of the runner's objects", async () => {
    const shown =
      "import z3, json\nprint(z3, json, Solver, type, getattr, print, globals, export_solution, Int('x').ctx)";
    const answer = await models.solve("z3", [shown, "print(globals())", then_easy]);
    expect(answer.output.join("\n")).not.toMatch(host_path);
  });

  it("leave the server as it was", isAsEver);
});

describe.skipIf(!has_python)("what programs export", () => {
  const models = fixture(openModels);

  /** The value that a program exports, or the fault that this gives. */
  async function exported(define: string, value: string): Promise<unknown> {
    const item = `${define}\nx = Int('x')\ns = Solver()\ns.add(x == 6)\nexport_solution(solver=s, variables={'v': ${value}})`;
    const { model } = await models.solve("z3", [item]);
    return model?.["v"];
  }

  it("is plain, whatever kind of text or number it is", async () => {
    const kinds = "class Text(str):\n    def __str__(self): raise ValueError\n    def __len__(self): return 10**9";
    const numbers = "class Number(int):\n    def __repr__(self): raise ValueError\n    def __str__(self): return 'x'";
    const value = await exported(
      `${kinds}\n${numbers}\nclass F(float): pass`,
      "[Text('a'), Number(5), F(0.5), True, None]",
    );
    expect(value).toEqual(["a", 5, 0.5, true, null]);
  });

  it.each([
    ["a list that holds itself", "l = []\nl.append(l)", "l"],
    ["a list of 500 lists", "l = []\nfor i in range(500): l = [l]", "l"],
    ["a dictionary that holds itself", "d = {}\nd['d'] = d", "d"],
    ["a lone surrogate", "", "'\\ud800'"],
    ["a frame in a text", "", "'\\n{\"result\":{}}\\n'"],
    ["an object that says nothing of itself", "class A: pass", "A()"],
  ])("gives an answer for %s", async (_what, define, value) => {
    expect(await exported(define, value)).toBeDefined();
  });

  it.each([
    ["a dictionary whose items fail", "class D(dict):\n    def items(self): raise ValueError", "D(a=1)", { a: 1 }],
    ["a list that fails when it is read", "class L(list):\n    def __iter__(self): raise ValueError", "L([1])", [1]],
    ["an integer that fails to be one", "class N(int):\n    def __int__(self): raise ValueError", "N(1)", 1],
  ])("is what Python holds, without the methods of %s", async (_what, define, value, shown) => {
    expect(await exported(define, value)).toEqual(shown);
  });

  it.each([
    ["a list that holds itself three times", "l = []\nl += [l, l, l]", "l", /more than \d+ parts/],
    ["a range of 10^12", "", "range(10**12)", /more than \d+ parts/],
    ["an object whose text fails", "class A:\n    def __str__(self): raise ValueError('odd')", "A()", /odd/],
    ["an object whose text is none", "class A:\n    def __str__(self): return 5", "A()", /__str__/],
    ["an object that interrupts", "class A:\n    def __str__(self): raise KeyboardInterrupt('odd')", "A()", /odd/],
    [
      "an object without a truth value",
      "class A:\n    def __bool__(self): raise ValueError('odd')\n    __str__ = __bool__",
      "A()",
      /odd/,
    ],
  ])("tells what is wrong with %s", async (_what, define, value, told) => {
    const item = `${define}\nx = Int('x')\ns = Solver()\ns.add(x == 6)\nexport_solution(solver=s, variables={'v': ${value}})`;
    const fault = await models.fault("z3", [item]);
    expect(fault.code).toBe("input_rejected");
    expect(fault.error).toMatch(told);
  });

  it.each([
    ["dictionary", "class D(dict):\n    def values(self): raise ValueError('odd')\nd = D(a=1)"],
    ["list", "class L(list):\n    def __iter__(self): raise ValueError('odd')\nl = L([1])"],
    [
      "object that equals nothing",
      "class A:\n    def __eq__(self, other): raise ValueError('odd')\n    def __hash__(self): raise ValueError('odd')\na = A()",
    ],
  ])("is not disturbed by a %s among the variables of a program", async (_what, item) => {
    const solved = models.solve("z3", [item, "x = Int('x')", "x == 6"]);
    const outcome = await solved.then(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
    expect(outcome).toMatch(/^sat$|odd/);
  });

  it("is what PySAT found, for odd claims too", async () => {
    const engine = "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[1]])\ns.solve()";
    const odd = "class B:\n    def __bool__(self): raise ValueError('odd')";
    for (const claim of ["B()", "'no'", "[]", "{'a': 1}", "10**400"]) {
      const items = [`${engine}\n${odd}\nexport_solution({'satisfiable': ${claim}})`];
      const outcome = await models.solve("pysat", items).then(
        ({ status }) => status,
        (error: unknown) => String(error),
      );
      expect(outcome).toMatch(/^(sat|unknown)$|odd/);
    }
  });

  it("is not called optimal because a number equals everything", async () => {
    const engine =
      "from pysat.examples.rc2 import RC2\nfrom pysat.formula import WCNF\nw = WCNF()\nw.append([1], weight=1)\nRC2(w).compute()";
    const number = "class N(int):\n    def __eq__(self, other): return True\n    def __hash__(self): return 0";
    const items = [engine, number, "export_solution({'satisfiable': True, 'cost': N(7)})"];
    expect(await models.solve("pysat", items)).toMatchObject({ objective_value: 7, optimal: null });
  });

  it("is not unsat because the program says so", async () => {
    const engine = "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[1]])\ns.solve()";
    const answer = await models.solve("pysat", [`${engine}\nexport_solution({'satisfiable': False})`]);
    expect(answer).toMatchObject({ status: "unknown", satisfiable: null });
  });
});

describe.skipIf(!has_python)("ordinary Python", () => {
  const models = fixture(openModels);

  it.each([
    [
      "classes with private parts",
      "class A:\n    def __init__(self):\n        self._a = 1\n        self.__b = 2\n        self.c: int = 3\n        self.c += 1\n    def sum(self): return self._a + self.__b + self.c\nprint(A().sum())",
      "7",
    ],
    [
      "inheritance",
      "class A:\n    def _f(self): return 1\nclass B(A):\n    def __init__(self): super().__init__()\n    def _f(self): return super()._f() + 1\nprint(B()._f())",
      "2",
    ],
    [
      "abstract classes",
      "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def f(self): ...\nclass B(A):\n    def f(self): return 1\nprint(B().f())",
      "1",
    ],
    [
      "dataclasses",
      "from dataclasses import dataclass, field, asdict, replace\n@dataclass(order=True)\nclass P:\n    x: int\n    y: list = field(default_factory=list)\n@dataclass(frozen=True)\nclass Q:\n    a: int = 1\nprint(asdict(replace(P(1), x=2)), Q(), P(1) < P(2))",
      "{'x': 2, 'y': []} Q(a=1) True",
    ],
    [
      "enumerations",
      "from enum import Enum, IntEnum, auto\nclass C(Enum):\n    RED = auto()\n    BLUE = auto()\nD = Enum('D', 'a b')\nprint(C.RED, [d.value for d in D], C['BLUE'].name, C(1))",
      "C.RED [1, 2] BLUE C.RED",
    ],
    [
      "named tuples",
      "from collections import namedtuple\nfrom typing import NamedTuple\nT = namedtuple('T', 'a b')\nclass U(NamedTuple):\n    c: int\nprint(T(1, 2)._replace(a=3)._asdict(), U(4), T._fields)",
      "{'a': 3, 'b': 2} U(c=4) ('a', 'b')",
    ],
    [
      "decorators with an attribute",
      "from functools import wraps, lru_cache\ndef count(f):\n    @wraps(f)\n    def g(*a):\n        g.calls += 1\n        return f(*a)\n    g.calls = 0\n    return g\n@count\ndef h(a): return a\nh(1)\nprint(h(2), h.calls, h.__name__)",
      "2 2 h",
    ],
    [
      "total orders",
      "from functools import total_ordering\n@total_ordering\nclass A:\n    def __init__(self, n): self.n = n\n    def __eq__(self, o): return self.n == o.n\n    def __lt__(self, o): return self.n < o.n\nprint(A(1) >= A(0))",
      "True",
    ],
    [
      "generators, lambdas, walrus",
      "def g():\n    got = yield 1\n    yield got\ni = g()\nprint(next(i), i.send(5), (n := 3) + (lambda a: a)(1))",
      "1 5 4",
    ],
    [
      "every way to format",
      "a = 3\nprint('{} {0}'.replace('{0}', '{}').format(1, 2), '{a:>3}|{0!r}'.format('s', a=a), f'{a=}', '%d' % a, '{x[0]}'.format(x=[7]))",
      "1 2   3|'s' a=3 3 7",
    ],
    [
      "globals by name",
      "for i in range(3): globals()[f'v{i}'] = i\nglobals().update(w=9)\nprint(v0 + v1 + v2 + w, 'v1' in globals(), len([n for n in globals() if n.startswith('v')]))",
      "12 True 3",
    ],
    ["local names", "def f(a):\n    b = 2\n    return sorted(locals().items())\nprint(f(1))", "[('a', 1), ('b', 2)]"],
    [
      "kinds",
      "x = Int('x')\nprint(type(1) is int, isinstance(int, type), type(x) == ArithRef, type([]).__name__, isinstance(x, ExprRef))",
      "True True True list True",
    ],
    [
      "patterns",
      "def f(v):\n    match v:\n        case {'a': a, **rest}: return a, rest\n        case [first, *others]: return first, others\n        case int() as n if n > 1: return n\n        case str(): return 'text'\nprint(f({'a': 1, 'b': 2}), f([1, 2]), f(5), f('s'))",
      "(1, {'b': 2}) (1, [2]) 5 text",
    ],
    [
      "exceptions",
      "class Odd(Exception):\n    def __init__(self, what):\n        super().__init__(what)\n        self.what = what\ntry:\n    raise Odd('x') from None\nexcept (ValueError, Odd) as e:\n    print(e, e.what, e.args)\nfinally:\n    print('done')",
      "x x ('x',)\ndone",
    ],
    [
      "context managers and properties",
      "class C:\n    def __enter__(self): return self\n    def __exit__(self, *a): return False\n    @property\n    def n(self): return self._n\n    @n.setter\n    def n(self, v): self._n = v\nwith C() as c:\n    c.n = 4\n    print(c.n)",
      "4",
    ],
    [
      "attributes by name",
      "class A: pass\na = A()\nfor k in 'pq': setattr(a, k, k * 2)\nprint(getattr(a, 'p'), hasattr(a, 'r'), getattr(a, 'r', 0))\ndelattr(a, 'q')\nprint(hasattr(a, 'q'))",
      "pp False 0\nFalse",
    ],
    [
      "the precision of decimals",
      "from decimal import Decimal, getcontext\ngetcontext().prec = 5\nprint(Decimal(1) / 3)",
      "0.33333",
    ],
    ["a main block", "def main():\n    print('main')\nif __name__ == '__main__':\n    main()", "main"],
    ["errors of Z3", "try:\n    Int('x') + String('b')\nexcept Z3Exception as e:\n    print('caught')", "caught"],
    [
      "sums of a thousand terms",
      `${Array.from({ length: 1000 }, (_, i) => `x${i}`).join(", ")} = Ints('${Array.from({ length: 1000 }, (_, i) => `x${i}`).join(" ")}')\nt = ${Array.from({ length: 1000 }, (_, i) => `x${i}`).join(" + ")}\nprint('summed')`,
      "summed",
    ],
  ])("runs as ever: %s", async (_what, item, printed) => {
    const answer = await models.solve("z3", [item, then_easy]);
    expect(answer).toMatchObject(satisfied);
    expect(answer.output.join("\n")).toBe(printed);
  });

  it("lets Z3's usual functions be used, with handles checked", async () => {
    const items = [
      "x, y = Ints('x y')\nb = BitVec('b', 8)\np = Bools('p q r')",
      "t = Then('simplify', 'solve-eqs', 'smt').solver()\nt.add(x > 3)\nassert t.check() == sat and t.model()[x].as_long() > 3",
      "assert str(simplify(x + 1 + 2)) == '3 + x' and len(Tactic('simplify')(And(x > 3, x > 2))[0]) == 2",
      "A = Array('A', IntSort(), IntSort())\nq = ForAll([x], Implies(x > 3, A[x] > 2), patterns=[A[x]])",
      "L = Datatype('L')\nL.declare('nil')\nL.declare('cons', ('head', IntSort()), ('tail', L))\nL = L.create()",
      "f = RecFunction('f', IntSort(), IntSort())\nRecAddDefinition(f, [x], If(x <= 0, 0, f(x - 1) + x))",
      "u = Solver()\nu.set(unsat_core=True)\nu.add(q)\nu.push()\nu.add(AtMost(*p, 1), PbGe([(p[0], 1)], 1), f(3) == y)\nassert u.check(Not(p[1])) == sat\nu.pop()",
      "assert str(substitute(x + 1, (x, IntVal(3)))) == '3 + 1' and len(parse_smt2_string('(declare-const a Int)(assert (> a 3))')) == 1",
      "assert is_fp(fpAdd(RNE(), FP('f', Float32()), FPVal(1, Float32()))) and is_bv(Concat(b, b) << 2)",
      "assert Solver().check(InRe(StringVal('aa'), Star(Re('a')))) == sat",
      "s = Solver()\ns.add(x == 6)\nexport_solution(solver=s, variables={'x': x})",
    ];
    expect(await models.solve("z3", items)).toMatchObject(satisfied);
  });

  it("lets formulas of PySAT be changed", async () => {
    const formula =
      "from pysat.formula import CNF, WCNF, IDPool\nc = CNF(from_clauses=[[1, 2]])\nc.nv = 5\nc.clauses = c.clauses + [[-1]]\npool = IDPool()\npool.top = 9";
    const solve =
      "from pysat.solvers import Glucose4\nwith Glucose4(bootstrap_with=c) as s:\n    found = s.solve()\n    export_solution({'satisfiable': found, 'model': s.get_model(), 'next': pool.id('a')})";
    expect(await models.solve("pysat", [formula, solve])).toMatchObject({ status: "sat", model: { next: 10 } });
  });
});

describe.skipIf(!has_python)("texts that are hard to read", () => {
  const models = fixture(openModels);

  /** Each level doubles what Python's compiler makes of the levels inside of it. */
  function nestedFinally(levels: number): string {
    const lines = Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}try: pass\n${" ".repeat(i)}finally:`);
    return `${lines.join("\n")}\n${" ".repeat(levels)}print()`;
  }

  it.each([
    ["would be compiled to a gigabyte", nestedFinally(19)],
    ["has a sum of 20,000 terms", `t = ${Array.from({ length: 20_000 }, () => "x").join("+")}`],
    ["has 40,000 attributes of attributes", `t = x${".a".repeat(40_000)}`],
    ["has 5,000 brackets", `t = ${"(".repeat(5_000)}${")".repeat(5_000)}`],
    ["has 40,000 signs", `t = ${"-".repeat(40_000)}1`],
    ["has 3,000 functions in functions", `t = ${"lambda:".repeat(3_000)}1`],
    ["has a number of 90,000 digits", `t = ${"9".repeat(90_000)}`],
    ["has a null character", "a = 1\0"],
    ["has half a character", "a = '\ud800'"],
  ])("refuses what %s, and reads on", async (_what, item) => {
    expect(["syntax_error", "input_rejected"]).toContain((await models.fault("z3", [item])).code);
    expect(await models.solve("z3", easy)).toMatchObject(satisfied);
  });
});
