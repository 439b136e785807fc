import { defineConfig } from "vitest/config";
import { markdown } from "./vitest.config.ts";

/** Fuzzing and the big differential tests: minutes, not seconds. */
export default defineConfig({
  plugins: [markdown],
  test: { include: ["test/long/**/*.test.ts"], testTimeout: 900_000, hookTimeout: 60_000, maxWorkers: 2 },
});
