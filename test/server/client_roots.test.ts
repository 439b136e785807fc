import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, it } from "vitest";
import { cli, patience_ms } from "../support/client.ts";
import { scratchDirectory } from "../support/directories.ts";

/** Directories that a client declares (roots): files below them are read and saved, and no others. */

const directory = scratchDirectory();
const root = join(directory, "own");
const later = join(directory, "later");
const elsewhere = join(directory, "elsewhere");
for (const each of [root, later, elsewhere]) mkdirSync(each);
writeFileSync(join(root, "staff.csv"), "name,hours\nAnna,38\nBen,20\n");
writeFileSync(join(later, "demand.csv"), "day,need\nMon,2\n");
writeFileSync(join(elsewhere, "secret.csv"), "key\nhush\n");
symlinkSync(join(elsewhere, "secret.csv"), join(root, "link.csv"));

const open: Client[] = [];
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
});

type Answer = () => unknown;

/** A client whose server was started in a directory without files. */
async function connect(era: "legacy" | "auto", roots: Answer | undefined, args: readonly string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, ...args],
    cwd: homedir(),
    stderr: "ignore",
  });
  const capabilities = roots ? { roots: { listChanged: true } } : {};
  const client = new Client({ name: "roots", version: "0" }, { capabilities, versionNegotiation: { mode: era } });
  let asked = 0;
  if (roots)
    client.setRequestHandler("roots/list", async () => {
      asked++;
      // Some of these answers are wrong on purpose.
      return JSON.parse(JSON.stringify(await roots()));
    });
  await client.connect(transport, { timeout: patience_ms });
  open.push(client);
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args }, { timeout: patience_ms });
    return { ...(result.structuredContent ?? {}) };
  };
  return { client, call, asked: () => asked };
}

const listOf =
  (...uris: string[]) =>
  () => ({ roots: uris.map((uri) => ({ uri })) });
const uri = (path: string) => pathToFileURL(path).href;

describe.each(["legacy", "auto"] as const)("of a client of the revision that is %s", (era) => {
  it("files are read, and results saved, below its roots only", async () => {
    const { call, asked } = await connect(era, listOf(uri(root)));
    expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({
      files: [{ name: "staff", summary: { rows: 2 } }],
    });
    expect(asked()).toBe(1);
    const model = "x(N) :- N = #count { S : staff(S, _) }. #show x/1.";
    const solved = await call("solve", { language: "asp", model, data_files: [join(root, "staff.csv")] });
    expect(solved).toMatchObject({ status: "sat", model: { x: [[2]] } });
    const saved = await call("get_solution", { name: "values", save: `${era}.json` });
    expect(saved).toMatchObject({ status: "ok" });
    expect(existsSync(join(root, `${era}.json`))).toBe(true);
    for (const path of ["link.csv", "../elsewhere/secret.csv"])
      expect(await call("read_data", { files: [path] })).toMatchObject({ status: "error", code: "forbidden" });
    const out = await call("read_data", { files: [join(elsewhere, "secret.csv")] });
    expect(out).toMatchObject({ status: "error", code: "input_rejected" });
  });

  it("what is not a directory of this machine gives nothing", async () => {
    const { call } = await connect(
      era,
      listOf("https://example.org/data", "file:///%E0%A4%A", "file://host/share", uri(join(directory, "gone"))),
    );
    expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "error", code: "forbidden" });
  });

  it("the home directory and the root of all files are not taken", async () => {
    const { call } = await connect(era, listOf(uri(homedir()), "file:///"));
    const path = join(root, "staff.csv");
    expect(await call("read_data", { files: [path] })).toMatchObject({ status: "error", code: "forbidden" });
  });

  it("an own file needs no question", async () => {
    const { call, asked } = await connect(era, listOf(uri(later)), ["--data-dir", root]);
    expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "ok" });
    expect(asked()).toBe(0);
    expect(await call("read_data", { files: ["demand.csv"] })).toMatchObject({ status: "ok" });
  });

  it("without the capability no root is asked for", async () => {
    const { call } = await connect(era, undefined);
    expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "error", code: "forbidden" });
  });
});

describe("a client of 2025", () => {
  it("is asked again after a change, and what it took back is not read", async () => {
    let roots = listOf(uri(root));
    const { client, call, asked } = await connect("legacy", () => roots());
    expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "ok" });
    roots = listOf(uri(later));
    await client.notification({ method: "notifications/roots/list_changed" });
    expect(await call("read_data", { files: ["demand.csv"] })).toMatchObject({ status: "ok" });
    expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "error" });
    expect(asked()).toBe(2);
  });

  it("that refuses, or answers something else, has no roots", async () => {
    const refuses = () => {
      throw new Error("no");
    };
    for (const roots of [refuses, () => ({ roots: "all" }), () => ({})]) {
      const { call } = await connect("legacy", roots);
      expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "error", code: "forbidden" });
    }
  });

  it("that never answers gets its own answers all the same", async () => {
    const { call, asked } = await connect("legacy", () => new Promise(() => {}));
    for (let i = 0; i < 3; i++)
      expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "error", code: "forbidden" });
    expect(asked()).toBe(1);
    expect(await call("solve_smtlib", { smtlib: "(check-sat)" })).toMatchObject({ status: "sat" });
  });

  it("that answers late is heard", async () => {
    const { call } = await connect("legacy", async () => {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return { roots: [{ uri: uri(root) }] };
    });
    expect(await call("read_data", { files: ["staff.csv"] })).toMatchObject({ status: "error" });
    await expect
      .poll(() => call("read_data", { files: ["staff.csv"] }), { timeout: patience_ms, interval: 500 })
      .toMatchObject({ status: "ok" });
  });
});

it("a client of the SDK's first version has roots, too", async () => {
  let roots = listOf(uri(root));
  const client = new OldClient({ name: "roots", version: "0" }, { capabilities: { roots: { listChanged: true } } });
  client.setRequestHandler(ListRootsRequestSchema, () => roots());
  await client.connect(new OldTransport({ command: process.execPath, args: [cli], cwd: homedir(), stderr: "ignore" }));
  try {
    const read = async (file: string) => {
      const { structuredContent } = await client.callTool({ name: "read_data", arguments: { files: [file] } });
      return structuredContent;
    };
    expect(await read("staff.csv")).toMatchObject({ files: [{ name: "staff", summary: { rows: 2 } }] });
    roots = listOf(uri(later));
    await client.sendRootsListChanged();
    expect(await read("demand.csv")).toMatchObject({ status: "ok" });
    expect(await read("staff.csv")).toMatchObject({ status: "error" });
  } finally {
    await client.close();
  }
});
