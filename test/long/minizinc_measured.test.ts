import { appendFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { minizinc_builds } from "../support/minizinc.ts";
import { embeddedDriver, hasNativeGecode, nativeDriver } from "../support/minizinc_batch.ts";
import { measure, newMeasurement } from "../support/minizinc_measure.ts";
import { bigModel, floatModel, setModel } from "../support/random_families.ts";
import { globalModel } from "../support/random_globals.ts";
import { integerModel, priceModel } from "../support/random_minizinc.ts";

/**
 * Compares the claims of every solver with brute force, on `MODELS` models of all families, from a printed seed
 * (`SEED`). The printed constraints are those of the table of trust (src/evidence/flatzinc/trust.ts).
 */
const models = Number(process.env["MODELS"] ?? 2_000);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const wanted = process.env["SOLVERS"]?.split(",");
const families = [globalModel, integerModel, globalModel, setModel, globalModel, bigModel, floatModel, priceModel];
const native = hasNativeGecode() ? minizinc_builds.find(({ name }) => name === "native")?.minizinc : undefined;

const drivers = [
  ...["gecode", "highs", "coin-bc", "chuffed"].map((solver) => ({ called: solver, driver: embeddedDriver(solver) })),
  ...(native === undefined ? [] : [{ called: "native", driver: nativeDriver(native, ["-G", "std"]) }]),
];

describe.each(drivers.filter(({ called }) => wanted?.includes(called) ?? true))("$called", ({ called, driver }) => {
  afterAll(() => driver.close());

  it(
    "claims nothing that brute force refutes where it is believed",
    async () => {
      const measurement = newMeasurement();
      for (let at = 0; at < models; at += 40) {
        const size = Math.min(40, models - at);
        const some = Array.from({ length: size }, (_, i) => {
          const generate = families[(at + i) % families.length] ?? integerModel;
          return generate(seed + at + i);
        });
        await measure(driver, some, measurement);
        const line = `${new Date().toISOString()} ${called}: seed ${seed}, ${JSON.stringify(measurement)}`;
        if (process.env["MEASURED"]) appendFileSync(process.env["MEASURED"], `${line}\n`);
      }
      console.info(`${called}: seed ${seed}, ${JSON.stringify(measurement)}`);
      expect(measurement.wrong).toEqual([]);
      // A solver that refuses everything was not measured.
      expect(measurement.right).toBeGreaterThan(models / 10);
    },
    24 * 3_600_000,
  );
});
