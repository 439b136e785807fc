import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Bench, builds, openBench, quickest_z3 } from "../support/engines.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { endAll, isReaper, leftOver, sees_processes } from "../support/processes.ts";
import { runs_all } from "../support/runs_all.ts";
import { easy, endless, memory_bomb, nested, one_mebibyte, output_flood } from "../support/scripts.ts";
import { resultOf } from "../support/smtlib.ts";

/** For what ends by itself; a busy machine takes twenty times as long. */
const ample_ms = 150_000;

describe.each(builds)("a script that is hard on Z3 ($name)", ({ z3 }) => {
  describe.skipIf(z3 === undefined)("and the calls after it, on one server", () => {
    let fakes: FakeSolvers;
    let bench: Bench;
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => void rejections.push(reason);

    beforeAll(async () => {
      process.on("unhandledRejection", onRejection);
      vi.spyOn(console, "error").mockImplementation(() => {});
      fakes = openFakes();
      // Every child gets it, so that we find them all by it.
      bench = openBench(z3 ?? "", undefined, { TMPDIR: fakes.directory });
      // What finding Z3 takes is not a part of the limits below.
      await bench.engines.z3.probe();
    });

    afterAll(async () => {
      bench.engines.close();
      const left = sees_processes ? await leftOver(fakes.directory, (seen) => !isReaper(seen)) : [];
      if (sees_processes) endAll(fakes.directory);
      vi.restoreAllMocks();
      fakes.remove();
      process.off("unhandledRejection", onRejection);
      expect(left, "no process is left").toEqual([]);
      expect(rejections, "nothing is thrown that nobody catches").toEqual([]);
    });

    afterEach(async () => {
      expect(await ended(easy, ample_ms)).toMatchObject({ word: "sat" });
    });

    const ended = (smtlib: string, timeout_ms: number, signal?: AbortSignal) =>
      resultOf(bench, { smtlib, timeout_ms }, signal);

    test("by memory is open for want of memory", async () => {
      expect(await ended(memory_bomb, ample_ms)).toMatchObject({ word: "unknown", reason: "memory limit" });
    });

    test("by a formula 200 000 lists deep is answered or refused, never wrongly", async () => {
      const { word } = await ended(nested(200_000), ample_ms);
      expect(["sat", "unknown", "engine_failed", "input_rejected", "too_large"]).toContain(word);
    });

    test("by never ending is open when its time is over", async () => {
      expect(await ended(endless, 1_000)).toMatchObject({ word: "unknown", reason: "timeout" });
    });

    // What follows rests on Verdict alone: the quickest build shows it in the suite, and both in test/long/.
    if (z3 !== quickest_z3 && !runs_all) return;

    test("by output after its check keeps the verdict, and says what is missing", async () => {
      const result = await ended(`(check-sat)\n${output_flood}`, ample_ms);
      expect(result.word).toBe("sat");
      expect(String(result.warnings)).toContain("output limit");
    });

    test("by output before its check is open", async () => {
      const { word, reason } = await ended(`${output_flood}\n(check-sat)`, ample_ms);
      expect({ word, reason }).toEqual({ word: "unknown", reason: "output limit" });
    });

    test("by a MiB of text is answered", async () => {
      expect(one_mebibyte.length).toBeGreaterThan(1024 ** 2);
      expect((await ended(one_mebibyte, ample_ms)).word).toBe("sat");
    });

    test("by a limit of 1 ms is open", async () => {
      expect(await ended(endless, 1)).toMatchObject({ word: "unknown", reason: "timeout" });
    });

    test("is cancelled in the middle", async () => {
      const cancel = new AbortController();
      setTimeout(() => cancel.abort(), 700);
      expect(await ended(endless, 600_000, cancel.signal)).toEqual({ word: "cancelled" });
    });
  });
});
