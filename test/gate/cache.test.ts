import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { AnswerCache, cacheContext } from "../../src/commands/gate/cache.ts";
import { removeDirectory } from "../support/directories.ts";

const data = mkdtempSync(join(tmpdir(), "verdict-cache-"));
afterAll(() => removeDirectory(data));

async function cacheOf(build: string): Promise<AnswerCache> {
  mkdirSync(join(data, build), { recursive: true });
  writeFileSync(join(data, build, "build.txt"), build);
  const config = { prover_file: join(data, build, "prover.mjs"), prover_check: false };
  return new AnswerCache(data, await cacheContext(config, undefined));
}

it("does not use answers that another build of the same version cached", async () => {
  const structured = { status: "equivalent" };
  await (await cacheOf("one")).keep("a question", structured);
  expect(await (await cacheOf("one")).get("a question")).toEqual(structured);
  expect(await (await cacheOf("other")).get("a question")).toBeUndefined();
});
