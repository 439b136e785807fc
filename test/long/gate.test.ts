import { expect, it } from "vitest";
import { composed } from "../support/gate.ts";
import { has_python } from "../support/models.ts";

it.skipIf(!has_python)("both versions of a function in one module do what each does alone", async () => {
  const seed = Date.now() % 1_000_000;
  const { paired, mistakes } = await composed(5_000, seed);
  expect(mistakes, `seed ${seed}`).toEqual([]);
  expect(paired).toBeGreaterThan(1_500);
});
