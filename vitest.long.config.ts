import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { markdown } from "./vitest.config.ts";

/** Files of the suite that leave something out there, by `runs_all` of test/support/. */
const whole = [
  "agent/command",
  "agent/problems",
  "cli/bundle",
  "cli/cli",
  "cli/solve",
  "documents/blocks",
  "documents/examples",
  "documents/with_data",
  "engines/minizinc_kept",
  "engines/python_setup",
  "jobs/servers",
  "kernel/reaper",
  "lean/daemon",
  "server/guides",
  "server/http_faults",
  "server/large_messages",
  "server/lost_helpers",
  "server/server",
  "smtlib/bad_input",
  "smtlib/differential",
  "smtlib/faulty_solvers",
  "smtlib/found_by_fuzzing",
  "smtlib/hard_scripts",
  "smtlib/held_out",
  "smtlib/optimum",
  "smtlib/options",
  "smtlib/solve_smtlib",
  "smtlib/soundness",
  "model/asp",
  "model/asp_memory",
  "model/cp_backends",
  "model/hostile_programs",
  "model/languages",
  "model/minizinc",
  "model/minizinc_inability",
  "model/minizinc_numbers",
  "model/minizinc_slips",
  "model/mistakes",
  "model/pysat_models",
  "model/questions",
  "model/what_if",
  "model/second_engine",
  "model/why",
  "prover/given_invariants",
  "symbolic/explorer",
  "symbolic/reach",
  "symbolic/traps",
  "unit/clingo_read",
].map((name) => `test/${name}.test.ts`);

const minutes = 60_000;

/** Fuzzing, the big differential tests, and every test on every build: minutes, not seconds. */
export default defineConfig({
  plugins: [markdown],
  test: {
    projects: [
      {
        extends: true,
        // These count cases, not time: the slowest take half an hour of a processor of their own, on a busy machine hours. A
        // call that hangs ends at its own limit.
        test: { name: "long", include: ["test/long/**/*.test.ts"], testTimeout: 240 * minutes },
      },
      { extends: true, test: { name: "whole", include: whole, testTimeout: 15 * minutes } },
    ],
    env: { VERDICT_DATA: resolve(".cache/test-data"), VERDICT_TEST_ALL: "1" },
    hookTimeout: 5 * minutes,
    maxWorkers: 2,
  },
});
