import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { job_limits } from "../../src/jobs/limits.ts";
import { FAULT_CODES } from "../../src/kernel/fault.ts";
import { toolset_names } from "../../src/tools/index.ts";
import { connect } from "../support/client.ts";
import { all_toolsets } from "../support/every_tool.ts";
import { fixture } from "../support/fixture.ts";
import { all_languages } from "../support/language_fixtures.ts";
import { oddPlaces } from "../support/odd_schemas.ts";

/** What a client sees of the server, frozen as literals: a change here is a change for users. */
describe.each(["legacy", "auto"] as const)("the surface, to a client that opens as %s", (era) => {
  const server = fixture(() => connect({ era }));

  it("speaks the protocol of that era", () => {
    const version = { legacy: "2025-11-25", auto: "2026-07-28" }[era];
    expect(server.client.getNegotiatedProtocolVersion()).toBe(version);
  });

  it("names itself with the version of the package", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(server.client.getServerVersion()).toEqual({ name: "verdict", title: "Verdict", version });
  });

  it("offers exactly these tools, with these schemas", async () => {
    const { tools } = await server.client.listTools();
    expect(tools).toMatchSnapshot();
    expect(tools.map((tool) => tool.name)).toEqual([
      "solve_smtlib",
      "solve",
      "clear_model",
      "add_item",
      "delete_item",
      "replace_item",
      "get_model",
      "solve_model",
      "check_plan",
      "get_solution",
      "get_solve_time",
      "compare_models",
      "read_data",
      "symbolic_check",
      "find_path_to_exception",
      "compare_functions",
      "analyze_branches",
      "start_job",
      "get_job",
      "cancel_job",
      "list_jobs",
    ]);
  });

  it("costs less than 3,600 tokens to list", async () => {
    const { tools } = await server.client.listTools();
    expect(JSON.stringify(tools).length / 4, "shorten a description of a tool or field").toBeLessThan(3600);
  });

  it("leaves room in that for the names of more languages and solvers", async () => {
    const { tools } = await server.client.listTools();
    const text = JSON.stringify(tools);
    const [solvers = ""] = /"auto"[^\]]*/.exec(text) ?? [];
    const names = [solvers, ...all_languages].join(", ");
    expect(solvers).toContain("cvc5");
    expect(text).toContain(all_languages.join(", "));
    expect((text.length - names.length) / 4, "shorten a description of a tool or field").toBeLessThan(3560);
  });

  it("offers exactly these resources and prompts", async () => {
    const { resources } = await server.client.listResources();
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toMatchSnapshot();
    const { prompts } = await server.client.listPrompts();
    expect(prompts.map(({ name, arguments: args }) => [name, args?.map((arg) => arg.name)])).toEqual([
      ["instructions", ["language"]],
      ["solve_problem", ["problem", "language"]],
      ["review_solution", ["problem", "model", "solution", "language"]],
    ]);
  });
});

it("the fault codes are this closed list", () => {
  expect(FAULT_CODES).toEqual([
    "invalid_argument",
    "syntax_error",
    "input_rejected",
    "forbidden",
    "engine_missing",
    "engine_failed",
    "engines_disagree",
    "busy",
    "cancelled",
    "internal",
    "daemon_down",
    "timeout",
    "invalid_input",
  ]);
});

describe("the listing of every toolset", () => {
  const server = fixture(() => connect({ args: all_toolsets }));

  it.each([
    ["src/command_line.ts", ", "],
    ["README.md", ","],
    ["scripts/docs.mjs", ","],
    ["docs/command_line.md", ","],
  ])("is named whole in %s", (file, separator) => {
    expect(readFileSync(file, "utf8")).toContain(toolset_names.join(separator));
  });

  it("has default time limits that end before the hand-over: a call without one gets its own answer", async () => {
    const { tools } = await server.client.listTools();
    const defaults = tools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).flatMap(([field, schema]) => {
        if (!/^timeout_/.test(field)) return [];
        const { default: given } = z.object({ default: z.number() }).parse(schema);
        return [{ name, ms: field === "timeout_ms" ? given : given * 1000 }];
      }),
    );
    expect(defaults.length).toBeGreaterThan(5);
    expect(defaults.filter(({ ms }) => ms > job_limits.handover_ms_default - 5_000)).toEqual([]);
  });

  it("has each tool on one of the two generated pages", async () => {
    const pages = ["docs/tools.md", "docs/optional_tools.md"].map((file) => readFileSync(file, "utf8")).join("\n");
    const { tools } = await server.client.listTools();
    const described = [...pages.matchAll(/^## `(\w+)`/gm)].map(([, name]) => name);
    expect(described.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it("has schemas that every reader takes, down to the last place", async () => {
    const { tools } = await server.client.listTools();
    expect(tools.length).toBe(28);
    const odd = tools.flatMap(({ name, inputSchema, outputSchema }) => oddPlaces({ inputSchema, outputSchema }, name));
    expect(odd).toEqual([]);
  });

  it.each([
    [{ type: "array", items: {} }],
    [{ anyOf: [{ type: "array", items: {} }, { type: "string" }] }],
    [{ type: ["number", "string"] }],
    [{ enum: ["a", "b"] }],
    [{ type: "object", additionalProperties: {} }],
  ])("is not odd in a property called items: %j would be", (schema) => {
    expect(oddPlaces({ input: { type: "object", properties: { items: schema } } }, "tool")).toHaveLength(1);
  });
});
