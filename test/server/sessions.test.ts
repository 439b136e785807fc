import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { buildServer } from "../../src/server/mcp.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { model_limits } from "../../src/tools/model/limits.ts";
import { removeDirectory } from "../support/directories.ts";

/** Two clients of one process, which share its engines. */
let directory: string;
let engines: Engines;
let first: Client;
let second: Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "verdict-sessions-"));
  const config = readConfig(
    { tools: "model,memo", language: "asp" },
    { VERDICT_DATA: directory, VERDICT_CLINGO: "wasm" },
  );
  engines = new Engines(config);
  const toolsets = openToolsets(engines, config);
  const connect = async (name: string) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name, version: "1" });
    await Promise.all([buildServer(toolsets, engines).connect(theirs), client.connect(ours)]);
    return client;
  };
  [first, second] = await Promise.all([connect("first"), connect("second")]);
});

afterAll(async () => {
  await Promise.all([first?.close(), second?.close()]);
  engines?.close();
  removeDirectory(directory);
});

async function ask(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { structuredContent, isError } = await client.callTool({ name, arguments: args });
  return { answer: structuredContent, isError: isError === true };
}

describe("two clients of one process", () => {
  it("do not see each other's models", async () => {
    await ask(first, "add_item", { item: "secret(1)." });
    expect(await ask(second, "get_model")).toMatchObject({ answer: { items: [] } });
    await ask(second, "add_item", { item: "own(2)." });
    expect((await ask(second, "solve_model")).answer).toMatchObject({ status: "sat", model: { own: [[2]] } });
    expect((await ask(first, "solve_model")).answer).toMatchObject({ status: "sat", model: { secret: [[1]] } });
    expect(await ask(second, "get_solution", { variable_name: "secret" })).toMatchObject({ isError: true });
  });

  it("do not change each other's models, not by their names either", async () => {
    await ask(first, "clear_model", { model_id: "plan" });
    await ask(first, "add_item", { model_id: "plan", item: "kept." });
    expect(await ask(second, "add_item", { model_id: "plan", item: "foreign." })).toMatchObject({ isError: true });
    await ask(second, "clear_model", { model_id: "plan" });
    await ask(second, "add_item", { model_id: "plan", item: "foreign." });
    const { answer } = await ask(first, "get_model", { model_id: "plan" });
    expect(JSON.stringify(answer)).toContain("kept.");
    expect(JSON.stringify(answer)).not.toContain("foreign.");
  });

  it("do not use up each other's room", async () => {
    await ask(first, "clear_model", { model_id: "old" });
    await ask(first, "add_item", { model_id: "old", item: "still_here." });
    for (let i = 0; i <= model_limits.models_max; i++) await ask(second, "clear_model", { model_id: `many${i}` });
    expect(JSON.stringify(await ask(first, "get_model", { model_id: "old" }))).toContain("still_here.");
    expect(await ask(second, "get_model", { model_id: "many0" })).toMatchObject({ isError: true });
  });
});
