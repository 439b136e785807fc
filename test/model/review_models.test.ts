import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../support/client.ts";
import { removeDirectory } from "../support/directories.ts";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { pythonData } from "../support/python.ts";

/** Ways to an answer that says less than it seems to, found by using the tools as a newcomer would. */
describe.skipIf(!has_python)("answers that could mislead", () => {
  const models = fixture(shareModels);

  it.each([
    ["a with block", "with Solver() as s:\n    s.add(x > 5)"],
    ["pop()", "s = Solver()\ns.push()\ns.add(x > 5)\ns.pop()"],
    ["reset()", "s = Solver()\ns.add(x > 5)\ns.reset()"],
  ])("a solver that %s has emptied is a fault, and not sat", async (_, item) => {
    const fault = await models.fault("z3", ["x = Int('x')", item]);
    expect(fault).toMatchObject({ code: "input_rejected" });
    expect(fault.error).toContain("has no constraints left");
  });

  it("a solver without constraints says so", async () => {
    const { warnings } = await models.solve("z3", ["x = Int('x')", "s = Solver()"]);
    expect(warnings).toContain("The solver has no constraints, so all values are solutions.");
    const optimum = await models.solve("z3", ["x = BitVec('x', 4)", "o = Optimize()\no.maximize(x)"]);
    expect(optimum).toMatchObject({ status: "sat", objective_value: 15 });
    expect(optimum.warnings.join()).not.toContain("has no constraints");
  });

  it("exit() has a warning that what comes after it did not run", async () => {
    const { warnings } = await models.solve("z3", ["x = Int('x')", "x > 5", "exit()", "x < 3"]);
    expect(warnings).toEqual(["exit() in item 2, line 1 ended the program: the code after it did not run."]);
  });

  it("a claim among the variables is left out: the solver decides", async () => {
    const items = [
      "x = Int('x')",
      "s = Solver()\ns.add(x > 5, x < 7)",
      "export_solution(s, {'satisfiable': False, 'x': x})",
    ];
    const { status, model, warnings } = await models.solve("z3", items);
    expect([status, model]).toEqual(["sat", { x: 6 }]);
    expect(warnings.join()).toContain("satisfiable in `variables` was ignored");
  });

  it("unsat under assumptions is reported as such", async () => {
    const item =
      "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[1, 2]])\nexport_solution({'satisfiable': s.solve(assumptions=[-1, -2])})";
    const { status, message } = await models.solve("pysat", [item]);
    expect(status).toBe("unsat");
    expect(message).toContain("Unsatisfiable under the assumptions");
  });

  it("get_solution after a timeout asks for more time, and not for another model", async () => {
    await models.call("clear_model", { model_id: "slow", language: "z3" });
    await models.call("add_item", { model_id: "slow", item: "while True: pass" });
    await models.call("solve_model", { model_id: "slow", timeout_ms: 100 });
    await expect(models.call("get_solution", { model_id: "slow", name: "x" })).rejects.toMatchObject({
      remedy: expect.stringContaining("raise timeout_ms"),
    });
  });

  it.each([
    ["where PATH has no Python", false],
    // What a text means depends on the version that runs it.
    ["and no other Python of PATH reads the models", true],
  ])("an environment that is there is used %s", async (_, with_another) => {
    const empty = mkdtempSync(join(tmpdir(), "verdict-path-"));
    const python = join(empty, "python3");
    const report = { implementation: "cpython", python, version: "3.12.1", reads: [], has_venv: true };
    if (with_another) writeFileSync(python, `#!/bin/sh\necho '${JSON.stringify(report)}'\n`, { mode: 0o755 });
    const server = await connect({
      env: { PATH: empty, VERDICT_PYTHON: "", VERDICT_DATA: await pythonData() },
    });
    try {
      const { client } = server;
      const added = await client.callTool({
        name: "add_item",
        arguments: { item: "x = Int('x'); s = Solver(); s.add(x == 4)" },
      });
      expect(added.structuredContent).toMatchObject({ status: "ok" });
      const solved = await client.callTool({ name: "solve_model", arguments: {} });
      expect(solved.structuredContent).toMatchObject({ status: "sat", model: { x: 4 } });
    } finally {
      await server.close();
      removeDirectory(empty);
    }
  });
});
