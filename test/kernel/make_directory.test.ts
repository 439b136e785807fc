import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDirectory } from "../../src/kernel/files/make_directory.ts";
import { scratchDirectory } from "../support/directories.ts";

describe("making a directory", () => {
  const base = scratchDirectory();

  it("makes those above it too, also when several do it at once", async () => {
    const path = join(base, "a", "b", "c");
    await Promise.all([makeDirectory(path), makeDirectory(path), makeDirectory(join(base, "a", "b", "d"))]);
    expect([existsSync(path), existsSync(join(base, "a", "b", "d"))]).toEqual([true, true]);
  });

  it.skipIf(process.platform !== "linux")("fails where nobody can make one, instead of trying for ever", async () => {
    await expect(makeDirectory("/proc/verdict/data")).rejects.toThrow("ENOENT");
  });
});
