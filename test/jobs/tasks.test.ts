import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { removeDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";
import { emptyDataDirectory } from "../support/jobs.ts";
import { open_question } from "../support/scripts.ts";

/** Jobs as tasks: requests of 2026-07-28 as they are on the wire, to the real server with a real solver. */
const extension = "io.modelcontextprotocol/tasks";
const key = (name: string) => `io.modelcontextprotocol/${name}`;
const Reply = z.object({
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

const data = emptyDataDirectory();
let server: HttpServer;
beforeAll(async () => {
  server = await serveHttp([], { VERDICT_DATA: data, VERDICT_Z3: quickest_z3, VERDICT_HANDOVER_MS: "100" });
});
afterAll(async () => {
  await server.end();
  removeDirectory(data);
});

async function ask(
  method: string,
  params: Record<string, unknown>,
  capabilities: object = { extensions: { [extension]: {} } },
) {
  const name = params["taskId"] ?? params["name"];
  const _meta = {
    [key("protocolVersion")]: "2026-07-28",
    [key("clientInfo")]: { name: "test", version: "0" },
    [key("clientCapabilities")]: capabilities,
  };
  const response = await fetch(server.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": String(name) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  const json = text.startsWith("{")
    ? text
    : text
        .split("\n")
        .findLast((line) => line.startsWith("data: {"))
        ?.slice(6);
  return Reply.parse(JSON.parse(json ?? ""));
}

const solve = (args: object, capabilities?: object) =>
  ask("tools/call", { name: "solve_smtlib", arguments: args }, capabilities);

describe("for a client that knows tasks", () => {
  it("a call that lasts is a task, which is the job of this id, and can be cancelled", async () => {
    const { result } = await solve(open_question);
    const taskId = String(result?.["taskId"]);
    expect(result).toMatchObject({ resultType: "task", status: "working", taskId: expect.stringMatching(/^j/) });
    expect(result).toMatchObject({ ttlMs: 7 * 24 * 3_600_000, pollIntervalMs: expect.any(Number) });
    expect(Date.parse(String(result?.["createdAt"]))).toBeLessThanOrEqual(Date.now());
    const { result: seen } = await ask("tasks/get", { taskId });
    expect(seen).toMatchObject({ resultType: "complete", status: "working", taskId });
    expect(seen).not.toHaveProperty("result");
    expect((await ask("tasks/update", { taskId, inputResponses: {} })).result).toMatchObject({
      resultType: "complete",
    });

    const client = await connectHttp(server.url, "legacy");
    const job = await client.callTool({ name: "get_job", arguments: { job_id: taskId, wait_s: 0 } });
    expect(job.structuredContent).toMatchObject({ status: "running", tool: "solve_smtlib" });
    await client.close();

    for (const _ of ["while it runs", "when it has ended"]) {
      const { result: done } = await ask("tasks/cancel", { taskId });
      expect(Object.keys(done ?? {}).filter((each) => each !== "_meta")).toEqual(["resultType"]);
    }
    expect((await ask("tasks/get", { taskId })).result).toMatchObject({
      status: "cancelled",
      statusMessage: "cancelled",
    });
  });

  it("the answer of a job is the result of its task, and so is a fault of its tool", async () => {
    const begin = async (args: object) => {
      const begun = await ask("tools/call", {
        name: "start_job",
        arguments: { tool: "solve_smtlib", arguments: args },
      });
      return z.looseObject({ job_id: z.string() }).parse(begun.result?.["structuredContent"]).job_id;
    };
    const ended = async (taskId: string) => {
      for (;;) {
        const { result } = await ask("tasks/get", { taskId });
        if (result?.["status"] !== "working") return result;
      }
    };
    expect(await ended(await begin({ smtlib: "(assert false)(check-sat)" }))).toMatchObject({
      status: "completed",
      result: { structuredContent: { status: "unsat" }, content: [{ type: "text", text: "; unsat" }] },
    });
    expect(await ended(await begin({ smtlib: "(assert" }))).toMatchObject({
      status: "completed",
      result: { isError: true, structuredContent: { code: "syntax_error" } },
    });
  });

  it("an unknown task is a wrong argument", async () => {
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
      expect((await ask(method, { taskId: "jabcdefghijkmnpqrstuv", inputResponses: {} })).error, method).toMatchObject({
        code: -32_602,
        message:
          'There is no job "jabcdefghijkmnpqrstuv". A job is deleted 7 days after its end, or earlier if there are more than 1000.',
      });
  });
});

describe("for a client that does not name them", () => {
  it("a call that lasts is a job, and tasks are refused with what is missing", async () => {
    const { result } = await solve(open_question, {});
    const { job_id } = z.looseObject({ job_id: z.string() }).parse(result?.["structuredContent"]);
    expect(result).not.toHaveProperty("taskId");
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "running" } });
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
      expect((await ask(method, { taskId: job_id, inputResponses: {} }, {})).error, method).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } },
      });
    await ask("tasks/cancel", { taskId: job_id });
  });
});
