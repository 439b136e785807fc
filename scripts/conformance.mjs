// Runs the official conformance suite of MCP against Verdict's HTTP server, and against Verdict's HTTP and MCP layers
// with the tools that the suite calls by name (test/conformance/fixture). What does not apply is listed, with its reason,
// in test/conformance/baseline.json. A check that fails and is not there fails the run; so does one that is there and
// passes, or is not made any more.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { installed } from "./ci_packages.mjs";
import { judged } from "./conformance_checks.mjs";
import { texts } from "./texts.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
/** The revisions with a set of required scenarios; each is spoken by another part of the server. */
const revisions = ["2025-11-25", "2026-07-28"];
const suite_ms_max = 180_000;

const scratch = mkdtempSync(join(tmpdir(), "verdict-conformance-"));
try {
  const suite = [suiteNode(), join(installed("conformance"), "@modelcontextprotocol/conformance/dist/index.js")];
  const fixture = await bundledFixture();
  const programs = { verdict: ["dist/cli.mjs", "serve", "--http", "0"], fixture: [fixture] };
  const baseline = JSON.parse(readFileSync("test/conformance/baseline.json", "utf8"));
  let passed = 0;
  const faults = [];
  for (const [server, program] of Object.entries(programs)) {
    const served = await serving(program);
    try {
      for (const revision of revisions) {
        const expected = baseline
          .filter((each) => each.servers.includes(server) && each.revisions.includes(revision))
          .flatMap(({ checks }) => checks);
        const results = await resultsOf(suite, served.url, revision);
        const found = judged(results, expected);
        passed += found.passed;
        faults.push(...found.faults.map((fault) => `${server}, ${revision}: ${fault}`));
        console.log(
          `${server}, ${revision}: ${results.size} scenarios, ${found.passed} checks passed, ${expected.length} do not apply`,
        );
      }
    } finally {
      await served.end();
    }
  }
  for (const fault of faults) console.error(fault);
  console.log(`Conformance: ${passed} checks passed, ${faults.length} faults`);
  if (passed === 0 || faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The Node that runs the suite, which needs 22 or newer. The server runs on the one that runs this script. */
function suiteNode() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  return join(installed("node24"), `node-linux-${process.arch === "arm64" ? "arm64" : "x64"}`, "bin/node");
}

async function bundledFixture() {
  const file = join(scratch, "fixture.mjs");
  const input = "test/conformance/fixture/server.ts";
  const bundle = await rolldown({ input, platform: "node", moduleTypes: texts });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}

/** Starts a server, and gives its address once it listens. */
function serving(program) {
  const env = { ...process.env, VERDICT_DATA: join(scratch, "data") };
  const child = spawn(process.execPath, program, { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let stderr = "";
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the server ended: ${stderr}`)));
    child.stderr.on("data", (piece) => {
      // What the server says of the bad requests of the suite is of interest only if it does not start.
      stderr = `${stderr}${piece}`.slice(-10_000);
      const [url] = /http:\/\/\S+\/mcp/.exec(stderr) ?? [];
      if (url) resolve({ url, end: () => child.kill("SIGTERM") && ended });
    });
  });
}

/** All checks of the scenarios of a revision, by scenario. */
async function resultsOf(suite, url, revision) {
  const directory = mkdtempSync(join(scratch, `${revision}-`));
  const [node, script] = suite;
  const args = [script, "server", "--url", url, "--requirements", revision, "-o", directory];
  const log = await output(node, args);
  const required = requiredScenarios(await output(node, [script, "list", "--requirements", revision]));
  const results = new Map();
  for (const each of readdirSync(directory)) {
    const [, name] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(each) ?? [];
    if (name) results.set(name, JSON.parse(readFileSync(join(directory, each, "checks.json"), "utf8")));
  }
  const missing = required.filter((name) => !results.has(name));
  if (missing.length > 0) throw new Error(`the suite did not run ${missing.join(", ")}:\n${log.slice(-5_000)}`);
  return results;
}

/** The scenarios for servers in the suite's list of what a revision requires. */
function requiredScenarios(list) {
  const [, servers = ""] = /Server scenarios([\s\S]*?)(?:Client scenarios|$)/.exec(list) ?? [];
  const names = [...servers.matchAll(/^ +- ([\w-]+)/gm)].map(([, name]) => name);
  if (names.length < 20) throw new Error(`the suite requires only ${names.length} scenarios of servers:\n${list}`);
  return names;
}

/** What a program prints. That it ends with a failure says nothing: the checks do. */
function output(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], timeout: suite_ms_max });
    const lines = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => void lines.push(piece));
    child.once("error", reject);
    child.once("close", () => resolve(lines.join("")));
  });
}
