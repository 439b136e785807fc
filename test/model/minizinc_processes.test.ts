import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "../support/client.ts";
import { removeDirectory } from "../support/directories.ts";
import { minizinc_builds, stand_in } from "../support/minizinc.ts";
import {
  cpuSeconds,
  endAll,
  gone_ms_max,
  isReaper,
  leftOver,
  processesWith,
  runs,
  sees_processes,
  until,
} from "../support/processes.ts";

/** Nothing is found and nothing proved for very long: pigeons. */
const hopeless =
  "array[1..14] of var 1..13: hole;\nconstraint forall(p, q in 1..14 where p < q)(hole[p] != hole[q]);\nsolve satisfy;";

/** A job shop that Gecode solves, and Chuffed also proves, in seconds. */
const job_shop = `int: n = 9; array[1..n, 1..3] of var 0..60: start;
array[1..n, 1..3] of int: d = array2d(1..n, 1..3, [2 + ((i * 7 + j * 5) mod 6) | i in 1..n, j in 1..3]);
constraint forall(i in 1..n, j in 1..2)(start[i, j] + d[i, j] <= start[i, j + 1]);
constraint forall(j in 1..3, a, b in 1..n where a < b)
  (start[a, j] + d[a, j] <= start[b, j] \\/ start[b, j] + d[b, j] <= start[a, j]);
solve minimize max(i in 1..n)(start[i, 3] + d[i, 3]);`;

const builds = [{ name: "wasm", minizinc: "wasm" }, minizinc_builds[1] ?? { name: "native", minizinc: stand_in }];

describe.each(builds)("processes of MiniZinc, $name", ({ name, minizinc }) => {
  describe.skipIf(!sees_processes)("on this machine", () => {
    let directory: string;
    let server: Connection;
    beforeEach(async () => {
      directory = mkdtempSync(join(tmpdir(), "verdict-mzn-"));
      server = await open();
    });
    afterEach(async () => {
      await server.close();
      endAll(directory);
      removeDirectory(directory);
    });

    const open = () => connect({ env: { TMPDIR: directory, VERDICT_MINIZINC: minizinc }, args: ["--tools", "model"] });
    const call = (tool: string, args: Record<string, unknown>, signal?: AbortSignal) =>
      server.client.callTool({ name: tool, arguments: args }, { timeout: 200_000, ...(signal && { signal }) });
    /** Begins a solve; gives its end. */
    const begin = async (signal?: AbortSignal) => {
      await call("clear_model", { language: "minizinc" });
      await call("add_item", { item: hopeless });
      const before = seconds();
      const ended = call("solve_model", { timeout_ms: 150_000 }, signal).catch((error: unknown) => error);
      // Native: minizinc and the solver that it started; embedded: the process that checked the model before.
      const begun = () => (name === "native" ? solvers().length >= 2 : seconds() > before + 0.5);
      expect(await until(begun, 120_000)).toBe(true);
      return { ended };
    };
    const ours = () => processesWith(directory).filter((seen) => !isReaper(seen) && seen.pid !== server.pid);
    /** The directories that jobs of the native build have. */
    const directories = () => readdirSync(directory).filter((entry) => entry.startsWith("verdict-minizinc-"));
    const solvers = () => ours().filter(({ command }) => /fzn-|model\.mzn|minizinc_wasm/.test(command));
    const seconds = () => solvers().reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);

    it("are gone after a cancel, with their files", async () => {
      const cancel = new AbortController();
      const { ended } = await begin(cancel.signal);
      const before = solvers();
      expect(before).toHaveLength(name === "native" ? 2 : 1);
      cancel.abort();
      await ended;
      const left = () => before.filter(({ pid }) => runs(pid)).length;
      expect(await until(() => left() === 0, gone_ms_max)).toBe(true);
      expect(await until(() => directories().length === 0, gone_ms_max)).toBe(true);
    });

    // The native build here may have no second solver to race against.
    if (name !== "native")
      it("may die in a race, which goes on", async () => {
        const answer = call("solve", { language: "minizinc", model: job_shop, timeout_ms: 90_000 });
        const busiest = () => solvers().toSorted((a, b) => cpuSeconds(b.pid) - cpuSeconds(a.pid))[0]?.pid ?? 0;
        // Gecode begins; the others join after a second.
        expect(await until(() => cpuSeconds(busiest()) > 1.2, 80_000)).toBe(true);
        process.kill(busiest(), "SIGSEGV");
        const { structuredContent } = await answer;
        expect(structuredContent).toMatchObject({ status: "sat", optimal: true, objective_value: 47 });
      });

    it("are gone after the server was killed, and the next server removes their files", async () => {
      await begin();
      process.kill(server.pid, "SIGKILL");
      expect(await leftOver(directory)).toEqual([]);
      const left = directories();
      expect(left).toHaveLength(name === "native" ? 1 : 0);
      // The directory of a running process is in use.
      const of_another = `verdict-minizinc-${process.pid}-x`;
      mkdirSync(join(directory, of_another));
      server = await open();
      await call("clear_model", { language: "minizinc" });
      await call("add_item", { item: "var 1..2: x;" });
      expect(await until(() => !directories().some((entry) => left.includes(entry)), gone_ms_max)).toBe(true);
      expect(directories()).toContain(of_another);
    });
  });
});
