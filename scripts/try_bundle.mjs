// Unpacks the bundle and starts it as Claude Desktop does, with nothing on PATH: each embedded engine must answer. The agent
// and the packages for Redis must be in it, too: npm installs nothing beside it.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { installed } from "./ci_packages.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const questions = [
  ["solve_smtlib", { smtlib: "(declare-const x Int)(assert (= (* x x) 49))(assert (> x 0))" }, "7"],
  ["solve", { language: "minizinc", model: "var 1..9: x; constraint x * x = 49; solve satisfy;" }, "7"],
  ["solve", { language: "asp", model: "1 { x(1..9) } 1. :- x(N), N * N != 49. #show x/1." }, "x(7)"],
];

const place = mkdtempSync(join(tmpdir(), "verdict-bundle-"));
const tool = join(installed("packages"), "@anthropic-ai/mcpb/dist/cli/cli.js");
const client = new Client({ name: "host", version: "1" });
try {
  execFileSync(process.execPath, [tool, "unpack", process.argv[2] ?? ".cache/verdict.mcpb", place], {
    stdio: "ignore",
  });
  const { server, tools, version } = JSON.parse(readFileSync(join(place, "manifest.json"), "utf8"));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in.
  const args = server.mcp_config.args.map((word) => word.replace("${__dirname}", place));
  const env = { PATH: "", HOME: place, VERDICT_DATA: join(place, "data") };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: place }));
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  expect(listed.join() === tools.map(({ name }) => name).join(), "the manifest names other tools than the server");
  expect(client.getServerVersion()?.version === version, "the manifest has another version than the server");
  readFileSync(join(place, "server/llama/package-lock.json"));
  for (const [name, given, wanted] of questions) {
    const { structuredContent: answer } = await client.callTool({ name, arguments: given }, { timeout: 120_000 });
    const text = JSON.stringify(answer?.model);
    expect(answer?.status === "sat" && text.includes(wanted), `${name} answered ${JSON.stringify(answer)}`);
    expect(/wasm/.test(answer.engine), `${answer.engine} is not the embedded engine`);
    console.log(`${answer.engine}: ${text}`);
  }
  const agent = await import(pathToFileURL(join(place, "server/agent.mjs")).href);
  console.log(`the agent: ${Object.keys(agent).join(", ")}`);
  console.log(`a worker: ${await workerWithoutRedis(join(place, "server/cli.mjs"), env)}`);
} finally {
  await client.close();
  rmSync(place, { recursive: true, force: true });
}

/** What a worker says whose Redis is not there: it has loaded the packages for it. */
async function workerWithoutRedis(program, env) {
  const child = spawn(process.execPath, [program, "worker", "--tools", "smtlib"], {
    env: { ...env, VERDICT_REDIS: "redis://127.0.0.1:1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    let said = "";
    for await (const piece of child.stderr) {
      said += piece;
      if (said.includes("the worker waits")) return said.trim().split("\n").at(-1);
    }
    throw new Error(`the worker ended: ${said}`);
  } finally {
    child.kill();
  }
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
