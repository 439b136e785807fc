import { appendFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { isMeasured, type Kind } from "../../src/evidence/flatzinc/measured.ts";
import { measureLinear } from "../support/flatzinc_linear.ts";
import { measureConstraint } from "../support/flatzinc_measure.ts";
import { signatures } from "../support/flatzinc_signatures.ts";
import { minizinc_builds } from "../support/minizinc.ts";
import { embeddedDriver, hasNativeGecode, nativeDriver } from "../support/minizinc_batch.ts";

/**
 * Each constraint of FlatZinc alone: all solutions of `INSTANCES` small random instances against enumeration (of linear
 * solvers, the least or the largest value of a variable), from a printed seed (`SEED`). What is printed as right belongs in measured.ts; what is wrong must not be there.
 */
const instances = Number(process.env["INSTANCES"] ?? 300);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const wanted = process.env["SOLVERS"]?.split(",");
const names = process.env["NAMES"]?.split(",");
const native = hasNativeGecode() ? minizinc_builds.find(({ name }) => name === "native")?.minizinc : undefined;

const drivers: readonly { called: string; kind: Kind; driver: ReturnType<typeof embeddedDriver> }[] = [
  { called: "gecode", kind: "gecode", driver: embeddedDriver("gecode") },
  { called: "chuffed", kind: "chuffed", driver: embeddedDriver("chuffed") },
  ...(native === undefined
    ? []
    : [{ called: "native_gecode", kind: "gecode" as const, driver: nativeDriver(native, []) }]),
  { called: "highs", kind: "linear", driver: embeddedDriver("highs") },
  { called: "coin-bc", kind: "linear", driver: embeddedDriver("coin-bc") },
];

describe.each(drivers.filter(({ called }) => wanted?.includes(called) ?? true))(
  "$called",
  ({ called, kind, driver }) => {
    afterAll(() => driver.close());

    it(
      "gives all solutions of each constraint on which it is believed",
      async () => {
        const wrong: string[] = [];
        for (const signature of signatures.filter(({ name }) => names?.includes(name) ?? true)) {
          const measureOne = kind === "linear" ? measureLinear : measureConstraint;
          const measurement = await measureOne(driver, signature, instances, seed);
          const line = `${called} seed ${seed}: ${JSON.stringify({ ...measurement, wrong: measurement.wrong.length, examples: measurement.wrong.slice(0, 6) })}`;
          console.info(line);
          if (process.env["MEASURED"]) appendFileSync(process.env["MEASURED"], `${line}\n`);
          if (isMeasured(kind, measurement.name) || signature.believed_by === kind) wrong.push(...measurement.wrong);
        }
        expect(wrong).toEqual([]);
      },
      24 * 3_600_000,
    );
  },
);
