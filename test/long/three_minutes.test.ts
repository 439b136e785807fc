import type { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/v4";
import { cli, connect } from "../support/client.ts";
import { quickest_z3 } from "../support/engines.ts";
import { connectHttp, serveHttp } from "../support/http.ts";
import { emptyDirectory } from "../support/jobs.ts";

/** What people do: a solve that outlasts the patience of every client, with nothing set. */
type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

const args = ["--tools", "smtlib,jobs"];
const env = (data: string) => ({ VERDICT_DATA: data, VERDICT_Z3: quickest_z3 });

const server = async () => {
  const served = await serveHttp(args, env(emptyDirectory()));
  onTestFinished(async () => void (await served.end()));
  return served.url;
};
const newCall =
  (client: Client): Call =>
  (name, given) =>
    client.callTool({ name, arguments: given });
const oldCall =
  (client: OldClient): Call =>
  (name, given) =>
    client.callTool({ name, arguments: given });

const overStdio = (era: "legacy" | "auto") => async () => {
  const { client, close } = await connect({ era, env: env(emptyDirectory()), args });
  onTestFinished(close);
  return newCall(client);
};
const overHttp = (era: "legacy" | "auto") => async () => {
  const client = await connectHttp(await server(), era);
  onTestFinished(() => client.close());
  return newCall(client);
};

/** Clients of both generations of the SDK, with their own time limit of 60 s for each call. */
const clients: Readonly<Record<string, Readonly<Record<"stdio" | "HTTP", () => Promise<Call>>>>> = {
  "version 1 of the SDK": {
    stdio: async () => {
      const inherited = Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]));
      const client = new OldClient({ name: "verdict-tests", version: "0" });
      const settings = { command: process.execPath, args: [cli, ...args], stderr: "ignore" as const };
      const all = { ...Object.fromEntries(inherited), ...env(emptyDirectory()) };
      await client.connect(new StdioClientTransport({ ...settings, env: all }));
      onTestFinished(() => client.close());
      return oldCall(client);
    },
    HTTP: async () => {
      const client = new OldClient({ name: "verdict-tests", version: "0" });
      await client.connect(new StreamableHTTPClientTransport(await server()));
      onTestFinished(() => client.close());
      return oldCall(client);
    },
  },
  "version 2 of the SDK, 2025": { stdio: overStdio("legacy"), HTTP: overHttp("legacy") },
  "version 2 of the SDK, 2026": { stdio: overStdio("auto"), HTTP: overHttp("auto") },
};

/** Pigeons that do not fit into their holes, this many times; each is searched anew. */
function pigeons(times: number, holes = 7): string {
  const birds = Array.from({ length: holes + 1 }, (_, bird) => bird);
  const places = Array.from({ length: holes }, (_, hole) => hole);
  const somewhere = birds.map((bird) => `(or ${places.map((hole) => `p${bird}_${hole}`).join(" ")})`);
  const alone = birds.flatMap((bird) =>
    birds
      .slice(bird + 1)
      .flatMap((other) => places.map((hole) => `(or (not p${bird}_${hole}) (not p${other}_${hole}))`)),
  );
  return [
    ...birds.flatMap((bird) => places.map((hole) => `(declare-const p${bird}_${hole} Bool)`)),
    `(define-fun all_fit () Bool (and ${[...somewhere, ...alone].join(" ")}))`,
    ...Array.from({ length: times }, () => "(push 1)(assert all_fit)(check-sat)(pop 1)"),
  ].join("\n");
}

const Structured = z.looseObject({
  status: z.string(),
  job_id: z.string().optional(),
  running_s: z.number().optional(),
});
const structuredOf = (result: unknown) => Structured.parse(CallToolResultSchema.parse(result).structuredContent);
const question = (times: number) => ({ smtlib: pigeons(times), engine: "z3", timeout_ms: 3_600_000 });

/** The number with which a solve takes more than three minutes here and now, two of them at the same time. */
async function timesFor(call: Call): Promise<number> {
  const sample = 5;
  const start = performance.now();
  expect(structuredOf(await call("solve_smtlib", question(sample)))).toMatchObject({ status: "unsat" });
  return Math.ceil((240_000 / (performance.now() - start)) * sample);
}

/** Asks, and reads the answer from the job that the call becomes; gives the seconds of the job. */
async function solveThroughJob(call: Call, times: number, name: string): Promise<number> {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 1_000);
  let answer = structuredOf(await call("solve_smtlib", question(times)));
  const handed_over = `handed over after ${seconds()} s as ${answer.job_id}`;
  expect(answer).toMatchObject({ status: "running" });
  const { job_id } = answer;
  let looks = 0;
  for (; answer.status === "running"; looks++) answer = structuredOf(await call("get_job", { job_id }));
  const running_s = answer.running_s ?? 0;
  console.log(`${name}: ${handed_over}; ${looks} × get_job; ${answer.status} after ${running_s} s of the job`);
  expect(answer).toMatchObject({ status: "unsat", job_id });
  // A heading says it too.
  expect(String(answer["output"]).match(/^unsat$/gm)).toHaveLength(times);
  // The same answer for whoever asks again.
  expect(structuredOf(await call("get_job", { job_id }))).toEqual(answer);
  return running_s;
}

describe("a solve of three minutes", () => {
  it.each(Object.entries(clients))("ends through the hand-over, over stdio and HTTP: %s", async (client, both) => {
    const opened = Object.entries(both).map(async ([name, open]) => ({ name, call: await open() }));
    const calls = await Promise.all(opened);
    const times = Math.max(...(await Promise.all(calls.map(({ call }) => timesFor(call)))));
    const solved = calls.map(async ({ name, call }) => {
      let seconds = 0;
      // Where the machine had less to do than during the sample, it is asked for more.
      for (let asked = times; seconds < 180; asked = Math.ceil((asked * 240) / seconds))
        seconds = await solveThroughJob(call, asked, `${client}, ${name}`);
    });
    await Promise.all(solved);
  });
});
