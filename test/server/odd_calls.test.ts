import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everyToolHome } from "../support/every_tool.ts";
import { has_python } from "../support/models.ts";
import { answersCalls, answersEnvelopes, RawServer } from "../support/odd_calls_property.ts";
import { real_setup_ms_max } from "../support/python.ts";

/** `CALLS` and `SEED` make it longer, and repeat it. */
const numRuns = Number(process.env["CALLS"] ?? 60);
const seed = Number(process.env["SEED"] ?? Date.now() & 0x7fffffff);

let server: RawServer;
let home: { env: Record<string, string>; close(): Promise<void> };

beforeAll(async () => {
  home = await everyToolHome();
  server = new RawServer(home.env);
  await server.open();
  console.log(`odd calls: seed ${seed}, ${numRuns} each`);
}, real_setup_ms_max);
afterAll(async () => {
  server?.close();
  await home?.close();
});

it("answers every envelope", { timeout: 900_000 }, async () => {
  await fc.assert(answersEnvelopes(server), { numRuns, seed });
});

it.skipIf(!has_python)("has foreseen every mistake in the arguments of a tool", { timeout: 900_000 }, async () => {
  await fc.assert(answersCalls(server), { numRuns, seed });
  expect(numRuns).toBeGreaterThan(0);
});
