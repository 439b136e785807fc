import { afterAll, describe, it } from "vitest";
import { minizinc_builds, openMiniZinc } from "../support/minizinc.ts";
import { agreesWithBruteForce } from "../support/minizinc_property.ts";

const runs = Number(process.env["RUNS"] ?? 500);

describe.each(minizinc_builds)("random models on the $name build", ({ name, minizinc }) => {
  const bench = openMiniZinc(minizinc);
  afterAll(() => bench.engines.close());
  const solvers = name === "wasm" ? ["gecode", "chuffed", "highs", "coin-bc"] : ["gecode"];

  it.each(solvers)("are answered by %s as by brute force", (solver) => agreesWithBruteForce(bench, solver, runs));
});
