import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { IncomingMessage } from "node:http";
import { connect as connectSocket, Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { Uploads } from "../../src/server/http/uploads.ts";
import { cli } from "../support/client.ts";
import { scratchDirectory } from "../support/directories.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";

/** Data files that are sent over HTTP: each principal reads its own, and nobody those of others. */

const directory = scratchDirectory();
const scratch = join(directory, "scratch");
const tokens = join(directory, "tokens.json");
const tokenOf = (name: string, ...more: string[]) =>
  execFileSync(process.execPath, [cli, "token", name, "--file", tokens, ...more], { encoding: "utf8" }).trim();
const ann = tokenOf("ann");
const ben = tokenOf("ben");
const watcher = tokenOf("watcher", "--scopes", "admin");

let server: HttpServer;
let files: string;
beforeAll(async () => {
  mkdirSync(scratch);
  server = await serveHttp(["--tokens", tokens, "--tools", "model"], {
    VERDICT_DATA: join(directory, "data"),
    TMPDIR: scratch,
  });
  files = new URL("/files/", server.url).href;
}, 200_000);
afterAll(async () => {
  await server.end();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
async function send(name: string, body: string | Uint8Array, token = ann, method = "PUT") {
  const response = await fetch(files + name, { method, headers: bearer(token), ...(method === "PUT" && { body }) });
  return { status: response.status, text: await response.text() };
}

async function callAs(token: string, name: string, args: Record<string, unknown>) {
  const client = await connectHttp(server.url, "auto", token);
  try {
    const { structuredContent } = await client.callTool({ name, arguments: args }, { timeout: 200_000 });
    return structured.parse(structuredContent);
  } finally {
    await client.close();
  }
}
const structured = z.looseObject({ status: z.string(), remedy: z.string().optional() });
const readAs = (token: string, path: string) => callAs(token, "read_data", { files: [path] });

const staff = "name,hours\nAnna,38\nBen,20\n";
const base = () => {
  const [name = ""] = readdirSync(scratch).filter((each) => each.startsWith("verdict-files-"));
  return join(scratch, name);
};

describe("a file that was sent", { timeout: 200_000 }, () => {
  it("is read by its principal alone, and replaced and taken away by it", async () => {
    const sent = await send("staff.csv", staff);
    expect(sent.status).toBe(201);
    expect(JSON.parse(sent.text)).toMatchObject({ name: "staff.csv", bytes: staff.length, data_files: ["staff.csv"] });
    const model = "x(N) :- N = #count { S : staff(S, _) }. #show x/1.";
    const solving = { language: "asp", model, data_files: ["staff.csv"] };
    expect(await callAs(ann, "solve", solving)).toMatchObject({ status: "sat", model: { x: [[2]] } });
    const fault = await readAs(ben, "staff.csv");
    expect(fault).toMatchObject({ status: "error", code: "input_rejected" });
    expect(JSON.stringify(fault)).toContain("The data directories have no data files.");
    expect(fault.remedy).toContain("curl -T");
    // Ben's own file of this name, and his attempt on that of Ann.
    expect((await send("staff.csv", "name\nZoe\n", ben)).status).toBe(201);
    expect(await readAs(ben, "staff.csv")).toMatchObject({ files: [{ summary: { rows: 1 } }] });
    expect((await send("staff.csv", "", ben, "DELETE")).status).toBe(204);
    expect((await send("staff.csv", "", ben, "DELETE")).status).toBe(404);
    expect(await readAs(ann, "staff.csv")).toMatchObject({ files: [{ summary: { rows: 2 } }] });
    const [folder = ""] = readdirSync(base());
    for (const path of [join(base(), folder, "staff.csv"), `../${folder}/staff.csv`])
      expect(await readAs(ben, path)).toMatchObject({ status: "error" });
    expect((await send("staff.csv", "name\nCarla\n")).status).toBe(201);
    expect(await readAs(ann, "staff.csv")).toMatchObject({ files: [{ summary: { rows: 1 } }] });
  });

  it("is sent by curl as people type it", async () => {
    const file = join(directory, "demand.csv");
    writeFileSync(file, "day,need\nMon,2\n".padEnd(2_000_000, "Tue,1\n"));
    const printed = execFileSync("curl", ["-s", "-T", file, "-H", `Authorization: Bearer ${ann}`, files], {
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toMatchObject({ name: "demand.csv", bytes: 2_000_000 });
  });

  it("can have a name of any script", async () => {
    expect((await send(encodeURIComponent("Личный состав (май).csv"), staff)).status).toBe(201);
    expect(await readAs(ann, "Личный состав (май).csv")).toMatchObject({ status: "ok" });
  });

  it.each([
    ["..", "..%2Fstaff.csv"],
    ["a directory", "may%2Fstaff.csv"],
    ["a backslash", "may%5Cstaff.csv"],
    ["a null byte", "staff%00.csv"],
    ["a hidden name", ".staff.csv"],
    ["a sign of a terminal", "staff%1b[2J.csv"],
    ["a mark of direction", `${encodeURIComponent("staff\u202Evsc.csv")}`],
    ["a broken escape", "staff%E0%A4.csv"],
    ["a name without end", `${"a".repeat(300)}.csv`],
    ["another ending", "staff.sh"],
    ["no name", ""],
  ])("is refused with %s", async (_, name) => {
    const before = readdirSync(base(), { recursive: true }).length;
    expect((await send(name, staff)).status).toBe(400);
    expect(readdirSync(base(), { recursive: true })).toHaveLength(before);
  });

  it("is refused without a token, without the scope, from another site and by another method", async () => {
    const put = (headers: Record<string, string>, method = "PUT") =>
      fetch(`${files}x.csv`, { method, headers, ...(method === "PUT" && { body: staff }) }).then((r) => r.status);
    expect(await put({})).toBe(401);
    expect(await put(bearer("wrong"))).toBe(401);
    expect(await put(bearer(watcher))).toBe(403);
    expect(await put({ ...bearer(ann), origin: "https://example.org" })).toBe(403);
    expect(await put(bearer(ann), "GET")).toBe(405);
    expect((await send("x/y.csv", staff)).status).toBe(404);
  });

  it("is refused when it is too large, whether its length is declared or not", async () => {
    const declared = await fetch(`${files}big.csv`, {
      method: "PUT",
      headers: bearer(ann),
      body: "x".repeat(51_000_000),
    })
      .then(({ status }) => status)
      .catch(() => "cut");
    expect([413, "cut"]).toContain(declared);
    const piece = Buffer.alloc(1_000_000, "x");
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent++ < 60) controller.enqueue(piece);
        else controller.close();
      },
    });
    const streamed = await fetch(`${files}big.csv`, { method: "PUT", headers: bearer(ann), body, duplex: "half" })
      .then(({ status }) => status)
      .catch(() => "cut");
    expect([413, "cut"]).toContain(streamed);
    expect(await readAs(ann, "big.csv")).toMatchObject({ status: "error", code: "input_rejected" });
  });

  it("that is cut off leaves nothing", async () => {
    const { port, hostname } = server.url;
    const socket = connectSocket(Number(port), hostname);
    socket.on("error", () => {});
    const head = ["PUT /files/cut.csv HTTP/1.1", `Host: ${hostname}:${port}`, `Authorization: Bearer ${ann}`];
    socket.write(`${[...head, "Content-Length: 1000000", "", ""].join("\r\n")}name\nAnna\n`);
    const parts = () => readdirSync(base()).filter((each) => each.startsWith("part-"));
    await expect.poll(() => parts().length, { timeout: 60_000 }).toBe(1);
    socket.destroy();
    await expect.poll(() => parts().length, { timeout: 60_000 }).toBe(0);
    expect(await readAs(ann, "cut.csv")).toMatchObject({ status: "error", code: "input_rejected" });
  });

  it("has a bound on the number of files of a principal", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 41; i++) statuses.push((await send(`f${i}.csv`, staff, ben)).status);
    expect(statuses.filter((each) => each === 201)).toHaveLength(40);
    expect(statuses.at(-1)).toBe(507);
    // One that replaces another needs no more room.
    expect((await send("f0.csv", staff, ben)).status).toBe(201);
    expect((await send("f1.csv", "", ben, "DELETE")).status).toBe(204);
    expect((await send("f99.csv", staff, ben)).status).toBe(201);
    expect((await send("other.csv", staff)).status).toBe(201);
  });

  it("ends after its time, and with its server", async () => {
    const one = await serveHttp(["--tools", "model"], { VERDICT_DATA: join(directory, "data"), TMPDIR: directory });
    const response = await fetch(new URL("/files/a.csv", one.url), { method: "PUT", body: staff });
    expect(response.status).toBe(201);
    const its = () => readdirSync(directory).filter((each) => each.startsWith(`verdict-files-${one.child.pid}-`));
    expect(its()).toHaveLength(1);
    await one.end();
    expect(its()).toHaveLength(0);
    const uploads = new Uploads(directory, 0, 20);
    const place = uploads.directoryOf({ id: "x" });
    const request = Object.assign(new IncomingMessage(new Socket()), { complete: true });
    request.push("name\nAnna\n");
    request.push(null);
    const principal = { id: "x", name: "x", folder: [], scopes: [], quota: {} };
    expect(await uploads.put(principal, "a.csv", request, () => {})).toMatchObject({ bytes: 10 });
    await expect.poll(() => existsSync(join(place, "a.csv")), { timeout: 60_000 }).toBe(false);
    uploads.close();
  });
});
