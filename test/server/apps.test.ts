import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apps_extension } from "../../src/server/apps.ts";
import { cli } from "../support/client.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";

const uri = "ui://verdict/solution";
const drawn = [
  ...["analyze_branches", "check_plan", "compare_functions", "find_path_to_exception", "get_solution", "solve"],
  ...["solve_model", "symbolic_check"],
];
const program = { command: process.execPath, args: [cli, "serve"] };
const extensions = { [apps_extension]: { mimeTypes: ["text/html;profile=mcp-app"] } };

/** Names of the tools that have a view. */
const withView = (tools: readonly { name: string; _meta?: unknown }[]) =>
  tools
    .filter(({ _meta }) => JSON.stringify(_meta) === JSON.stringify({ ui: { resourceUri: uri } }))
    .map(({ name }) => name)
    .toSorted();

describe.each(["legacy", "auto"] as const)("the view of solutions, for a client of the %s era", (era) => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await serveHttp();
  });
  afterAll(() => server.end());

  const connected = async (capabilities: object, how: "stdio" | "http") => {
    const client = new Client({ name: "host", version: "0" }, { versionNegotiation: { mode: era }, capabilities });
    if (how === "stdio") await client.connect(new StdioClientTransport({ ...program, stderr: "ignore" }));
    else {
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
      await client.connect(new StreamableHTTPClientTransport(server.url));
    }
    return client;
  };

  it.each(["stdio", "http"] as const)("is named for a host that shows apps, and for no other (%s)", async (how) => {
    const host = await connected({ extensions }, how);
    const plain = await connected({}, how);
    const [shown, listed] = [(await host.listTools()).tools, (await plain.listTools()).tools];
    expect(withView(shown)).toEqual(drawn);
    expect(JSON.stringify(listed)).toBe(JSON.stringify(shown.map(({ _meta, ...tool }) => tool)));
    await Promise.all([host.close(), plain.close()]);
  });

  it("is one page without a network", async () => {
    const client = await connectHttp(server.url, era);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: "text/html;profile=mcp-app" }]);
    const text = contents[0] && "text" in contents[0] ? contents[0].text : "";
    expect(text).toContain("default-src 'none'; script-src 'sha256-");
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/\b(?:src|href)=/);
    expect(Buffer.byteLength(text)).toBeLessThan(300_000);
    await client.close();
  });
});

it("is named for a host with version 1 of the SDK", async () => {
  const client = new OldClient({ name: "host", version: "0" }, { capabilities: { extensions } });
  await client.connect(new OldTransport({ ...program, stderr: "ignore" }));
  expect(withView((await client.listTools()).tools)).toEqual(drawn);
  await client.close();
});
