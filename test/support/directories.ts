import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const tries_max = 100;
const pause_ms = 50;

/**
 * Removes a directory with all that is in it. A process or a write that has not ended yet may put another file into it
 * meanwhile: `rmSync` then fails with ENOTEMPTY, and its own retries only repeat the last step. Tried again for 5 s.
 */
export function removeDirectory(directory: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(directory, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === tries_max) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause_ms);
    }
  }
}

/** An empty directory of a describe or a file, removed after its tests. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "verdict-test-"));
  afterAll(() => removeDirectory(directory));
  return directory;
}
