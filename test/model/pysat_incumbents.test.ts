import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { has_python, type Models, openModels } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

/** Cut edges of a graph: RC2 works for hours on it, and any split of the points is a solution. */
const cuts = `import random
r = random.Random(3)
edges = [r.sample(range(1, 61), 2) for _ in range(400)]
w = WCNF()
for a, b in edges:
    w.append([a, b], weight=WEIGHT)
    w.append([-a, -b], weight=WEIGHT)
def uncut(model):
    true = set(model)
    return sum(WEIGHT for a, b in edges if (a in true) == (b in true))`;

const weighing = (weight: string) => cuts.replaceAll("WEIGHT", weight);

describe.skipIf(!has_python)("a MaxSAT engine of PySAT that does not end", () => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  it.each([
    ["RC2", "r = RC2(w)\nm = r.compute()"],
    ["RC2 on CaDiCaL", "r = RC2(w, solver='cd19')\nm = r.compute()"],
    ["RC2Stratified", "from pysat.examples.rc2 import RC2Stratified\nr = RC2Stratified(w)\nm = r.compute()"],
    ["FM", "from pysat.examples.fm import FM\nr = FM(w, verbose=0)\nr.compute()\nm = r.model"],
    ["LSU", "from pysat.examples.lsu import LSU\nr = LSU(w)\nprint(r.solve())\nm = r.model"],
    ["an enumeration", "r = RC2(w)\nfound = list(r.enumerate())\nprint(len(found))\nm = found[0]"],
  ])(
    "has the best solution so far: %s",
    async (_, ask) => {
      const tell =
        "print(r.cost == uncut(m))\nexport_solution({'satisfiable': True, 'true': [v for v in m if v > 0], 'cost': r.cost})";
      const answer = await models.solve("pysat", [weighing("1"), ask, tell], 8_000);
      expect(answer).toMatchObject({ status: "sat", optimal: false, confirmed: true });
      expect(answer.output.at(-1)).toBe("True");
      const cost = Number(answer["objective_value"]);
      // A split at random cuts half of the edges.
      expect(cost).toBeLessThan(200);
      if (answer["objective_bound"] !== undefined) expect(answer["objective_bound"]).toBeLessThan(cost);
      expect(answer.warnings.join()).toContain("did not end in its share of the time");
    },
    60_000,
  );

  it("is read by its name, with weights, and tells better costs on the way", async () => {
    const heard: string[] = [];
    const items = [weighing("(a * b) % 7 + 1"), "r = RC2(w)\nexport_solution(r, variables={'first': 1, 'last': 60})"];
    const answer = await models.call("solve", { language: "pysat", items, timeout_ms: 8_000 }, undefined, {
      news: (line) => heard.push(line),
    });
    expect(answer).toMatchObject({ status: "sat", optimal: false });
    expect(answer["model"]).toEqual({ first: expect.any(Boolean), last: expect.any(Boolean) });
    expect(heard.join()).toContain("objective");
  }, 60_000);

  it("gives no second solution after it, and no verdict of its own", async () => {
    const ask = "r = RC2(w)\nprint(r.compute() is None)\nprint(r.compute() is None)";
    const claim = "export_solution({'satisfiable': False})";
    const answer = await models.solve("pysat", [weighing("1"), ask, claim], 8_000);
    expect(answer.output).toEqual(["False", "True"]);
    expect(answer).toMatchObject({ status: "unknown", model: null });
  }, 60_000);

  it(
    "is stopped rightly: random clauses and every engine, stopped at any question, against trying all assignments",
    async () => {
      const { python } = await privatePython();
      const args = ["-I", "test/fixtures/pysat_incumbents.py", resolve("python"), "20261123", "400"];
      const { stdout, stderr } = spawnSync(python, args, { encoding: "utf8", timeout: real_setup_ms_max });
      const { said, wrong } = JSON.parse(stdout || JSON.stringify({ wrong: [stderr] }));
      expect(wrong).toEqual([]);
      for (const kind of ["RC2", "RC2Stratified", "FM", "LSU"]) expect(said[`${kind} sat False`]).toBeGreaterThan(0);
    },
    real_setup_ms_max,
  );
});
