import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeWhole } from "../../src/kernel/files/write_whole.ts";
import { scratchDirectory } from "../support/directories.ts";

const directory = scratchDirectory();

describe("writing a file", () => {
  it("replaces a file, and leaves nothing beside it", async () => {
    const file = join(directory, "new", "file");
    await writeWhole(file, "one");
    await writeWhole(file, "two");
    expect(readFileSync(file, "utf8")).toBe("two");
    expect(readdirSync(join(directory, "new"))).toEqual(["file"]);
  });

  it.skipIf(process.platform === "win32")("takes the place of no pipe, device or directory", async () => {
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(writeWhole(pipe, "x")).rejects.toThrow(expect.objectContaining({ code: "ENOTSUP" }));
    expect(statSync(pipe).isFIFO()).toBe(true);
    await expect(writeWhole(directory, "x")).rejects.toThrow("not a regular file");
  });
});
