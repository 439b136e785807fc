import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../support/client.ts";
import { scratchDirectory } from "../support/directories.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";
import { workbook } from "../support/workbook.ts";

/** Files that are broken, hostile or elsewhere, over both transports: each is a fault that names the place, and nothing is half read. */

const directory = scratchDirectory();
const project = join(directory, "project");
mkdirSync(join(project, ".hidden"), { recursive: true });
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(project, name), content);
const secret = "hush";
writeFileSync(join(directory, "outside.csv"), `key\n${secret}\n`);
put(".hidden/keys.csv", `key\n${secret}\n`);
symlinkSync(join(directory, "outside.csv"), join(project, "link.csv"));
symlinkSync(directory, join(project, "up"));
symlinkSync("loop.csv", join(project, "loop.csv"));
put("huge.csv", "a,b\n1,2\n");
truncateSync(join(project, "huge.csv"), 200_000_000);
const plan = workbook({ May: [["day"], ["Mon"]], June: [["day"], ["Tue"]] });
put("plan.xlsx", plan);
put("formula.xlsx", workbook({ May: [["n"], [1], [{ formula: "A2*2" }]] }));
put("mixed.csv", Buffer.concat([Buffer.from("x\nJürgen\n"), Buffer.from("M\xfcller\n", "latin1")]));
put("dates.csv", "d,n\n2026-01-31,1\n31.1.2026,2\n1/31/2026,3\n");
put("broken.xlsx", plan.subarray(0, 300));
put("program.xlsx", "MZ\0\0");
put("deep.json", "[".repeat(200_000));
// A workbook with a macro: its values are read, and the macro is not a part of them.
put(
  "macro.xlsm",
  zipSync({ ...unzipSync(workbook({ May: [["day"], ["Mon"]] })), "xl/vbaProject.bin": strToU8(`Sub ${secret}()`) }),
);

const cases: readonly [string, unknown, string, RegExp][] = [
  ["a path out of the directory", "../outside.csv", "forbidden", /is outside/],
  ["a link out of it", "link.csv", "forbidden", /is outside/],
  ["a linked directory", "up/outside.csv", "forbidden", /is outside/],
  ["a link to itself", "loop.csv", "input_rejected", /no file/],
  ["a hidden directory", ".hidden/keys.csv", "forbidden", /hidden/],
  ["an absolute path", join(directory, "outside.csv"), "input_rejected", /no file/],
  ["200 MB", "huge.csv", "input_rejected", /200 MB/],
  ["a sheet that is missing", { path: "plan.xlsx", sheet: "Juli" }, "input_rejected", /no sheet "Juli"/],
  ["several sheets", "plan.xlsx", "input_rejected", /several sheets/],
  ["a formula without a value", "formula.xlsx", "input_rejected", /Cell A3/],
  ["mixed encodings", "mixed.csv", "input_rejected", /line 3/],
  ["three forms of dates in a column", "dates.csv", "input_rejected", /different forms/],
  ["half a workbook", "broken.xlsx", "input_rejected", /is not an XLSX workbook/],
  ["a program with the ending of a workbook", "program.xlsx", "input_rejected", /is not an XLSX workbook/],
  ["JSON that is too deep", "deep.json", "input_rejected", /JSON/],
];

describe.each(["stdio", "HTTP"])("over %s", (transport) => {
  let client: Client;
  let stdio: Connection | undefined;
  let http: HttpServer | undefined;
  beforeAll(async () => {
    const args = ["--data-dir", project, "--tools", "model", "--language", "asp"];
    if (transport === "stdio") {
      stdio = await connect({ args: ["serve", ...args] });
      client = stdio.client;
    } else {
      http = await serveHttp(args);
      client = await connectHttp(http.url, "auto");
    }
  }, 200_000);
  afterAll(async () => {
    await client?.close();
    await stdio?.close();
    await http?.end();
  });
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args }, { timeout: 200_000 })).structuredContent;

  it.each(cases)(
    "%s is refused, with the place and what to do",
    { timeout: 60_000 },
    async (_what, file, code, error) => {
      const refused = await call("read_data", { files: [file] });
      expect(refused).toMatchObject({
        status: "error",
        code,
        error: expect.stringMatching(error),
        remedy: expect.stringMatching(/\w{4}/),
      });
      expect(JSON.stringify(refused)).not.toContain(secret);
    },
  );

  it("nothing of a call is solved if one of its files is refused", { timeout: 60_000 }, async () => {
    const refused = await call("solve", {
      model: "a(X) :- plan(X).",
      data_files: [{ path: "plan.xlsx", sheet: "May" }, "mixed.csv"],
    });
    expect(refused).toMatchObject({ status: "error", code: "input_rejected" });
    expect(await call("get_model", {})).not.toMatchObject({ item_count: 1 });
  });

  it("a macro is never read, and the values beside it are", { timeout: 60_000 }, async () => {
    const read = await call("read_data", { files: ["macro.xlsm"] });
    expect(read).toMatchObject({ status: "ok", files: [{ rows: [{ day: "Mon" }] }] });
    expect(JSON.stringify(read)).not.toContain(secret);
  });
});
