import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli } from "../support/client.ts";

/** What clients send by mistake: each line is answered, and the server goes on with its models. */
let server: ChildProcessWithoutNullStreams;
let answers: AsyncIterator<string>;

beforeAll(async () => {
  server = spawn(process.execPath, [cli, "--tools", "model"]);
  answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
});
afterAll(() => server.kill());

const request = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });
const call = (id: unknown, name: string, args: unknown) => request(id, "tools/call", { name, arguments: args });
const send = (line: string | Buffer | object) => {
  const text = typeof line === "string" || Buffer.isBuffer(line) ? line : JSON.stringify(line);
  server.stdin.write(Buffer.concat([Buffer.from(text), Buffer.from("\n")]));
};
const next = async (): Promise<unknown> => JSON.parse((await answers.next()).value);

const clientInfo = { name: "raw", version: "0", title: null };
const opening = {
  protocolVersion: "2025-11-25",
  capabilities: { sampling: null, roots: null },
  clientInfo,
  _meta: null,
};

it("an opening with null for what is left out is read", async () => {
  send({ ...request("open", "initialize", opening), extra: 1 });
  expect(await next()).toMatchObject({ id: "open", result: { serverInfo: { name: "verdict" } } });
  send({ jsonrpc: "2.0", method: "notifications/initialized", params: null });
  send(call(0, "clear_model", { language: "asp" }));
  expect(await next()).toMatchObject({ id: 0, result: { structuredContent: { status: "ok" } } });
});

describe("a request is answered", () => {
  const listing = { result: { tools: expect.any(Array) } };
  it.each([
    ["with params null", request(1, "tools/list", null), listing],
    ["with an unknown field", { ...request(1, "tools/list"), session: "x" }, listing],
    ["with a null cursor", request(1, "tools/list", { cursor: null }), listing],
    ["with _meta null", request(1, "tools/list", { _meta: null }), listing],
    ["with progressToken null", request(1, "tools/list", { _meta: { progressToken: null } }), listing],
    ["with a byte order mark before it", `\ufeff${JSON.stringify(request(1, "tools/list"))}`, listing],
    ["with the line end of Windows", `${JSON.stringify(request(1, "tools/list"))}\r`, listing],
    ["with arguments null", call(1, "get_model", null), { result: { structuredContent: { item_count: 0 } } }],
    ["without arguments", call(1, "get_model", undefined), { result: { structuredContent: { item_count: 0 } } }],
  ])("%s", async (_, line, expected) => {
    send(line);
    expect(await next()).toMatchObject({ id: 1, ...expected });
  });
});

describe("a request that means nothing is refused", () => {
  const refusal = (id: unknown, code: number, words: string) => ({
    id,
    error: { code, message: expect.stringContaining(words) },
  });
  const deep = `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
  it.each([
    ["text that is not JSON", "this is not JSON", refusal(null, -32700, "not valid JSON")],
    ["an unfinished message", '{"jsonrpc":"2.0","id":7,"method":"tools/list"', refusal(7, -32700, "JSON")],
    ["a broken message with its id last", '{"method":"tools/list",,"id":"x y"}', refusal("x y", -32700, "JSON")],
    [
      "bytes that are not UTF-8",
      Buffer.from('{"jsonrpc":"2.0","id":8,"method":"é"}', "latin1"),
      refusal(8, -32700, "UTF-8"),
    ],
    ["text in UTF-16", Buffer.from(`${JSON.stringify(request(1, "ping"))}`, "utf16le"), refusal(null, -32700, "JSON")],
    ["a number", "5", refusal(null, -32600, "JSON object")],
    ["null", "null", refusal(null, -32600, "JSON object")],
    ["an empty object", {}, refusal(null, -32600, "method")],
    ["an empty batch", "[]", refusal(null, -32600, "batches")],
    ["no jsonrpc", { id: 9, method: "ping" }, refusal(9, -32600, 'jsonrpc must be "2.0"')],
    ["another jsonrpc", { jsonrpc: "1.0", id: 9, method: "ping" }, refusal(9, -32600, 'jsonrpc must be "2.0"')],
    ["no method", { jsonrpc: "2.0", id: 9 }, refusal(9, -32600, "method")],
    ["a number as method", { jsonrpc: "2.0", id: 9, method: 1 }, refusal(9, -32600, "method")],
    ["null as id", request(null, "ping"), refusal(null, -32600, "id must be")],
    ["an object as id", request({ a: 1 }, "ping"), refusal(null, -32600, "id must be")],
    ["a fraction as id", request(1.5, "ping"), refusal(1.5, -32600, "id must be")],
    ["a list as params", request(9, "ping", [1]), refusal(9, -32600, "params must be an object")],
    ["a text as params", request(9, "ping", "x"), refusal(9, -32600, "params must be an object")],
    ["a list as _meta", request(9, "ping", { _meta: [] }), refusal(9, -32600, "_meta must be an object")],
    [
      "a fraction as progressToken",
      request(9, "ping", { _meta: { progressToken: 1.5 } }),
      refusal(9, -32600, "progressToken"),
    ],
    ["params nested too deeply", deep, refusal(9, -32600, "nested")],
    ["a list as arguments", call(9, "get_model", [1]), refusal(9, -32602, "arguments of tools/call must be an object")],
    ["a text as arguments", call(9, "get_model", "x"), refusal(9, -32602, "arguments of tools/call must be an object")],
    ["a name that every object has", call(9, "__proto__", {}), refusal(9, -32602, 'Tool "__proto__" not found')],
    ["no name of a tool", request(9, "tools/call", { arguments: {} }), refusal(9, -32602, "")],
    ["an unknown method", request(9, "tools/fetch"), refusal(9, -32601, "")],
  ])("%s", async (_, line, expected) => {
    send(line);
    expect(await next()).toMatchObject(expected);
  });

  it("a batch, once for each request in it", async () => {
    send([request(11, "tools/list"), { jsonrpc: "2.0", method: "notifications/initialized" }, request(12, "ping")]);
    expect([await next(), await next()]).toMatchObject([
      refusal(11, -32600, "batches"),
      refusal(12, -32600, "batches"),
    ]);
  });
});

describe("a message past 10 MB is refused, and the server goes on with its models", () => {
  const item = "x".repeat(11 * 1024 * 1024);
  it.each([
    [
      "with its id first",
      { jsonrpc: "2.0", id: 21, method: "tools/call", params: { name: "add_item", arguments: { item } } },
    ],
    [
      "with its id last",
      { method: "tools/call", params: { name: "add_item", arguments: { item } }, jsonrpc: "2.0", id: 21 },
    ],
  ])("%s", async (_, message) => {
    send(call(20, "add_item", { item: "a." }));
    expect(await next()).toMatchObject({ id: 20, result: { structuredContent: { status: "ok" } } });
    send(message);
    expect(await next()).toMatchObject({ id: 21, error: { code: -32600, message: expect.stringContaining("10 MiB") } });
    send(call(22, "get_model", {}));
    expect(await next()).toMatchObject({ id: 22, result: { structuredContent: { item_count: 1 } } });
    send(call(23, "clear_model", { language: "asp" }));
    await next();
  });

  it("without an id that can be found", async () => {
    send(item);
    expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

it("nothing is answered that waits for no answer", async () => {
  send("");
  send({ jsonrpc: "2.0", id: 99, result: {} });
  send({ jsonrpc: "2.0", id: 99, result: 5 });
  send({ jsonrpc: "2.0", method: "notifications/unheard-of" });
  send(request(30, "ping"));
  expect(await next()).toEqual({ jsonrpc: "2.0", id: 30, result: {} });
});
