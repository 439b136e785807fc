import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

// The types of z3 and of the other libraries are written by us, so they are compared with the libraries.
if (has_python) {
  it(
    "every function and class that the stubs of the type checker name is there",
    async () => {
      const { python } = await privatePython();
      const args = ["-I", "test/fixtures/stubs.py", "scripts/python_tools/stubs"];
      const { stdout, stderr } = spawnSync(python, args, { encoding: "utf8", timeout: real_setup_ms_max });
      const { looked, missing } = JSON.parse(stdout || JSON.stringify({ missing: [stderr] }));
      expect(missing).toEqual([]);
      expect(looked).toBeGreaterThan(200);
    },
    real_setup_ms_max,
  );

  it.each([
    ["cp", "cpmpy,numpy,ortools"],
    ["smt", "bitwuzla,cvc5"],
  ])(
    "so is what the stubs name of the packages of the group %s",
    async (group, packages) => {
      const { python } = await privatePython(group);
      const args = ["-I", "test/fixtures/stubs.py", "scripts/python_tools/stubs", packages];
      const { stdout, stderr } = spawnSync(python, args, { encoding: "utf8", timeout: real_setup_ms_max });
      const { looked, missing } = JSON.parse(stdout || JSON.stringify({ missing: [stderr] }));
      expect(missing).toEqual([]);
      expect(looked).toBeGreaterThan(5);
    },
    real_setup_ms_max,
  );
}
