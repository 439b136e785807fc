import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

/** The number of processes that share the battery, one after the other: what CrossHair keeps does not grow without a bound. */
const processes = 20;
/** For each of them; VERDICT_SECONDS=60 gives a part of the battery. */
const seconds = Number(process.env["VERDICT_SECONDS"] ?? 3_600);
const all_ms_max = processes * (seconds + 600) * 1000;

const Part = z.object({
  of: z.number(),
  functions: z.number(),
  believed: z.number(),
  complete: z.number(),
  pins: z.number(),
  wrong: z.array(z.unknown()),
  control: z.boolean(),
});

describe.skipIf(!has_python)("operators and builtins on all types that are trusted, explored alone", () => {
  let python = "";
  beforeAll(async () => {
    python = (await privatePython()).python;
  }, real_setup_ms_max);

  it(
    "give what CPython gives, wherever an exploration is believed",
    () => {
      const sum = { of: 0, functions: 0, believed: 0, complete: 0, pins: 0 };
      const wrong: unknown[] = [];
      for (let first = 0; first < processes; first++) {
        const place = ["-I", "test/fixtures/symbolic/battery.py", "python"];
        const { stdout } = spawnSync(python, [...place, `${first}`, `${processes}`, `${seconds}`], {
          encoding: "utf8",
        });
        const part = Part.parse(JSON.parse(stdout));
        expect(part.control).toBe(true);
        sum.of = part.of;
        for (const count of ["functions", "believed", "complete", "pins"] as const) sum[count] += part[count];
        wrong.push(...part.wrong);
      }
      console.log("the battery:", { ...sum, wrong: wrong.length });
      expect(wrong).toEqual([]);
      expect(sum.complete).toBeGreaterThan(sum.functions / 4);
    },
    all_ms_max,
  );
});
