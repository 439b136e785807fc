import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backends, cpBackends, packagesOf } from "../support/cp_backends.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { expectDoubted, has_python, type Models, openModels, shareModels } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";
import { some } from "../support/runs_all.ts";

const begin = "m = cp.Model()\nx = cp.intvar(0, 9, shape=3, name='x')\nb = cp.boolvar(name='b')";
const different = "m += cp.AllDifferent(x)";
/** More values than are tried one by one. */
const wide = "m = cp.Model()\nx = cp.intvar(0, 99, shape=3, name='x')";
const solverOf = (name: string) => `s = cp.SolverLookup.get('${name}', m)`;

describe.skipIf(!has_python)("models of CPMpy on its solvers", () => {
  let models: Models;
  beforeAll(async () => {
    await privatePython("solvers");
    models = await shareModels();
  }, 2 * real_setup_ms_max);
  afterAll(() => models?.close());

  it.each(backends)("have a solution that satisfies all constraints (%s)", async (solver) => {
    const items = [begin, different, "m += b.implies(x[0] * x[1] == 12)", "m += b"];
    const answer = await models.solve("cpmpy", items, undefined, { solver });
    expect(answer).toMatchObject({ status: "sat", model: { b: true }, confirmed: true });
    expect(answer["engine"]).not.toContain("CP-SAT");
    const [p, q, r] = [answer.model?.["x"]].flat();
    expect([Number(p) * Number(q), new Set([p, q, r]).size]).toEqual([12, 3]);
  });

  it.each(["z3", "exact", "pumpkin"])("have an optimum that another engine confirms (%s)", async (solver) => {
    const small = await models.solve(
      "cpmpy",
      [begin, different, "m += 3 * x[0] + 2 * x[1] - x[2] <= 7", "m.maximize(cp.sum(x) - b)"],
      undefined,
      // Without, the second engine has a share of the time, which is over before it began on a busy machine.
      { solver, check: true },
    );
    expect(small).toMatchObject({ optimal: true, objective_value: 17, confirmed: true, confirmed_by: ["enumeration"] });
    const items = [wide, different, "m += 3 * x[0] + 2 * x[1] - x[2] <= 70", "m.maximize(cp.sum(x))"];
    const large = await models.solve("cpmpy", items, undefined, { solver, check: true });
    expect(large).toMatchObject({ optimal: true, objective_value: 183, confirmed: true });
    // Z3 does not confirm itself.
    expect(large["confirmed_by"]).toEqual([solver === "z3" ? "CP-SAT" : "z3"]);
  });

  it("are not infeasible by Pumpkin's word alone, with tasks that take no time", async () => {
    const tasks = "t = cp.intvar(1, 99, shape=2, name='t')\nm += cp.Cumulative(t, [0, 3], demand=[2, 0], capacity=0)";
    const checked = models.solve("cpmpy", ["m = cp.Model()", tasks], undefined, { solver: "pumpkin", check: true });
    await expect(checked).rejects.toMatchObject({ code: "engines_disagree" });
    const large = "p = cp.intvar(2, 46340, shape=2, name='p')\nm += p[0] * p[1] == 46337 * 46327";
    const open = await models.solve("cpmpy", ["m = cp.Model()", tasks, large], undefined, { solver: "pumpkin" });
    expectDoubted(open, "Pumpkin was wrong on tasks");
  });

  it("are not infeasible by Pumpkin's word alone, with numbers that fill its 32 bits", async () => {
    const large = "a = cp.Element([2147483647, -100000, 0], x[0])\nc = cp.Element([-3, -2147483647, 0, -3], x[1] + 2)";
    const items = ["m = cp.Model()\nx = [cp.intvar(0, 2, name='x'), cp.intvar(-2, 1, name='y')]", large];
    const all_items = [...items, "m += [a <= 2147483647, c >= -3, cp.intvar(0, 9, shape=4, name='z') > 0]"];
    const answer = await models.solve("cpmpy", all_items, undefined, { solver: "pumpkin" });
    expectDoubted(answer, "Pumpkin computes in 32 bits");
    const small = await models.solve("cpmpy", [begin, "m += x[0] * x[1] > 81"], undefined, { solver: "pumpkin" });
    expect(small.status).toBe("unsat");
  });

  it("show the objective's value where CPMpy changes the expression for its solver", async () => {
    const objective = "m.minimize(cp.sum([cp.sum([cp.sum([x[0], 0 * x[0]]) // 3, 0 * x[0]]) // 2]))";
    const answer = await models.solve("cpmpy", [begin, "m += x[0] >= 6", objective], undefined, { solver: "exact" });
    expect(answer).toMatchObject({ status: "sat", optimal: true, objective_value: 1 });
  });

  it.each(backends)("have all of their solutions (%s)", async (solver) => {
    const answer = await models.solve("cpmpy", [begin, different, "m += cp.sum(x) == 3", "m += b"], undefined, {
      solver,
      all_solutions: true,
      // As above.
      check: true,
    });
    expect(answer).toMatchObject({ status: "sat", confirmed: true });
    expect(answer["solutions"]).toHaveLength(6);
    expect(answer.output).toEqual([]);
    expect(answer.warnings).toEqual([]);
    const some = await models.solve("cpmpy", [begin, different], undefined, { solver, max_solutions: 4 });
    expect(some["solutions"]).toHaveLength(4);
    expect(some.warnings.join()).toContain("there may be more");
  });

  it.each(backends)("conflict in lines, and are confirmed by another engine (%s)", async (solver) => {
    const items = [wide, "m += x[0] > 3", different, "m += cp.sum(x) == 2"];
    const answer = await models.solve("cpmpy", items, undefined, { solver, check: true });
    expect(answer).toMatchObject({ status: "unsat", confirmed: true });
    expect(answer["confirmed_by"]).toEqual([solver === "z3" ? "CP-SAT" : "z3"]);
    expect([answer["unsat_items"]].flat()).toHaveLength(2);
  });

  it.each(backends)("are not restricted by an automaton that need not hold (%s)", async (solver) => {
    const rules = "[('a', 2, 'b'), ('c', 1, 'a'), ('a', 0, 'b'), ('a', 1, 'a')], 'a', ['b', 'c']";
    const word =
      "m = cp.Model()\nx, y = cp.intvar(0, 2, shape=2, name='x'), cp.intvar(-2, 2, name='y')\nb = cp.boolvar(name='b')";
    const items = [word, `m += b.implies(cp.Regular([*x, y], ${rules}))`, "m += [x[0] == 0, x[1] == 0, y == -2]"];
    expect(await models.solve("cpmpy", items, undefined, { solver })).toMatchObject({ status: "sat", confirmed: true });
  });

  it.each(backends)("are not restricted by a circuit that need not hold (%s)", async (solver) => {
    const places = "m = cp.Model()\nx = cp.intvar(0, 2, shape=3, name='x')\nb = cp.boolvar(name='b')";
    const items = [places, "m += b.implies(cp.Circuit(list(x)))", "m += [x[0] == 1, x[1] == 1, x[2] == 1]"];
    const answer = await models.solve("cpmpy", items, undefined, { solver });
    expect(answer).toMatchObject({ status: "sat", model: { b: false }, confirmed: true });
  });

  it("would be by CPMpy's own linear forms of both: when this fails, these are mended, and what we put in their place can go", async () => {
    const bare = `import cpmpy as cp
x, y, b = cp.intvar(0, 2, shape=2), cp.intvar(-2, 2), cp.boolvar()
rules = [('a', 2, 'b'), ('c', 1, 'a'), ('a', 0, 'b'), ('a', 1, 'a')]
m = cp.Model(b.implies(cp.Regular([*x, y], rules, 'a', ['b', 'c'])), x[0] == 0, x[1] == 0, y == -2)
print(m.solve(solver='exact'))
z = cp.intvar(0, 2, shape=3)
m = cp.Model(b.implies(cp.Circuit(list(z))), z[0] == 1, z[1] == 1, z[2] == 1)
print(m.solve(solver='exact'))`;
    const { python } = await privatePython("cp");
    const more = packagesOf((await privatePython("solvers")).python);
    const ran = spawnSync(python, ["-I", "-c", `import sys\nsys.path.append(${JSON.stringify(more)})\n${bare}`]);
    expect(ran.stdout.toString().trim().split(/\s+/)).toEqual(["False", "False"]);
  });

  /** Each has a solution; the forms of CPMpy 1.1.1 have none. */
  const misread: [string, string, string][] = [
    [
      "Among with a value that is listed twice",
      "x = cp.intvar(0, 9, shape=5, name='x')",
      "cp.Among(list(x), [1, 1]) == 1",
    ],
    [
      "a cardinality whose value is listed twice",
      "x = cp.intvar(0, 9, shape=3, name='x')",
      "cp.GlobalCardinalityCount(list(x), [1, 1], [2, 2])",
    ],
    ["an order of empty lists", "x = cp.boolvar(name='x')", "cp.LexLessEq([], []) & x"],
    [
      "an automaton whose nodes are the numbers from 1",
      "x = cp.intvar(0, 2, shape=2, name='x')",
      "~cp.Regular(x, [(1, 0, 2), (2, 1, 3)], 1, [3]) & (x[0] == 0) & (x[1] == 2)",
    ],
    [
      "an optional task of negative size",
      "x, b = cp.intvar(-2, -1, name='x'), cp.boolvar(name='b')",
      "~cp.NoOverlapOptional([0, 3], [x, 1], is_present=[b, b])",
    ],
    [
      "a negative capacity without a task",
      "x, y, b = cp.intvar(-2, -1, name='x'), cp.intvar(0, 5, name='y'), cp.boolvar(name='b')",
      "~cp.CumulativeOptional(start=[y], duration=[1], demand=[1], capacity=x, is_present=[b]) & ~b",
    ],
  ];
  it.each(misread.flatMap((each) => backends.map((solver) => [...each, solver] as const)))(
    "read %s as it is meant (%s, %s: %s)",
    async (_, variables, constraint, solver) => {
      const answer = await models.solve("cpmpy", [`m = cp.Model()\n${variables}`, `m += ${constraint}`], undefined, {
        solver,
      });
      expect(answer).toMatchObject({ status: "sat", confirmed: true });
    },
  );

  it.each(misread)(
    "would not in CPMpy's own form: when this fails, that is mended, and ours can go (%s)",
    async (_, variables, constraint) => {
      const bare = `import cpmpy as cp\n${variables}\nprint(cp.Model(${constraint}).solve())`;
      const { python } = await privatePython("cp");
      expect(spawnSync(python, ["-I", "-c", bare]).stdout.toString().trim()).toBe("False");
    },
  );

  it("have no optimum in PySAT, which says who has", async () => {
    const fault = await models.fault("cpmpy", [begin, "m.maximize(x[0])", "m.solve(solver='pysat')"]);
    expect(fault.error).toContain("objective");
    const answer = models.solve("cpmpy", [begin, "m.maximize(x[0])"], undefined, { solver: "pysat" });
    await expect(answer).rejects.toMatchObject({ steps: [expect.stringMatching(/ortools, z3, exact, pumpkin/)] });
  });

  it("stop in the middle of a long search, and show the best values so far", async () => {
    const knapsack = `import random
r = random.Random(5)
w = [[r.randint(20, 400) for _ in range(70)] for _ in range(8)]
v = [r.randint(20, 400) for _ in range(70)]
t = cp.boolvar(shape=70, name='t')
m = cp.Model([cp.sum(row * t) <= 4000 for row in w], maximize=cp.sum(v * t))`;
    const answer = await withEnoughTime(
      (timeout_ms) => models.solve("cpmpy", [knapsack], timeout_ms, { solver: "exact" }),
      ({ status, confirmed }) => status === "sat" && confirmed === true,
      3_000,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: false, confirmed: true });
  });

  it("end with a timeout where the limit of the call ended a search that had found nothing", async () => {
    const pigeons = `n = 12
p = cp.boolvar(shape=(n + 1, n), name='p')
m = cp.Model([cp.any(row) for row in p], [cp.sum(p[:, j]) <= 1 for j in range(n)])`;
    const answer = await models.solve("cpmpy", [pigeons], 3_000, { solver: "z3" });
    expect(answer).toMatchObject({ status: "timeout", satisfiable: null });
    const own = await models.solve("cpmpy", [`${pigeons}\nm.solve(solver="z3", time_limit=0.5)`]);
    expect(own).toMatchObject({ status: "unknown", reason: expect.stringContaining("stopped at a limit") });
  });

  it("take the names of subsolvers", async () => {
    for (const solver of ["pysat:cadical195", "pysat:minisat22"]) {
      const answer = await models.solve("cpmpy", [begin, different, "m += cp.sum(x) == 2"], undefined, { solver });
      expect(answer.status, solver).toBe("unsat");
    }
  });

  it.each(backends)("keep the values of a program's own solveAll (%s)", async (solver) => {
    const items = [begin, different, "m += cp.sum(x) == 3", "m += b"];
    const own = `${solverOf(solver)}\nseen = []\nprint(s.solveAll(display=lambda: seen.append(tuple(x.value()))))\nprint(len(set(seen)))`;
    const answer = await models.solve("cpmpy", [...items, own]);
    expect(answer).toMatchObject({ status: "sat", confirmed: true, output: ["6", "6"] });
  });

  it.each([
    ["z3", "s.solveAll()\ns.solve()", "excludes each solution that it lists"],
    ["pysat", "s.solveAll()\ns.solve()", "excludes each solution that it lists"],
    ["exact", "s.maximize(x[0])\ns.solve()\ns += x[0] < 3\ns.solve()", "can't answer any further questions"],
    ["z3:opt", "s.maximize(x[0])\ns.minimize(x[0])", "already has an objective"],
    ["exact", "s.maximize(x[0])\ns.minimize(x[0])", "already has an objective"],
    ["z3", "s.solve(smtlib2_log='/tmp/verdict-was-here')", "read or write files"],
    ["z3", "s.solve(**{'arith.ignore_int': True})", "makes Z3 ignore parts of a theory"],
    ["exact", "s.solve(verbosity=1)", "does not have the option verbosity"],
  ])("refuse what would answer another question (%s: %s)", async (solver, does, says) => {
    const fault = await models.fault("cpmpy", [begin, different, `${solverOf(solver)}\n${does}`]);
    expect(fault.error).toContain(says);
  });

  it.each([
    ["pumpkin", "proof='/tmp/verdict-was-here'"],
    ["pysat", "proof='/tmp/verdict-was-here'"],
    ["exact", "**{'proof-log': '/tmp/verdict-was-here'}"],
  ])("write no proof to a file (%s)", async (solver, option) => {
    const fault = await models.fault("cpmpy", [begin, `cp.SolverLookup.get('${solver}', m, ${option}).solve()`]);
    expect(fault.error).toContain("is not available here");
  });

  it.each(["gurobi", "choco", "nothing"])("name the solvers that are there for %s", async (solver) => {
    const answer = models.solve("cpmpy", [begin], undefined, { solver });
    await expect(answer).rejects.toMatchObject({
      message: expect.stringContaining("ortools, z3, pysat, exact, pumpkin are installed"),
      steps: [expect.stringContaining("use one of: ortools, z3"), expect.any(String)],
    });
  });

  it("say how to get a solver that is not installed", async () => {
    // A data directory with the environment of cpmpy alone.
    const { python } = await privatePython("cp");
    const data = mkdtempSync(join(tmpdir(), "verdict-alone-"));
    const environment = dirname(dirname(python));
    mkdirSync(join(data, "python"));
    symlinkSync(environment, join(data, "python", environment.split("/").at(-1) ?? ""));
    const alone = await openModels({ env: { VERDICT_DATA: data } });
    try {
      for (const [solver, command] of [
        ["exact", "verdict setup solvers"],
        ["pumpkin", "verdict setup solvers"],
        ["pysat", "verdict setup"],
      ]) {
        const answer = alone.solve("cpmpy", [begin], undefined, { solver });
        await expect(answer).rejects.toMatchObject({
          message: expect.stringContaining("is not installed here: ortools, z3 are installed"),
          steps: expect.arrayContaining([expect.stringContaining(String(command))]),
        });
      }
      expect(await alone.solve("cpmpy", [begin], undefined, { solver: "z3" })).toMatchObject({ status: "sat" });
      expect(readdirSync(join(data, "python"))).toHaveLength(1);
    } finally {
      alone.close();
    }
  });
});

describe.skipIf(!has_python)("random models of CPMpy on each of its solvers", () => {
  it.each(some(["exact", "z3", "pumpkin", "ortools", "pysat"], 3))(
    "have no false answer (%s)",
    async (backend) => {
      const { wrong, failed } = await cpBackends(backend, 15, 4);
      expect(wrong).toEqual([]);
      expect(failed).toEqual({});
    },
    2 * real_setup_ms_max,
  );
});
