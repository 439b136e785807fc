import { randomUUID } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { Deadline } from "../../src/kernel/deadline.ts";
import { addToken } from "../../src/server/http/auth/tokens.ts";
import { scratchDirectory } from "../support/directories.ts";
import { connectHttp } from "../support/http.ts";
import { endless } from "../support/scripts.ts";
import { inside, runImage, runLine, runToEnd, type Served, serve, signalTo } from "./podman.ts";

const directory = scratchDirectory();

const script = { smtlib: "(declare-const x Int)(assert (> x 3))(assert (< x 5))" };
const hard = { smtlib: endless };
/** A model without a solution in each language. */
const contradictions: Readonly<Record<string, readonly string[]>> = {
  z3: ["x = Int('x')", "x > 5", "x < 3"],
  pysat: [
    "from pysat.solvers import Glucose3",
    "solver = Glucose3(bootstrap_with=[[1], [2], [-1, -2]])",
    'export_solution({"satisfiable": solver.solve()})',
  ],
  cpmpy: ["m = cp.Model()\nx = cp.intvar(0, 9)", "m += x > 5", "m += x < 3"],
  ortools: ["m = cp_model.CpModel()\nx = m.new_int_var(0, 9, 'x')", "m.add(x > 5)", "m.add(x < 3)"],
  minizinc: ["var 1..9: x;", "constraint x > 5;", "constraint x < 3;"],
  asp: ["{ x(1..9) } = 1.", ":- x(X), X < 6.", ":- x(X), X > 2."],
};
const patient = { timeout: 200_000 };

const Doctor = z.looseObject({
  engines: z.array(z.looseObject({ name: z.string(), found: z.boolean(), isolation: z.string() })),
});

async function doctor(options: readonly string[] = []) {
  const { stdout, stderr, code } = await runImage(["doctor", "--json"], { options });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return new Map(Doctor.parse(JSON.parse(stdout)).engines.map((engine) => [engine.name, engine]));
}

describe("the image", () => {
  it("runs as a user without rights, and can't be changed", async () => {
    const look = "id -u; grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; touch /opt/verdict/x";
    const { stdout, stderr } = await runImage(["-c", look], { options: ["--entrypoint", "sh"] });
    expect(stdout).toBe(
      ["10001", "CapBnd:\t0000000000000000", "CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2", ""]
        .toSorted((a, b) => order(a) - order(b))
        .join("\n"),
    );
    expect(stderr).toContain("Read-only file system");
  });

  it("holds what runs, and nothing of the sources", async () => {
    const { stdout } = await runImage(["-c", "ls -A /opt/verdict /data"], { options: ["--entrypoint", "sh"] });
    expect(stdout.trim().split("\n")).toEqual([
      "/data:",
      "",
      "/opt/verdict:",
      "dist",
      "environments",
      "health.mjs",
      "node_modules",
      "package.json",
    ]);
  });

  it("has all engines but Lean without a network", async () => {
    const engines = await doctor();
    const missing = [...engines.values()].filter(({ found }) => !found).map(({ name }) => name);
    expect(missing).toEqual(["lean tactics", "lean repl"]);
  });
});

/** The order of lines in /proc/self/status. */
function order(line: string): number {
  return ["1", "CapE", "CapB", "NoNew", "Secc", ""].findIndex((start) => line.startsWith(start));
}

describe("over stdio", () => {
  it.each(["legacy", "auto"] as const)("solves for a client of the %s era", async (era) => {
    const client = await overStdio(era);
    const { structuredContent } = await client.callTool({ name: "solve_smtlib", arguments: script }, patient);
    expect(structuredContent).toMatchObject({ status: "sat", model: { x: "4" } });
    await client.close();
  });

  it("decides a model of each language", async () => {
    const client = await overStdio("auto");
    for (const [language, items] of Object.entries(contradictions)) {
      const solve = { name: "solve", arguments: { language, items } };
      const { structuredContent } = await client.callTool(solve, patient);
      expect({ language, answer: structuredContent }).toMatchObject({ language, answer: { status: "unsat" } });
    }
    await client.close();
  });
});

async function overStdio(era: "legacy" | "auto"): Promise<Client> {
  const [command = "", ...args] = runLine([]);
  const client = new Client({ name: "verdict-tests", version: "0" }, { versionNegotiation: { mode: era } });
  await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }), patient);
  return client;
}

describe("over HTTP", () => {
  const name = `verdict-test-${randomUUID()}`;
  let served: Served;
  let token: string;
  let url: URL;

  beforeAll(async () => {
    const file = join(directory, "tokens.json");
    token = await addToken(file, { name: "ann", scopes: ["solve"] }, new Deadline(60_000));
    chmodSync(directory, 0o755);
    chmodSync(file, 0o644);
    const port = await freePort();
    url = new URL(`http://127.0.0.1:${port}/mcp`);
    const options = ["--volume", `${file}:/run/secrets/tokens.json:ro`];
    const words = ["serve", "--http", `0.0.0.0:${port}`, "--tokens", "/run/secrets/tokens.json"];
    served = await serve(words, { name, options, network: "host" });
  });
  afterAll(() => signalTo(name, "KILL"));

  it("is healthy", async () => {
    expect(await inside(name, "node", "/opt/verdict/health.mjs")).toMatchObject({ code: 0 });
  });

  it("refuses those without a token", async () => {
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  });

  it.each(["legacy", "auto"] as const)("solves for a client of the %s era", async (era) => {
    const client = await connectHttp(url, era, token);
    const { structuredContent } = await client.callTool({ name: "solve_smtlib", arguments: script }, patient);
    expect(structuredContent).toMatchObject({ status: "sat", model: { x: "4" } });
    await client.close();
  });

  it("makes a job of a running call after SIGTERM, takes no new one, and leaves with code 0", async () => {
    const client = await connectHttp(url, "auto", token);
    const running = client.callTool({ name: "solve_smtlib", arguments: { ...hard, timeout_ms: 100_000 } }, patient);
    while (!(await inside(name, "sh", "-c", "cat /proc/[0-9]*/comm")).stdout.split("\n").includes("z3"))
      await sleep(100);
    await signalTo(name, "TERM");
    while ((await fetch(new URL("/readyz", url))).status === 200) await sleep(20);
    const { structuredContent } = await running;
    expect(structuredContent).toMatchObject({ status: "running", job_id: expect.any(String) });
    expect(await served.ended).toBe(0);
  });
});

it("the health check fails where the server does not answer", async () => {
  const name = `verdict-test-${randomUUID()}`;
  const running = runImage(["-c", "sleep 60; :", "serve", "--http", "127.0.0.1:9"], {
    name,
    options: ["--entrypoint", "sh"],
  });
  let health = await inside(name, "node", "/opt/verdict/health.mjs");
  while (/no such container|not running/i.test(health.stderr)) {
    await sleep(100);
    health = await inside(name, "node", "/opt/verdict/health.mjs");
  }
  expect(health.code).toBe(1);
  await signalTo(name, "KILL");
  await running;
});

describe("the walls around a model's program", () => {
  const layers = async (options: readonly string[]) => (await doctor(options)).get("pysat")?.isolation ?? "";

  it("are all there where the container may make namespaces", async () => {
    expect(await layers([])).toMatch(/namespaces.*landlock.*seccomp.*rlimits/);
  });

  it("are Landlock, the filter of system calls and the limits where it may not, as under Docker's default profile", async () => {
    const profile = join(directory, "no_unshare.json");
    writeFileSync(profile, JSON.stringify(withoutUnshare()));
    const reached = await layers(["--security-opt", `seccomp=${profile}`]);
    expect(reached).toMatch(/landlock.*seccomp.*rlimits/);
    expect(reached).not.toContain("namespaces");
  });

  it("are all there under such a profile that allows unshare", async () => {
    const profile = join(directory, "with_unshare.json");
    const source = join(directory, "no_unshare.json");
    writeFileSync(source, JSON.stringify(withoutUnshare()));
    const { stdout } = await runToEnd(["sh", "-c", `node docker/allow_unshare.mjs <${source}`]);
    writeFileSync(profile, stdout);
    expect(await layers(["--security-opt", `seccomp=${profile}`])).toMatch(/namespaces.*landlock.*seccomp/);
  });
});

/** The profile of podman without what Docker's leaves to the capability SYS_ADMIN. */
function withoutUnshare() {
  const Profile = z.looseObject({ syscalls: z.array(z.looseObject({ names: z.array(z.string()) })) });
  const profile = Profile.parse(JSON.parse(readFileSync("/usr/share/containers/seccomp.json", "utf8")));
  const privileged = ["unshare", "mount", "umount", "umount2", "setns", "pivot_root"];
  const syscalls = profile.syscalls.map((rule) => ({
    ...rule,
    names: rule.names.filter((each) => !privileged.includes(each)),
  }));
  return { ...profile, syscalls: syscalls.filter(({ names }) => names.length > 0) };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
