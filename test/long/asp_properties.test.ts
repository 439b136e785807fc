import { describe } from "vitest";
import { clingo_builds } from "../support/asp.ts";
import { smallProgramsAreRight } from "../support/asp_properties.ts";

const runs = Number(process.env["RUNS"] ?? 300);

describe.each(clingo_builds)("many small programs, $name", ({ clingo }) => {
  describe.skipIf(clingo === undefined)("on this machine", () => smallProgramsAreRight(clingo ?? "", runs, 800_000));
});
