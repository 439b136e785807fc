import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Markdown files, the library for MiniZinc and the program of bundles are text, as in the build. */
export const markdown = {
  name: "markdown-as-text",
  load(id: string) {
    return /\.(?:md|mzn|py)$/.test(id) ? `export default ${JSON.stringify(readFileSync(id, "utf8"))};` : undefined;
  },
};

/**
 * Files that replace a module need a module registry of their own. All others share one in each worker: importing
 * everything again takes two seconds of a processor for each file.
 */
const test_files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => join("test", file));
const isolated = test_files.filter((file) => /\bvi\.mock\(/.test(readFileSync(file, "utf8")));
/** These have configurations of their own. */
const elsewhere = ["test/long/**", "test/container/**", "test/browser/**"];

/** The modules that each file loads, by their paths or names. Imports of types load nothing. */
const loads = new Map<string, readonly string[]>();
function loadedBy(file: string): readonly string[] {
  const known = loads.get(file);
  if (known) return known;
  const text = /\.(ts|mjs)$/.test(file) && existsSync(file) ? readFileSync(file, "utf8") : "";
  const statements = /^(?:import|export)(\s[^;"]*?)??(?:\bfrom)?\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;
  const names = [...text.matchAll(statements)]
    .filter(([, what = ""]) => !/^\s*(type\b|\{(\s*type [^,}]*,?)*\s*\}\s*$)/.test(what))
    .map(([, , name = "", late = ""]) => name || late);
  const modules = names.map((name) => (name.startsWith(".") ? resolve(dirname(file), name) : name));
  loads.set(file, modules);
  return modules;
}

/** What starts processes: modules of Node, and the clients that start a server. */
const starters = [
  ...["node:child_process", "node:worker_threads"],
  ...["@modelcontextprotocol/client/stdio", "@modelcontextprotocol/sdk/client/stdio.js"],
];

/** Tests that start no process: nothing that they load, directly or not, is for that. They run first. */
export const pure = test_files.filter((file) => {
  const loaded = new Set([resolve(file)]);
  for (const each of loaded) for (const module of loadedBy(each)) loaded.add(module);
  return !starters.some((name) => loaded.has(name)) && !isolated.includes(file);
});

/**
 * Files that take long: a fresh clone knows no durations, begins with the largest file, and would end with some of
 * these. The first ones need no Python environment, which is made meanwhile (test/support/prepare.ts).
 */
const slow_files = [
  "jobs/redis_faults",
  "model/minizinc_numbers",
  "agent/command",
  "smtlib/faulty_solvers",
  "smtlib/hard_scripts",
  "server/http_faults",
  "lean/daemon",
  "server/server",
  "kernel/reaper",
  "smtlib/differential",
  "model/asp_properties",
  "documents/blocks",
  "model/cp_backends",
  "agent/problems",
  "engines/python_setup",
  "model/languages",
  "cli/cli",
  "documents/examples",
  "server/clients",
  "smtlib/held_out",
  "server/guides",
  "model/pysat_incumbents",
  "lean/llama_server",
  "agent/llama_server",
  "symbolic/exploring",
].map((name) => resolve(`test/${name}.test.ts`));

/**
 * Slow files come first, so that no worker ends long before the others, and isolated ones last: a worker that others
 * share ends where the next file is isolated, and all modules are imported again.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      if (project.config.isolate) return slow_files.length + 1;
      const at = slow_files.indexOf(moduleId);
      return at < 0 ? slow_files.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** For two cores: each test with engines runs solvers of its own, and workers wait for them, or for a deadline. */
const workers_max = 6;
/** Tests that wait for nothing gain nothing from more workers than cores, each of which imports everything. */
const pure_workers = Math.min(workers_max, availableParallelism());

/** What all projects share. It is not inherited (`extends`): Vite would read this file once more for each project. */
const shared = {
  plugins: [markdown],
  test: {
    // Nobody's own data is used or changed; tests that need a Python environment name the one made for them.
    env: { VERDICT_DATA: resolve(".cache/test-data") },
    setupFiles: "./test/support/random.ts",
    // No measure of speed: a machine with twenty other busy programs has to pass, too.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
};
/** Projects of one group run at the same time, and groups one after the other. */
const with_engines = { ...shared.test, globalSetup: "./test/support/prepare.ts", sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          ...{ ...shared.test, name: "pure", include: pure, exclude: elsewhere },
          isolate: false,
          maxWorkers: pure_workers,
        },
      },
      { ...shared, test: { ...with_engines, name: "isolated", include: isolated, exclude: elsewhere } },
      {
        ...shared,
        test: {
          ...with_engines,
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...elsewhere, ...isolated, ...pure],
          isolate: false,
        },
      },
    ],
    sequence: { sequencer: SlowFirst },
    maxWorkers: workers_max,
    reporters: ["default"],
  },
});
