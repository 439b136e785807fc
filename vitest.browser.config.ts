import { defineConfig } from "vitest/config";
import { markdown } from "./vitest.config.ts";

/** Tests of pages in Chromium, which `VERDICT_CHROMIUM` names: `.ci/browser` installs it and runs them. */
export default defineConfig({
  plugins: [markdown],
  test: {
    include: ["test/browser/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
