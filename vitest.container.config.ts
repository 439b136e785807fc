import { defineConfig } from "vitest/config";
import { markdown } from "./vitest.config.ts";

/** Tests of the container image in VERDICT_IMAGE: `.ci/container` builds it and runs them. */
export default defineConfig({
  plugins: [markdown],
  test: {
    include: ["test/container/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
});
