import { describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { incumbentsOf } from "../support/incumbents.ts";
import { has_python, shareModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";
import { randomSearches } from "../support/searches.ts";

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

/** In such a time an engine that is stopped has a solution that is confirmed; more is given where the machine is busy. */
const first_ms = 2_000;

function isDecided({ status, confirmed }: Record<string, unknown>): boolean {
  return status !== "unknown" && status !== "timeout" && confirmed === true;
}

const weighing = (weight: string) => cuts.replaceAll("WEIGHT", weight);

describe.skipIf(!has_python)("a MaxSAT engine of PySAT that does not end", () => {
  const models = fixture(shareModels);

  it.each([
    ["RC2", "r = RC2(w)\nm = r.compute()"],
    ["RC2 on CaDiCaL", "r = RC2(w, solver='cd19')\nm = r.compute()"],
    ["RC2Stratified", "from pysat.examples.rc2 import RC2Stratified\nr = RC2Stratified(w)\nm = r.compute()"],
    ["FM", "from pysat.examples.fm import FM\nr = FM(w, verbose=0)\nr.compute()\nm = r.model"],
    ["LSU", "from pysat.examples.lsu import LSU\nr = LSU(w)\nprint(r.solve())\nm = r.model"],
    ["an enumeration", "r = RC2(w)\nfound = list(r.enumerate())\nprint(len(found))\nm = found[0]"],
  ])("has the best solution so far: %s", async (_, ask) => {
    const tell =
      "print(r.cost == uncut(m))\nexport_solution({'satisfiable': True, 'true': [v for v in m if v > 0], 'cost': r.cost})";
    const answer = await withEnoughTime(
      (timeout_ms) => models.solve("pysat", [weighing("1"), ask, tell], timeout_ms),
      isDecided,
      first_ms,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: false, confirmed: true });
    expect(answer.output.at(-1)).toBe("True");
    const cost = Number(answer["objective_value"]);
    // A split at random cuts half of the edges.
    expect(cost).toBeLessThan(200);
    if (answer["objective_bound"] !== undefined) expect(answer["objective_bound"]).toBeLessThan(cost);
    expect(answer.warnings.join()).toContain("did not finish in its share of the time");
  });

  it("is read by its name, with weights, and reports better costs during the search", async () => {
    const items = [weighing("(a * b) % 7 + 1"), "r = RC2(w)\nexport_solution(r, variables={'first': 1, 'last': 60})"];
    const ask = async (timeout_ms: number) => {
      const heard: string[] = [];
      const args = { language: "pysat", items, timeout_ms };
      const answer = await models.call("solve", args, { onEvent: (line) => heard.push(line) });
      return { answer, heard };
    };
    const { answer, heard } = await withEnoughTime(
      ask,
      (reply) => isDecided(reply.answer) && incumbentsOf(reply.answer).length > 1,
      first_ms,
    );
    expect(answer).toMatchObject({ status: "sat", optimal: false });
    expect(answer["model"]).toEqual({ first: expect.any(Boolean), last: expect.any(Boolean) });
    expect(heard.join()).toContain("objective");
    const cost = Number(answer["objective_value"]);
    const incumbents = incumbentsOf(answer);
    // The last one is that of the answer; what RC2 proved before the search is below all of them.
    expect(incumbents.at(-1)?.objective).toBe(cost);
    for (const { bound } of incumbents) expect(bound ?? 0).toBeLessThanOrEqual(cost);
  });

  it("gives no second solution after it, and no verdict of its own", async () => {
    const ask = "r = RC2(w)\nprint(r.compute() is None)\nprint(r.compute() is None)";
    const claim = "export_solution({'satisfiable': False})";
    const answer = await withEnoughTime(
      (timeout_ms) => models.solve("pysat", [weighing("1"), ask, claim], timeout_ms),
      ({ output }) => output[0] === "False",
      first_ms,
    );
    expect(answer.output).toEqual(["False", "True"]);
    expect(answer).toMatchObject({ status: "unknown", model: null });
  });

  it(
    "is stopped rightly: random clauses and every engine, stopped at any question, against trying all assignments",
    async () => {
      const { said, wrong } = await randomSearches("pysat_incumbents", 20261123, 150);
      expect(wrong).toEqual([]);
      for (const kind of ["RC2", "RC2Stratified", "FM", "LSU"]) expect(said[`${kind} sat False`]).toBeGreaterThan(0);
    },
    real_setup_ms_max,
  );
});
