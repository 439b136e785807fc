import { describe } from "vitest";
import { clingo_builds } from "../support/asp.ts";
import { arithmeticIsRight, smallProgramsAreRight } from "../support/asp_properties.ts";

/** How many programs each build gets; the embedded one starts a process for each question. Many are in test/long/. */
const runs = { wasm: 2, native: 6 };
const seed = 4_711;

describe.each(clingo_builds)("small programs, $name", ({ name, clingo }) => {
  describe.skipIf(clingo === undefined)("on this machine", () => {
    smallProgramsAreRight(clingo ?? "", runs[name], seed);
    arithmeticIsRight(clingo ?? "", runs[name], seed);
  });
});
