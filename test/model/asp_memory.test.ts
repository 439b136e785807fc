import { describe, expect, test } from "vitest";
import { clingo_builds, openAsp } from "../support/asp.ts";
import { limitMemory } from "../support/memory_limit.ts";
import { some } from "../support/runs_all.ts";

const limit = limitMemory(160);

/** Grounds to hundreds of millions of atoms, or without any end. */
const bombs = ["p(1..300000000).", "tower(f(X,Y)) :- tower(X), tower(Y). tower(0)."];

describe.each(clingo_builds)("a grounding that outgrows the memory, $name", ({ clingo }) => {
  test.skipIf(clingo === undefined || process.platform === "win32").each(some(bombs))(
    "decides nothing, and the next model is solved: %s",
    async (bomb) => {
      const bench = openAsp(clingo ?? "");
      expect(await bench.solve([bomb])).toMatchObject({ status: "unknown", reason: "memory limit", satisfiable: null });
      expect(limit.hasActed()).toBe(true);
      expect(await bench.solve(["a."])).toMatchObject({ status: "sat" });
      bench.close();
    },
  );
});
