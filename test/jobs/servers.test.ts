import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { treeOf } from "../../src/kernel/process/process_tree.ts";
import { quickest_clingo } from "../support/asp.ts";
import { cli, connect } from "../support/client.ts";
import { removeDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { openFakes } from "../support/fakes.ts";
import { emptyDataDirectory, emptyDirectory } from "../support/jobs.ts";
import { quickest_minizinc } from "../support/minizinc.ts";
import { commandOf, cpuSeconds, gone_ms_max, runs, sees_processes } from "../support/processes.ts";
import { some } from "../support/runs_all.ts";

/** Real servers with real engines, and clients of the SDKs that users have. */
interface Reply {
  readonly structured: Record<string, unknown>;
  readonly text: string;
  readonly is_error: boolean;
}

interface Server {
  readonly pid: number | null;
  call(name: string, args?: Record<string, unknown>): Promise<Reply>;
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Wish {
  readonly data: string;
  readonly handover_ms?: number;
  /** The embedded Z3 takes so long for a first answer that any call is handed over. */
  readonly z3?: string;
}

const env = ({ data, handover_ms = 300, z3 = quickest_z3 }: Wish) => ({
  ...{ VERDICT_DATA: data, VERDICT_HANDOVER_MS: String(handover_ms) },
  ...{ VERDICT_Z3: z3, VERDICT_MINIZINC: quickest_minizinc, VERDICT_CLINGO: quickest_clingo },
});
const args = ["--tools", "smtlib,model,jobs"];
const patience = { timeout: 200_000 };

function reply(result: unknown): Reply {
  const { content, structuredContent, isError = false } = CallToolResultSchema.parse(result);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return { structured: { ...structuredContent }, text, is_error: isError };
}

async function second(wish: Wish, era: "legacy" | "auto"): Promise<Server> {
  const { client, pid, close } = await connect({ era, env: env(wish), args });
  // The schemas are known from here on, and each answer is held against its one.
  await client.listTools();
  return {
    pid,
    call: async (name, given = {}) => reply(await client.callTool({ name, arguments: given }, patience)),
    read: async (uri) => textIn((await client.readResource({ uri })).contents),
    close,
  };
}

async function first(wish: Wish): Promise<Server> {
  const inherited = Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]));
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [cli, ...args], stderr: "ignore" as const },
    env: { ...Object.fromEntries(inherited), ...env(wish) },
  });
  const client = new Client({ name: "verdict-tests", version: "0" });
  await client.connect(transport);
  await client.listTools();
  return {
    pid: transport.pid,
    call: async (name, given = {}) => reply(await client.callTool({ name, arguments: given }, undefined, patience)),
    read: async (uri) => textIn((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}

function textIn(contents: readonly object[]): unknown {
  const [whole] = contents;
  return whole && "text" in whole ? JSON.parse(String(whole.text)) : undefined;
}

const clients = {
  "version 1 of the SDK": first,
  "version 2 of the SDK, 2026": (wish: Wish) => second(wish, "auto"),
  "version 2 of the SDK, 2025": (wish: Wish) => second(wish, "legacy"),
} as const;

async function opened(open: (wish: Wish) => Promise<Server>, wish: Partial<Wish> = {}) {
  const data = wish.data ?? emptyDirectory();
  const server = await open({ ...wish, data });
  onTestFinished(() => server.close());
  return { data, server };
}

/** Some tenths of a second for any engine of ours, seconds on a busy machine. */
const pigeons = (holes: number) => {
  const at = (pigeon: number) => Array.from({ length: holes }, (_, hole) => `p${pigeon}_${hole}`);
  const all = Array.from({ length: holes + 1 }, (_, pigeon) => at(pigeon));
  const alone = all.flatMap((row, i) =>
    all.slice(i + 1).flatMap((other) => row.map((here, hole) => `(assert (or (not ${here}) (not ${other[hole]})))`)),
  );
  return [
    ...all.flat().map((name) => `(declare-const ${name} Bool)`),
    ...all.map((row) => `(assert (or ${row.join(" ")}))`),
    ...alone,
    "(check-sat)",
  ].join("\n");
};
/** Nobody has decided such a thing in an hour. */
const hopeless = pigeons(14);

const fakes = openFakes();
afterAll(() => fakes.remove());
/** What a solver that hangs here and there never answers: it takes no processor time from the others. */
const endless = "(declare-const endless Bool)(check-sat)";

/** Better and better solutions, for minutes. */
const tour = `int: n = 40; array[1..n] of var 1..n: s; include "alldifferent.mzn"; constraint alldifferent(s);
array[1..n, 1..n] of int: d = array2d(1..n, 1..n, [((i * 37 + j * 91) mod 97) + ((i * j * 13) mod 53) | i, j in 1..n]);
var int: total = sum(i in 1..n - 1)(d[s[i], s[i + 1]]); solve minimize total;`;

describe.each(some(Object.entries(clients), 2))("through a client on %s", (_, open) => {
  const data = emptyDataDirectory();
  let server: Server;
  beforeAll(async () => {
    server = await open({ data: data, handover_ms: 50, z3: "wasm" });
  });
  afterAll(async () => {
    await server?.close();
    removeDirectory(data);
  });

  it("a long solve is handed over, and get_job gives the answer that the tool gives", async () => {
    const running = await server.call("solve_smtlib", { smtlib: pigeons(6), timeout_ms: 3_600_000 });
    expect(running).toMatchObject({ is_error: false, structured: { status: "running", tool: "solve_smtlib" } });
    const job_id = String(running.structured["job_id"]);
    let answer = running;
    while (answer.structured["status"] === "running") answer = await server.call("get_job", { job_id });
    expect(answer).toMatchObject({ is_error: false, structured: { status: "unsat", job_id, output: "; unsat" } });
    expect(answer.text).toMatch(/^; unsat/);
    expect(await server.read(`verdict://jobs/${job_id}`)).toMatchObject({
      status: "done",
      answer: { status: "unsat" },
    });
    await expect(server.read("verdict://jobs/jabcdefghijkmnpqrstuv")).rejects.toThrow(/not found/i);
  });

  it("a fault of a job arrives as a fault", async () => {
    const { structured } = await server.call("start_job", {
      tool: "solve_smtlib",
      arguments: { smtlib: "(assert" },
    });
    const fault = await server.call("get_job", { job_id: structured["job_id"] });
    expect(fault).toMatchObject({ is_error: true, structured: { status: "error", code: "syntax_error" } });
    expect(fault.text).toContain("What to do: (1)");
  });
});

describe("a server", () => {
  const open = clients["version 2 of the SDK, 2025"];

  it("answers a quick call as before", async () => {
    const { server } = await opened(open, { handover_ms: 100_000 });
    const { structured } = await server.call("solve_smtlib", { smtlib: "(check-sat)" });
    expect(structured).toMatchObject({ status: "sat" });
    expect((await server.call("list_jobs")).structured).toMatchObject({ more: false });
  });

  it.runIf(sees_processes)("ends the processes of a job that is cancelled", async () => {
    const { server } = await opened(open);
    const { structured } = await server.call("solve_smtlib", { smtlib: hopeless, timeout_ms: 3_600_000, engine: "z3" });
    expect(structured["status"]).toBe("running");
    // No spare uses so much before its first job.
    const spare_s_max = quickest_z3 === "wasm" ? 4 : 0.3;
    // The call is long, so a process of its own reads it, which uses as much on a busy machine.
    const isSolver = (pid: number) => /\bz3(?:_wasm\.mjs)?(?: |$)/.test(commandOf(pid));
    const atWork = () => treeOf(server.pid ?? 0).filter((pid) => isSolver(pid) && cpuSeconds(pid) > spare_s_max);
    await expect.poll(() => atWork().length, { timeout: 120_000, interval: 100 }).toBe(1);
    const solvers = atWork();
    const cancelled = await server.call("cancel_job", { job_id: structured["job_id"] });
    expect(cancelled.structured).toMatchObject({ status: "cancelled" });
    await expect.poll(() => solvers.filter(runs), { timeout: gone_ms_max }).toEqual([]);
    const answer = await server.call("get_job", { job_id: structured["job_id"] });
    expect(answer).toMatchObject({ is_error: true, structured: { code: "cancelled" } });
  });

  it("shows better and better solutions of a model that is being solved", async () => {
    const { server } = await opened(open);
    const begun = await server.call("start_job", {
      tool: "solve",
      arguments: { language: "minizinc", model: tour, timeout_ms: 3_600_000, solver: "gecode" },
    });
    const { job_id } = begun.structured;
    const look = () => server.call("get_job", { job_id, wait_s: 0.2 });
    await expect
      .poll(async () => (await look()).structured["best_so_far"], { timeout: 120_000, interval: 100 })
      .toMatch(/^objective \d+ after/);
    const { structured, text } = await look();
    expect(structured).toMatchObject({ status: "running" });
    expect(text).toContain("not the answer");
    expect((await server.call("cancel_job", { job_id })).structured["status"]).toBe("cancelled");
  });

  it("keeps the model with the job: it is solved again as it was, not as it is", async () => {
    const { server, data } = await opened(open, { handover_ms: 0 });
    await server.call("clear_model", { language: "asp" });
    await server.call("add_item", { item: "{ a; b }. :- not a." });
    const begun = await server.call("start_job", { tool: "solve_model", arguments: { max_models: 5 } });
    const { job_id } = begun.structured;
    await server.call("add_item", { item: ":- b." });
    const answer = await server.call("get_job", { job_id });
    expect(answer.structured).toMatchObject({ status: "sat" });
    await server.close();
    // As if it had been interrupted: its answer is lost.
    writeFileSync(join(data, "jobs", `${job_id}.ending.json`), "{");
    const other = await opened(open, { data });
    const again = await other.server.call("start_job", { restart_job: job_id });
    expect(again.structured).toMatchObject({ tool: "solve" });
    const repeated = await other.server.call("get_job", { job_id: again.structured["job_id"] });
    expect(repeated.structured).toMatchObject({ status: "sat", solutions: answer.structured["solutions"] });
    expect(JSON.stringify(answer.structured["solutions"])).toContain("b");
  });
});

describe("a server that is killed", () => {
  const open = clients["version 2 of the SDK, 2026"];

  it("leaves finished jobs to the next one, and interrupted ones that can be started again", async () => {
    const { server, data } = await opened(open, { z3: fakes.path("hangs_if_endless") });
    const done = await server.call("start_job", { tool: "solve_smtlib", arguments: { smtlib: "(check-sat)" } });
    expect((await server.call("get_job", { job_id: done.structured["job_id"] })).structured["status"]).toBe("sat");
    const running = await server.call("start_job", {
      tool: "solve_smtlib",
      arguments: { smtlib: endless, timeout_ms: 3_600_000 },
    });
    const { job_id } = running.structured;
    const next = await opened(open, { data, z3: fakes.path("hangs_if_endless") });
    expect((await next.server.call("get_job", { job_id, wait_s: 0 })).structured).toMatchObject({ status: "running" });
    if (server.pid !== null) process.kill(server.pid, "SIGKILL");
    const interrupted = await next.server.call("get_job", { job_id });
    expect(interrupted.structured).toMatchObject({ status: "interrupted", reason: "server ended" });
    expect(interrupted.text).toContain("interrupted: server ended. Nothing was decided.");
    const finished = await next.server.call("get_job", { job_id: done.structured["job_id"] });
    expect(finished.structured).toMatchObject({ status: "sat" });
    const again = await next.server.call("start_job", { restart_job: job_id });
    expect(again.structured).toMatchObject({ status: "running", tool: "solve_smtlib" });
    expect(again.structured["job_id"]).not.toBe(job_id);
    await next.server.call("cancel_job", { job_id: again.structured["job_id"] });
  });
});
