import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

describe.skipIf(!has_python)("editing models in Python", () => {
  const models = fixture(shareModels);
  let named = 0;

  /** A model of its own, with its edits and what they give. */
  async function open(language: string) {
    const model_id = `edited${named++}`;
    await models.call("clear_model", { language, model_id });
    const call = (name: string, args: Record<string, unknown> = {}) => models.call(name, { ...args, model_id });
    const items = async () => {
      const { items } = await call("get_model");
      return Array.isArray(items) ? items.map(({ content }) => String(content)) : [];
    };
    const refused = async (name: string, args: Record<string, unknown>) => {
      const before = await items();
      const fault = await call(name, args).then(
        () => undefined,
        (error: unknown) => (error instanceof Fault ? error.report() : undefined),
      );
      expect(await items()).toEqual(before);
      return fault;
    };
    return { call, items, refused };
  }

  it("over thirty edits, with refused ones in between, gives what the same items give at once", async () => {
    const { call, items, refused } = await open("z3");
    const expected: string[] = [];
    const insert = async (item: string, index = expected.length) => {
      await call("add_item", index === expected.length ? { item } : { item, index });
      expected.splice(index, 0, item);
    };
    const replace = async (index: number, new_item: string) => {
      await call("replace_item", { index, new_item });
      expected[index] = new_item;
    };
    const remove = async (index: number) => {
      await call("delete_item", { index });
      expected.splice(index, 1);
    };
    await insert("tasks = {}");
    await insert("s = Solver()");
    for (let i = 0; i < 8; i++) {
      await insert(`tasks[${i}] = Int('t${i}')\ns.add(tasks[${i}] >= 0, tasks[${i}] < 8)`);
      expect(await refused("add_item", { item: `tasks[${i} = Int('t')` })).toMatchObject({ code: "syntax_error" });
    }
    expect(await refused("add_item", { item: "tasks = Int('tasks')" })).toMatchObject({ code: "input_rejected" });
    expect(await refused("replace_item", { index: 3, new_item: "import subprocess" })).toMatchObject({
      code: "forbidden",
      position: { item: 3 },
    });
    expect(await refused("replace_item", { index: 99, new_item: "s.add(True)" })).toMatchObject({
      code: "invalid_argument",
    });
    expect(await refused("add_item", { item: "s.add(True)", index: -1 })).toMatchObject({ code: "invalid_argument" });
    await insert("s.add(Distinct(list(tasks.values())))");
    for (let i = 0; i < 7; i++) await insert(`s.add(tasks[${i}] > tasks[${i + 1}])`, expected.length - (i % 3));
    for (let i = 0; i < 3; i++) await replace(10 + i, `# nothing at ${i}`);
    await replace(expected.length - 1, "s.add(tasks[0] == 7, tasks[7] == 0)");
    for (let i = 0; i < 3; i++) await remove(10);
    expect(await refused("delete_item", { index: expected.length })).toMatchObject({ code: "invalid_argument" });
    for (const text of ["# first", "import itertools", "limit = 20"]) await insert(text, 0);
    await insert("s.add(tasks[3] + tasks[4] == 7, tasks[3] == 4)");
    await replace(2, "import itertools, math");
    expect(await refused("replace_item", { index: 2, new_item: "open('data')" })).toMatchObject({ code: "forbidden" });
    await remove(0);
    await insert("export_solution(solver=s, variables={'order': [tasks[i] for i in range(8)]})");
    expect(await items()).toEqual(expected);
    const edited = await call("solve_model");
    const at_once = await models.solve("z3", expected);
    expect(edited).toMatchObject({ status: "sat", model: at_once.model });
    expect(at_once.status).toBe("sat");
  });

  it("refuses a deletion or replacement after which the rest would be wrong, and leaves the model as it was", async () => {
    const { call, refused } = await open("z3");
    for (const item of ["d = {'a': Int('a')}", "d = None", "d = Int('d')"]) await call("add_item", { item });
    const misuse = { code: "input_rejected", error: expect.stringContaining("d has been a dictionary") };
    expect(await refused("delete_item", { index: 1 })).toMatchObject({
      ...misuse,
      position: { item: 2, line: 1, column: 1 },
    });
    expect(await refused("replace_item", { index: 1, new_item: "x = 1" })).toMatchObject({
      ...misuse,
      position: { item: 2 },
    });
  });

  it.each([
    ["y = 'ä€😀'; import socket", 12],
    ["größe = 'ü'; eval('1')", 14],
    ["s = '日本語'; d = {}; d = Int('d')", 20],
    ["名前 = 1; from subprocess import run", 9],
    ["t = '日本'; x = = 3", 15],
  ])("counts columns in characters: `%s`", async (item, column) => {
    const { call, refused } = await open("z3");
    await call("add_item", { item: "x = 1" });
    expect(await refused("add_item", { item })).toMatchObject({ position: { item: 1, line: 1, column } });
  });

  it("refuses what is nested too deeply to be read, and says how to write it flat", async () => {
    const { call, refused } = await open("z3");
    await call("add_item", { item: "x = Int('x')" });
    const fault = await refused("add_item", { item: `${Array(20_000).fill("x").join(" + ")} == 20000` });
    expect(fault).toMatchObject({ code: "syntax_error", position: { item: 1 } });
    expect(fault?.remedy).toContain("Sum([…])");
    await call("add_item", { item: `${Array(900).fill("x").join(" + ")} == 1800` });
    expect(await call("solve_model")).toMatchObject({ status: "sat", model: { x: 2 } });
  });

  describe("a dictionary that is overwritten by a single value is refused", () => {
    it.each([
      ["in one item", ["d = {}\nfor i in range(3):\n    d = Int(f'x{i}')"], { item: 0, line: 3 }],
      ["across items", ["d = dict()", "x = Int('x')", "d = x > 3"], { item: 2, line: 1 }],
      ["by a comprehension's name", ["d = {i: i for i in range(3)}", "d = sum(d)"], { item: 1, line: 1 }],
      ["in a function", ["def f():\n    d = {}\n    d = Bool('d')\n    return d"], { item: 0, line: 3 }],
      ["in a branch", ["d = {}\nif True:\n    pass\nelse:\n    d = 3"], { item: 0, line: 5 }],
      ["by a name that holds a number", ["d = {}", "n = 1", "d = n"], { item: 2, line: 1 }],
      ["by the variable of a loop", ["d = {}", "for n in range(3):\n    d = n"], { item: 1, line: 2 }],
      ["by create_var", ["d = {}", "d = create_var('x')"], { item: 1, line: 1 }],
      ["by a number of a pool", ["pool = IDPool()\nd = {}", "d = pool.id('x')"], { item: 1, line: 1 }],
      [
        "by a function that counts",
        ["n = 0\ndef fresh(name):\n    global n\n    n += 1\n    return n", "d = {}\nd = fresh('x')"],
        { item: 1, line: 2 },
      ],
    ])("%s", async (_, items, position) => {
      const fault = await models.fault("z3", items);
      expect(fault).toMatchObject({ code: "input_rejected", position });
      expect(fault.remedy).toContain("add an entry: d[key] = …");
    });

    it.each([
      ["None first", ["d = None", "d = {}"]],
      ["another dictionary", ["d = {1: 2}", "d = {}", "d = dict(d)"]],
      ["a union", ["d = {1: 2}", "d |= {2: 3}\nd = d | {3: 4}"]],
      ["None at the end", ["d = {1: 2}", "d = None"]],
      ["entries", ["d = {}", "d['x'] = Int('x')"]],
      ["the same name in a function", ["d = {}", "def f():\n    d = 3\n    return d"]],
      ["a list first", ["d = []", "d = 3"]],
      ["what a function gives", ["d = {}", "def f(e):\n    return e", "d = f(d)"]],
    ])("but not %s", async (_, items) => {
      const { call } = await open("z3");
      for (const item of items) expect(await call("add_item", { item })).toMatchObject({ status: "ok" });
    });
  });

  describe("a variable of Z3 whose name is given a plain value is refused", () => {
    it.each([
      ["a number, meant as ==", ["x = Int('x')", "x > 3", "x = 2"], { item: 2, line: 1 }],
      ["a truth value, of several", ["p, q = Bools('p q')", "q = True"], { item: 1, line: 1 }],
      ["in a function", ["def f():\n    x = Int('x')\n    x = -5\n    return x"], { item: 0, line: 3 }],
      ["by :=", ["x = Int('x')", "(x := 3)"], { item: 1, line: 1 }],
    ])("%s", async (_, items, position) => {
      const fault = await models.fault("z3", items);
      expect(fault).toMatchObject({ code: "input_rejected", position });
      expect(fault.remedy).toContain("for a constraint");
    });

    it.each([
      ["on different sides of an if", ["flag = True\nif flag:\n    x = Int('x')\nelse:\n    x = 3"]],
      ["the same variable again", ["x = Int('x')", "x = Int('x')"]],
      ["a number first", ["x = 3", "x = Int('x')"]],
      ["a sum that grows", ["x = Int('x')\ntotal = 0\nfor i in range(3):\n    total = total + x"]],
      ["what the model says of it", ["x = Int('x')\ns = Solver()\ns.check()\nx = s.model().eval(x)"]],
      ["a value after the search", ["x = Int('x')\ns = Solver()\ns.check()\nm = s.model()\nx = 3"]],
      ["a next state, where the last one is kept", ["x, y = BitVecs('x y', 8)\na = x\nx = y\na ^= LShR(a, 1)\ny = a"]],
      ["the same name in a function", ["x = Int('x')", "def f():\n    x = 3\n    return x"]],
    ])("but not %s", async (_, items) => {
      const { call } = await open("z3");
      for (const item of items)
        expect(await call("add_item", { item })).toEqual(expect.objectContaining({ status: "ok", warnings: [] }));
    });
  });

  describe("warnings come with the change, and refuse nothing:", () => {
    it.each([
      ["another expression", ["x, y = Ints('x y')", "x = y + 1"], "write x == … if a constraint was meant"],
      ["another variable", ["x = Int('x')", "x = Real('x')"], "is rebound to another value here"],
      ["a loop", ["x = Int('x')", "for x in range(3):\n    print(x)"], "is rebound to another value here (a loop)"],
      ["+=", ["x = Int('x')", "x += 1"], "the variable no longer has a name"],
      ["x = x + 1", ["x = Int('x')", "x = x + 1"], "the variable no longer has a name"],
      ["a function", ["x = Int('x')", "def x():\n    return 1"], "is rebound to another value here"],
      ["a number for an expression", ["x = Int('x')\nt = x + 1", "t = 10"], "write t == 10 if a constraint was meant"],
    ])("a name of Z3 that is given %s", async (_, items, expected) => {
      expect(await warned("z3", ...items)).toContain(expected);
    });

    async function warned(language: string, ...items: string[]) {
      const { call } = await open(language);
      let warnings: unknown;
      for (const item of items) ({ warnings } = await call("add_item", { item }));
      return Array.isArray(warnings) ? warnings.join("\n") : "";
    }

    it("names that no item defines so far", async () => {
      expect(await warned("z3", "s = Solver()", "s.add(lenght > 3)")).toContain(
        "item 1, line 1: no item defines lenght",
      );
      expect(await warned("z3", "def later():\n    return y + 1", "y = Int('y')")).toBe("");
      expect(await warned("z3", "x = Int('x')", "And(x > 1, [y for y in range(3)] != [])")).toBe("");
    });

    it("a solver that is called, and nothing exported", async () => {
      const start = "from pysat.solvers import Glucose3\ns = Glucose3()";
      expect(await warned("pysat", start, "s.solve()")).toContain("Nothing is exported yet");
      expect(await warned("pysat", start, "s.solve()", "export_solution({'satisfiable': True})")).toBe("");
      expect(await warned("pysat", start, "export_solution(s, variables={'x': 1})")).toBe("");
      expect(await warned("pysat", "export_solution({'satisfiable': True})")).toContain("no solver");
      expect(await warned("z3", "export_solution(solver=s, variables={})\ns = 1")).toContain("no Solver or Optimize");
    });

    it("`is` with a literal", async () => {
      expect(await warned("z3", "x = Int('x')", "y = x is 5")).toContain('"is" with');
    });
  });
});
