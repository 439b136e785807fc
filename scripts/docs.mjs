// Writes docs/tools.md, docs/optional_tools.md and the README's tool table from what the built server says of itself, the lists of
// languages and guides from the guides, and the package's name in the README, and the manifests of registries and clients, from package.json.
// With --check it writes nothing, and fails when they are out of date.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { guides } from "./guides.mjs";
import { installLinks } from "./links.mjs";
import { manifests } from "./manifests.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** The listing of the server with these flags. */
async function listing(...flags) {
  const client = new Client({ name: "docs", version: "0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ["dist/cli.mjs", ...flags], env: { ...process.env } }),
  );
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  await client.close();
  const tools = JSON.parse(execFileSync(process.execPath, ["dist/cli.mjs", "schemas", ...flags], { encoding: "utf8" }));
  return { tools, resources, prompts };
}

const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ");

const named = (others) => (others ? (others.type === "number" ? "numbers" : "texts") : "values");

function typeOf(schema) {
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === undefined && !schema.enum) return "any JSON";
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items)}`;
  if (schema.type === "object" && schema.properties) return `{ ${Object.keys(schema.properties).join(", ")} }`;
  if (schema.type === "object") return `object of ${named(schema.additionalProperties)} by name`;
  const range = schema.minimum === undefined ? "" : ` ${schema.minimum}…${schema.maximum ?? ""}`;
  return `${schema.type}${range}${schema.default === undefined || schema.default === "" ? "" : `, default ${schema.default}`}`;
}

/** Whether a field is always there: of arguments, whether it is required. */
const presence = { argument: ["required", "yes", "no"], answer: ["present", "always", "sometimes"] };

function fields(schema, of) {
  const [title, always, sometimes] = presence[of];
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties).map(
    ([name, field]) =>
      `| \`${name}\` | ${cell(typeOf(field))} | ${required.has(name) ? always : sometimes} | ${cell(field.description ?? "")} |`,
  );
  return [`| field | type | ${title} | meaning |`, "|---|---|---|---|", ...rows].join("\n");
}

function hints({ readOnlyHint: reads, destructiveHint: destroys, idempotentHint: repeats, openWorldHint: open }) {
  // What a listing leaves out has these meanings in MCP.
  const [destructive, idempotent] = reads ? [false, true] : [destroys ?? true, repeats ?? false];
  return `read-only: ${reads ?? false}, destructive: ${destructive}, idempotent: ${idempotent}, open world: ${open ?? true}`;
}

function toolPart({ name, title, description, inputSchema, outputSchema, annotations }) {
  return `## \`${name}\`: ${title}\n\n${description}\n\n(${hints(annotations)})\n\n### In\n\n${fields(inputSchema, "argument")}\n\n### Out\n\n${fields(outputSchema, "answer")}\n`;
}

const written = "<!-- Written by scripts/docs.mjs from the running server: change the tool, not this page. -->";

function optionalPage({ tools, resources }) {
  return [
    "# Tools that are not offered by default",
    written,
    "A server offers these tools if `--tools` names their toolsets when the server starts: `--tools smtlib,model,symbolic,lean,memo,jobs` offers all tools.",
    "Faults have the form described in [tools.md](tools.md), with one difference: for `daemon_down`, `timeout` and `invalid_input`, the faults of the Lean tools also have this code as their `status`, and their first step as `suggestion`.",
    ...tools.map(toolPart),
    `## Resources\n\n${resources.map(({ uri, title }) => `- \`${uri}\`: ${title}`).join("\n")}`,
  ].join("\n\n");
}

function toolPage({ tools, resources, prompts }) {
  return [
    "# Tools, resources, prompts",
    written,
    'A fault has `isError: true` and, instead of the fields below, `{ status: "error", error, code, remedy, position? }`.',
    'A call that runs for longer than the handover time (45 s, `VERDICT_HANDOVER_MS`) returns `{ status: "running", job_id, tool, running_s, best_so_far? }` and continues as a job ([how](decisions/jobs.md)). If the handover is disabled, `timeout_ms` can be up to 600000 and `timeout_seconds` up to 600.',
    "The tools for Lean and the memo are on [a page of their own](optional_tools.md).",
    ...tools.map(toolPart),
    `## Resources\n\n${resources.map(({ uri, title }) => `- \`${uri}\`: ${title}`).join("\n")}`,
    `## Prompts\n\n${prompts.map(({ name, description, arguments: args }) => `- \`${name}\` (${(args ?? []).map((arg) => arg.name).join(", ")}): ${description}`).join("\n")}`,
  ].join("\n\n");
}

function toolTable({ tools }) {
  const first = (text) => text.split(/(?<=\.) /)[0];
  const rows = tools.map(
    ({ name, description, inputSchema }) =>
      `| \`${name}\` | ${cell(first(description))} | ${Object.keys(inputSchema.properties)
        .map((arg) => `\`${arg}\``)
        .join(", ")} |`,
  );
  return ["| tool | does | takes |", "|---|---|---|", ...rows].join("\n");
}

/** The text with its generated part, which is between two comments with this name. */
function withPart(text, name, part) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest = ""] = text.split(start);
  return `${before}${start}\n${part}\n${end}${rest.split(end)[1] ?? ""}`;
}

/** By what a file shows its language; a language whose items are Python needs no entry. */
const shown_by = { minizinc: "`.mzn`, `.fzn`", asp: "`.lp`, `.asp`", smtlib: "`.smt2`, `.smt`" };
/** Formats of other solvers that such a language reads. */
const reads = {
  cpmpy: "; JSPLIB, PSPLIB",
  ortools: "; `.mps`, `.lp` (CPLEX), `.opb`, `.wbo`",
  pysat: "; `.cnf`, `.wcnf`",
};

function languageTable() {
  const is_language = ({ name, file }) => name === "smtlib" || file.startsWith("src/tools/model/languages/");
  const rows = guides()
    .filter(is_language)
    .map(
      ({ name, file, subject }) =>
        `| \`${name}\` | ${shown_by[name] ?? `\`.py\`, by its import of \`${name}\`${reads[name] ?? ""}`} | [${subject}](../${file}) |`,
    );
  return ["| language | file | guide |", "|---|---|---|", ...rows].join("\n");
}

const guideList = () =>
  guides()
    .map(({ subject, file }) => `[${subject}](../${file})`)
    .join(" ·\n");

/** Only package.json has the package's name; the argument of npx is derived from it. */
function withPackageName(readme) {
  const { name } = JSON.parse(readFileSync("package.json", "utf8"));
  return readme.replaceAll(/(npx -y |"-y", ")(@[\w-]+\/)?[\w-]+/g, (_, before) => before + name);
}

const found = await listing();
const readme = withPackageName(readFileSync("README.md", "utf8"));
const pages = {
  "docs/tools.md": `${toolPage(found)}\n`,
  "docs/optional_tools.md": `${optionalPage(await listing("--tools", "lean,memo"))}\n`,
  "docs/command_line.md": withPart(readFileSync("docs/command_line.md", "utf8"), "languages", languageTable()),
  "docs/README.md": withPart(readFileSync("docs/README.md", "utf8"), "guides", guideList()),
  "README.md": withPart(
    withPart(
      readme,
      "links",
      installLinks()
        .map(({ markdown }) => markdown)
        .join(" · "),
    ),
    "tools",
    toolTable(found),
  ),
  ...Object.fromEntries(
    Object.entries(manifests()).map(([file, value]) => [file, `${JSON.stringify(value, null, 2)}\n`]),
  ),
};
const check = process.argv.includes("--check");
for (const [file, text] of Object.entries(pages)) {
  let current = "";
  try {
    current = readFileSync(file, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  if (current === text) continue;
  if (check) {
    console.error(`${file} is out of date: run \`npm run docs\`.`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
