import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { type Connection, connect } from "../support/client.ts";
import { scratchDirectory } from "../support/directories.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";
import { billOfMaterials, type Data, dependencies, optima, type Row } from "../support/with_data/optima.ts";

/** The tasks with files of examples/with_data: each call is made, and the best answers are compared with those of a plain search. */

const folder = "examples/with_data";
const names = readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));

const Calls = z.array(
  z.strictObject({
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    answer: z.record(z.string(), z.unknown()),
  }),
);

/** The calls of a task, with the texts of the files that they name. */
function callsOf(name: string) {
  const withText = (_key: string, value: unknown) => {
    const named = z.strictObject({ file: z.string() }).safeParse(value).data;
    return named ? readFileSync(join(folder, name, named.file), "utf8") : value;
  };
  return Calls.parse(JSON.parse(readFileSync(join(folder, name, "calls.json"), "utf8"), withText));
}

const ample_ms = 150_000;

/** MiniZinc compiles and solves them several times, which takes many seconds; the long tests ask them. */
const long = ["delivery_round", "exam_halls", "least_change", "production"];

async function called(client: Client, tool: string, args: Record<string, unknown>) {
  const limit = tool.startsWith("solve") ? { timeout_ms: ample_ms } : {};
  const reply = await client.callTool({ name: tool, arguments: { ...limit, ...args } }, { timeout: 200_000 });
  return z.record(z.string(), z.unknown()).parse(reply.structuredContent);
}

const Files = z.array(
  z.object({
    name: z.string(),
    rows: z.array(z.record(z.string(), z.custom<Row[string]>())).optional(),
    value: z.unknown().optional(),
  }),
);

/** The best value by a search without an engine, over the data as the server reads it. */
async function optimumOf(name: string, client: Client): Promise<number> {
  const look = callsOf(name)[0]?.arguments ?? {};
  const { files } = await called(client, "read_data", { ...look, rows: 1_000 });
  const read = Files.parse(files);
  const data: Data = Object.fromEntries(read.map((each) => [each.name, each.rows ?? []]));
  const [first] = read;
  if (name === "bill_of_materials")
    return billOfMaterials(z.custom<Parameters<typeof billOfMaterials>[0]>().parse(first?.value));
  if (name === "dependencies") return dependencies(z.custom<Parameters<typeof dependencies>[0]>().parse(first?.value));
  return optima[name]?.(data) ?? Number.NaN;
}

describe("the tasks with files", () => {
  it("are twelve, in all languages of models, with tables, a workbook and JSON", () => {
    expect(names).toHaveLength(12);
    const calls = names.flatMap(callsOf);
    const languages = calls.flatMap(({ arguments: args }) => (args["language"] ? [String(args["language"])] : []));
    const inAll = ["minizinc", "ortools", "cpmpy", "z3", "asp", "pysat"];
    expect(inAll.map((each) => languages.filter((one) => one === each).length)).toEqual([4, 4, 1, 1, 1, 1]);
    const files = names.flatMap((name) => readdirSync(join(folder, name)).map((file) => file.slice(file.indexOf("."))));
    for (const ending of [".csv", ".xlsx", ".json", ".md"]) expect(files).toContain(ending);
  });

  it.each(names)("%s has a task in words, and goes from the data over a wrong model to a saved answer", (name) => {
    expect(readFileSync(join(folder, name, "task.md"), "utf8")).toMatch(/^# .+\n\n[\w`]/);
    const calls = callsOf(name);
    expect(calls[0]?.tool).toBe("read_data");
    expect(calls[1]).toMatchObject({ tool: "solve", answer: { optimal: null, checker: { status: "violated" } } });
    expect(calls.at(-1)).toMatchObject({
      tool: "get_solution",
      arguments: { save: expect.stringMatching(/^\w+\/\w+\.\w+$/) },
    });
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(`(${name}/task.md)`);
  });
});

const directory = scratchDirectory();

describe.skipIf(!has_python)("a task on a real server", { timeout: 200_000 }, () => {
  let server: Connection;
  let http: HttpServer;
  beforeAll(async () => {
    cpSync(folder, directory, { recursive: true });
    const env = { VERDICT_DATA: await pythonData(), VERDICT_HANDOVER_MS: "0" };
    await pythonData("cp");
    server = await connect({ env, args: ["serve", "--data-dir", directory] });
    http = await serveHttp(["--data-dir", directory], env);
  }, real_setup_ms_max);
  afterAll(async () => {
    await server?.close();
    await http?.end();
  });

  it.each(names.filter((name) => runs_all || !long.includes(name)))(
    "%s: the checker finds the wrong model, and the right one has the best value",
    async (name) => {
      let best: unknown;
      for (const { tool, arguments: args, answer } of callsOf(name)) {
        const reply = await called(server.client, tool, args);
        expect(reply).toMatchObject(answer);
        if (answer["optimal"] === null) expect(reply["violations"]).not.toEqual([]);
        best =
          reply["objective_value"] ?? z.object({ number: z.number() }).safeParse(reply["count"]).data?.number ?? best;
        if (args["save"] !== undefined) {
          const saved = join(directory, String(args["save"]));
          expect(existsSync(saved)).toBe(true);
          if (saved.endsWith(".json")) expect(JSON.parse(readFileSync(saved, "utf8"))).toEqual(reply["value"]);
        }
      }
      expect(Number(best)).toBeCloseTo(await optimumOf(name, server.client), 6);
    },
  );

  it.each(["rooms", "logic_puzzle"])("%s: the same over HTTP, which saves nothing", async (name) => {
    const client = await connectHttp(http.url, "auto");
    for (const { tool, arguments: args, answer } of callsOf(name)) {
      const reply = await called(client, tool, args);
      expect(reply).toMatchObject(args["save"] === undefined ? answer : { status: "error", code: "forbidden" });
    }
    await client.close();
  });
});
