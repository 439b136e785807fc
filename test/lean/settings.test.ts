import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { servedBy } from "../../src/engines/tactic/address.ts";
import { Tactics } from "../../src/engines/tactic/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { command } from "../support/command_line.ts";
import { fakeServer } from "../support/completions.ts";
import { faultOf } from "../support/faults.ts";
import { type LeanHome, llama, llama_setup_ms_max, openHome, toyModel } from "../support/lean.ts";
import { runs } from "../support/processes.ts";
import { openTools, type Tools } from "../support/tools.ts";

const asked = { proof_state: "h1 : p\n⊢ p → q", num_suggestions: 2, max_tokens: 16 };
const job = () => new Deadline(120_000);

beforeAll(async () => void (await llama()), llama_setup_ms_max);

describe("a setting that is wrong", () => {
  it.each([
    ["TACTIC_SERVER_PORT", "80 80", "a whole number from 1 to 65535"],
    ["TACTIC_SERVER_PORT", "0", "a whole number"],
    ["TACTIC_SERVER_TIMEOUT", "soon", "a number of seconds above 0"],
    ["TACTIC_SERVER_TIMEOUT", "0", "above 0"],
    ["VERDICT_LEAN_CONTEXT", "4k", "a whole number from 256"],
    ["VERDICT_LEAN_THREADS", "all", "a whole number from 1"],
    ["VERDICT_LEAN_IDLE", "never", "a number of seconds"],
    ["VERDICT_LEAN_GPU", "rocm", "one of auto, off, metal, vulkan, cuda"],
    ["VERDICT_LEAN_PROMPT", "bfs", "one of bfs-prover, llmstep, chat"],
    ["VERDICT_LEAN_URL", "localhost:8000/v1", "an address such as http://"],
    ["VERDICT_LEAN_MODEL", "http://127.0.0.1:8000/v1", "put an address into VERDICT_LEAN_URL"],
    ["VERDICT_LEAN_MODEL", "ollama:", "ollama:NAME"],
  ])("%s = %j is a fault that names it, in every call that needs it", async (name, given, words) => {
    const env = { VERDICT_DATA: "/nowhere", VERDICT_LEAN_MODEL: "/nowhere/model.gguf", [name]: given };
    const tools = openTools(readConfig({ tools: "lean" }, env));
    for (const [tool, args] of [
      ["bfs_suggest_tactics", asked],
      ["bfs_evaluate_tactic", { proof_state: asked.proof_state, tactic: "simp" }],
    ] as const) {
      const fault = await faultOf(tools.call(tool, args));
      expect(fault).toMatchObject({ code: "engine_missing", error: expect.stringContaining(words) });
      expect(fault.error).toContain(`${name} is ${JSON.stringify(given)}`);
    }
    expect((await tools.call("bfs_daemon_status"))["note"]).toContain(name);
    tools.close();
  });

  it("is a fault at the command line too, and says no password again", async () => {
    const env = { VERDICT_LEAN_URL: "http://me:hidden7@host/v1", TACTIC_SERVER_PORT: "x" };
    const { status, stderr } = await command(["daemon", "status"], { env });
    expect(status).toBe(1);
    expect(stderr).toContain("VERDICT_LEAN_URL");
    expect(stderr).toContain('TACTIC_SERVER_PORT is "x"');
    expect(stderr).not.toContain("hidden7");
  });

  it("of a Lean project names the place that was looked at", async () => {
    const config = readConfig(
      { tools: "lean" },
      { ...process.env, PATH: resolve("test/fixtures/lean"), VERDICT_LEAN_PROJECT: "~/no such project" },
    );
    const tools = openTools(config);
    const fault = await faultOf(tools.call("bfs_search_step", { theorem: "theorem t : p → p" }));
    expect(fault.error).toContain(`VERDICT_LEAN_PROJECT is ${join(homedir(), "no such project")}`);
    tools.close();
  });
});

it("paths begin at the home after ~, and the daemon gets them whole: it runs elsewhere", () => {
  const env = { HOME: "/home/me", VERDICT_DATA: "~/data", VERDICT_LEAN_MODEL: "~/m.gguf", VERDICT_Z3: "~/bin/z3" };
  const config = readConfig({}, { ...env, TACTIC_SERVER_PID_FILE: "run.pid", VERDICT_LEAN_PROJECT: "~" });
  expect(config).toMatchObject({
    data_directory: "/home/me/data",
    native_builds: { VERDICT_Z3: "/home/me/bin/z3" },
    lean_project: "/home/me",
  });
  expect(config.tactics).toMatchObject({ model: "/home/me/m.gguf", pid_file: resolve("run.pid") });
  expect(config.tactics.environment).toMatchObject({
    VERDICT_LEAN_MODEL: "/home/me/m.gguf",
    VERDICT_DATA: "/home/me/data",
    TACTIC_SERVER_PID_FILE: resolve("run.pid"),
  });
  expect(readConfig({}, { VERDICT_LEAN_MODEL: "ollama:~x" }).tactics.model).toBe("ollama:~x");
});

it("a daemon's settings are told apart by all that makes another model, and tell no key", () => {
  const served = (env: Record<string, string>) => servedBy(readConfig({}, { VERDICT_LEAN_MODEL: "openai:x", ...env }));
  const others = [
    {},
    { VERDICT_LEAN_KEY: "a" },
    { VERDICT_LEAN_KEY: "b" },
    { VERDICT_LEAN_URL: "http://h" },
    { VERDICT_LEAN_THREADS: "2" },
  ];
  expect(new Set(others.map(served)).size).toBe(others.length);
});

describe("a daemon with other settings than a server has", () => {
  let home: LeanHome;
  const open: Tools[] = [];
  afterEach(async () => {
    for (const tools of open.splice(0)) tools.close();
    await home.close();
  });

  /** A server of the same user, with settings that differ. */
  function server(env: Record<string, string> = {}): Tools {
    const tools = openTools(readConfig({ tools: "lean" }, { ...process.env, ...home.env, ...env }));
    open.push(tools);
    return tools;
  }
  const pidNow = () => Number(JSON.parse(readFileSync(join(home.directory, "lean", "daemon.json"), "utf8")).pid);

  it("is replaced when it failed, so that a corrected setting counts at once", async () => {
    home = await openHome({ VERDICT_LEAN_MODEL: "/nowhere/model.gguf" });
    const wrong = server();
    expect(await faultOf(wrong.call("bfs_suggest_tactics", asked))).toMatchObject({ code: "engine_missing" });
    const before = pidNow();
    // The first server is still there, and connected.
    const answer = await server({ VERDICT_LEAN_MODEL: toyModel() }).call("bfs_suggest_tactics", asked);
    expect(answer).toMatchObject({ tactics: expect.any(Array) });
    expect(answer["note"]).toBeUndefined();
    expect(pidNow()).not.toBe(before);
    expect(runs(before)).toBe(false);
  });

  it("is named while another server needs it, and replaced when none does", async () => {
    home = await openHome();
    const first = server();
    await first.call("bfs_suggest_tactics", asked);
    // A suggestion keeps no connection where a busy daemon was late with its greeting; a status does.
    expect(await first.call("bfs_daemon_status")).toMatchObject({ status: "running" });
    const before = pidNow();
    const other = { VERDICT_LEAN_CONTEXT: "512" };
    const second = server(other);
    expect((await second.call("bfs_suggest_tactics", asked))["note"]).toContain("other settings than this server");
    expect((await second.call("bfs_daemon_status"))["note"]).toContain("other settings than this server");
    const fault = await faultOf(
      second.call("bfs_suggest_tactics", { ...asked, proof_state: `⊢ ${"p ∧ ".repeat(9_000)}p` }),
    );
    expect(fault.error).toContain("other settings than this server");
    expect(fault.remedy).toContain("verdict daemon restart");
    expect(pidNow()).toBe(before);
    for (const tools of open.splice(0)) tools.close();
    // The daemon of a busy machine takes a while to see that the others have left.
    const noteNow = async () => {
      const tools = server(other);
      const { note } = await tools.call("bfs_suggest_tactics", asked);
      tools.close();
      return note;
    };
    await expect.poll(noteNow, { timeout: 60_000 }).toBeUndefined();
    expect(pidNow()).not.toBe(before);
  });

  it("is named and not ended when the user started it by hand", async () => {
    home = await openHome({ VERDICT_LEAN_MODEL: "/nowhere/model.gguf" });
    await new Tactics(home.config).start(job());
    const before = pidNow();
    const fault = await faultOf(server({ VERDICT_LEAN_MODEL: toyModel() }).call("bfs_suggest_tactics", asked));
    expect(fault.error).toContain("/nowhere/model.gguf");
    expect(fault.error).toContain("other settings than this server");
    expect(pidNow()).toBe(before);
  });

  it("is replaced after a corrected key or address, which a server behind it refused", async () => {
    const model = await fakeServer((_, __, response) => response.writeHead(401).end("no such key"));
    home = await openHome({ VERDICT_LEAN_MODEL: "openai:x", VERDICT_LEAN_URL: model.url, VERDICT_LEAN_KEY: "old" });
    expect((await faultOf(server().call("bfs_suggest_tactics", asked))).error).toContain(
      `${model.url} failed: it answered 401`,
    );
    for (const tools of open.splice(0)) tools.close();
    await faultOf(server({ VERDICT_LEAN_KEY: "new" }).call("bfs_suggest_tactics", asked));
    expect(model.headers.at(-1)?.authorization).toBe("Bearer new");
    model.close();
  });
});
