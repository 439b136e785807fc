import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";

let python = "";
beforeAll(async () => {
  if (has_python) python = (await privatePython()).python;
}, real_setup_ms_max);

describe.skipIf(!has_python)("what the sandbox puts in the place of Python's own objects", () => {
  /** How many of the observations are left out: in the suite, every 25th one is made. */
  const step = runs_all ? "1" : "25";

  it.each(["objects", "imports", "classes"])(
    "is like these, or voids the run that sees the difference: %s",
    (part) => {
      const { stdout, stderr } = spawnSync(
        python,
        ["-I", "test/fixtures/symbolic/stand_ins.py", "python", part, step],
        { encoding: "utf8", timeout: 600_000, input: "" },
      );
      expect(stderr).toBe("");
      expect(stdout.split("\n").filter(Boolean)).toEqual([]);
    },
    600_000,
  );

  it("has the names that Python's own scopes have", () => {
    const { stdout, stderr } = spawnSync(
      python,
      ["-I", "test/fixtures/symbolic/scopes.py", "python", runs_all ? "1" : "50"],
      { encoding: "utf8", timeout: 600_000, input: "" },
    );
    expect(stderr).toBe("");
    expect(stdout.split("\n").filter(Boolean)).toEqual([]);
  }, 600_000);
});
