import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** Markdown files are text, as in the build. */
export const markdown = {
  name: "markdown-as-text",
  load(id: string) {
    return id.endsWith(".md") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))};` : undefined;
  },
};

/**
 * Files that replace a module or the clock need a module registry of their own. All others share one in each worker:
 * importing everything again for each file takes a quarter of the suite's time.
 */
const isolated = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => join("test", file))
  .filter((file) => /\bvi\.(mock|useFakeTimers)\(/.test(readFileSync(file, "utf8")));
const long = "test/long/**";

export default defineConfig({
  plugins: [markdown],
  test: {
    projects: [
      { extends: true, test: { name: "isolated", include: isolated, exclude: [long] } },
      {
        extends: true,
        test: { name: "shared", include: ["test/**/*.test.ts"], exclude: [long, ...isolated], isolate: false },
      },
    ],
    // Nobody's own data is used or changed; tests that need a Python environment name the one made for them. All that
    // this directory has is the compiled code of the embedded engines, as a server that has run for a while.
    env: { VERDICT_DATA: resolve(".cache/test-data"), VERDICT_CODE_CACHE: "on" },
    globalSetup: "./test/support/compiled_code.ts",
    // No measure of speed: a machine with twenty other busy programs has to pass, too.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // For two cores: each test runs solvers of its own, and a third worker fills the cores while others wait for a deadline.
    maxWorkers: 3,
    reporters: ["default"],
  },
});
