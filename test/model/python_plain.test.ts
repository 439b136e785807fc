import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";

/** Programs that Python runs without Verdict: what they import, exit with, and name their variables. */
describe.skipIf(!has_python)("programs that plain Python runs", () => {
  const models = fixture(shareModels);

  it("end by SystemExit after the answer, and show its text", async () => {
    const { status, output, warnings } = await models.solve("z3", [
      "x = Int('x')\ns = Solver()\ns.add(x > 3)",
      "if s.check() == sat:\n    print('found')\n    raise SystemExit('all done')",
      "print('not reached')",
    ]);
    expect({ status, output }).toEqual({ status: "sat", output: ["found", "all done"] });
    expect(warnings).toEqual(["exit() in item 1, line 3 ended the program: the code after it did not run."]);
  });

  it.each([
    ["the last line", ["x = Int('x')\nsolve(x > 3)\nexit(0)"], []],
    ["the last line of a block", ["x = Int('x')\nx > 3\nif True:\n    y = 3\n    raise SystemExit"], []],
    ["a function", ["def end():\n    exit()\n\nx = Int('x')\nx > 3\nend()"], [0, 2]],
    ["a loop", ["x = Int('x')\nx > 3\nfor i in range(3):\n    exit()"], [0, 4]],
    ["an item before the last", ["x = Int('x')\nx > 3\nexit()", "print('not reached')"], [0, 3]],
  ])("have a warning about code after an exit only if there is some: %s", async (_, items, place) => {
    const { status, warnings } = await models.solve("z3", items);
    const [item, line] = place;
    const warning = `exit() in item ${item}, line ${line} ended the program: the code after it did not run.`;
    expect({ status, warnings }).toEqual({ status: "sat", warnings: place.length > 0 ? [warning] : [] });
  });

  it("print a schedule after a long echo of their input, and its last lines are kept", async () => {
    const { output } = await models.solve("z3", [
      "x = Int('x')\nx == 3",
      "for i in range(9000):\n    print('input line', i)",
      "for i in range(40):\n    print('shift', i)",
    ]);
    expect(output[0]).toBe("input line 0");
    expect(output.slice(-40)).toEqual(Array.from({ length: 40 }, (_, i) => `shift ${i}`));
    expect(output.filter((line) => line.includes("characters are left out")).length).toBeGreaterThan(0);
  });

  it("import modules of the standard library to print, to exit and to read rows", async () => {
    const { model, output } = await models.solve("z3", [
      "import csv, io, os, struct, sys, uuid\nfrom datetime import datetime\nfrom os import path\nfrom pprint import PrettyPrinter",
      "rows = list(csv.DictReader(io.StringIO('name,size\\nbox,3\\n')))\nx = Int('x')\nx == int(rows[0]['size'])",
      "sys.setrecursionlimit(10**6)\ndepth = lambda n: 0 if n == 0 else 1 + depth(n - 1)\nprint(depth(3000), file=sys.stderr)",
      "sys.stdout.write('a line\\n')\nsys.stdout.flush()\nprint(os.path.join('a', 'b'), path.basename('a/b'), os.cpu_count(), sys.argv[1:], repr(sys.stdin.read()))",
      "print(datetime.strptime('2024-02-29', '%Y-%m-%d').day, struct.unpack('<H', struct.pack('<H', 7)), len(str(uuid.UUID(int=1))))",
      "PrettyPrinter(indent=2).pprint({'a': 1})\nsys.exit()",
    ]);
    expect(model).toMatchObject({ x: 3 });
    expect(output).toEqual(["3000", "a line", "a/b b 1 [] ''", "29 (7,) 36", "{'a': 1}"]);
  });

  it("read the defaults of their arguments", async () => {
    const { model, output } = await models.solve("z3", [
      "import argparse\ndef arguments():\n    parser = argparse.ArgumentParser(description='a plan', formatter_class=argparse.RawTextHelpFormatter)\n    parser.add_argument('-n', '--number-of-days', type=int, default='8', help='%(default)s')\n    group = parser.add_mutually_exclusive_group()\n    group.add_argument('--quiet', action='store_true')\n    parser.add_argument('rest', nargs='*')\n    parser.set_defaults(seed=3)\n    return parser.parse_args()",
      "if __name__ == '__main__':\n    args = arguments()\n    print(args.quiet, args.rest, args.seed)\n    x = Int('x')\n    s = Solver()\n    s.add(x == args.number_of_days)\n    print(s.check())",
    ]);
    expect({ model, output }).toEqual({ model: { x: 8 }, output: ["False [] 3", "sat"] });
    const needed = ["import argparse\np = argparse.ArgumentParser()\np.add_argument('size')\np.parse_args()"];
    expect(await models.fault("z3", needed)).toMatchObject({
      error: expect.stringContaining("each one needs a default; the following arguments are required: size"),
    });
  });

  it("state constraints of PySAT's own engine, which are not confirmed", async () => {
    const { status, warnings } = await models.solve("pysat", [
      "from pysat.engines import BooleanEngine\nfrom pysat.solvers import Cadical195\ns = Cadical195()",
      "engine = BooleanEngine(bootstrap_with=[('linear', [[1, 2, 3], 1])])\ns.connect_propagator(engine)\nengine.setup_observe(s)",
      "s.add_clause([-1, 2])\ns.add_clause([3, -2])\nprint(s.solve())",
    ]);
    expect({ status, warnings }).toMatchObject({
      status: "sat",
      warnings: [expect.any(String), expect.stringContaining("not confirmed")],
    });
  });

  it("draw random numbers with numpy from a seed, and see the version of a library", async () => {
    const { model, output } = await models.solve("cpmpy", [
      "import cpmpy as cp\nimport numpy as np\nfrom cpmpy.transformations.get_variables import get_variables\nfrom cpmpy.expressions.utils import flatlist",
      "np.random.seed(3)\nfirst = np.random.randint(0, 9, 3).tolist()\nnp.random.seed(3)\nprint(first == np.random.randint(0, 9, 3).tolist())",
      "print(np.random.default_rng(5).integers(0, 5, size=4).tolist() == np.random.default_rng(5).integers(0, 5, size=4).tolist())",
      "print(np.hypot(3, 4), np.iinfo(np.int32).max, np.vectorize(lambda v: v + 1)([1, 2]).tolist(), np.add(1, 2), np.isin([1, 4], [4]).tolist(), np.flatnonzero([0, 3]).tolist(), np.square(3), np.triu_indices(2)[0].tolist())",
      "print(len(cp.__version__) > 0, flatlist([[1], [2]]))",
      "x = cp.intvar(0, 9, name='x')\nm = cp.Model(x == int(np.hypot(3, 4)))\nprint(len(get_variables(m.constraints)))",
    ]);
    expect(model).toMatchObject({ x: 5 });
    expect(output).toEqual([
      "True",
      "True",
      "5.0 2147483647 [2, 3] 3 [False, True] [1] 9 [0, 0, 1]",
      "True [1, 2]",
      "1",
    ]);
  });

  it.each([
    ["a variable", ["input = Int('input')", "input > 3", "open = [Bool(f'open_{i}') for i in range(2)]", "Or(open)"]],
    [
      "a parameter",
      ["def more(input, open):\n    return input > open", "x, help = Ints('x help')\nmore(x, 3)\nhelp == x"],
    ],
  ])("have names of builtins as names of their own: %s", async (_, items) => {
    expect(await models.solve("z3", items)).toMatchObject({ status: "sat", warnings: [] });
  });

  it("a builtin that the program does not define stays refused, and the step fits a model", async () => {
    const fault = await models.fault("z3", ["input = Int('input')", "rows = open('rows.csv').read()"]);
    expect(fault).toMatchObject({
      code: "forbidden",
      error: expect.stringContaining("open is not available to a model"),
    });
    expect(fault.remedy).not.toContain("parameter");
  });
});
