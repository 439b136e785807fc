import { describe } from "vitest";
import { clingo_builds } from "../support/asp.ts";
import { arithmeticIsRight, smallProgramsAreRight } from "../support/asp_properties.ts";

/** `RUNS` programs of each kind, from a seed that is printed (`SEED`). */
const runs = Number(process.env["RUNS"] ?? 2_000);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);

describe.each(clingo_builds)("many small programs, $name", ({ clingo }) => {
  describe.skipIf(clingo === undefined)("on this machine", () => {
    smallProgramsAreRight(clingo ?? "", runs, seed);
    arithmeticIsRight(clingo ?? "", runs, seed);
  });
});
