import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** Markdown files are text, as in the build. */
export const markdown = {
  name: "markdown-as-text",
  load(id: string) {
    return id.endsWith(".md") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))};` : undefined;
  },
};

export default defineConfig({
  plugins: [markdown],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/long/**"],
    // Nobody's own data is used or changed; tests that need a Python environment name the one made for them.
    env: { VERDICT_DATA: resolve(".cache/test-empty") },
    // No measure of speed: a machine with twenty other busy programs has to pass, too.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // For two cores: each test runs solvers of its own, and a third worker fills the cores while others wait for a deadline.
    maxWorkers: 3,
    reporters: ["default"],
  },
});
