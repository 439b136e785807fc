// The manifests by which registries and clients know the package. All say what package.json says; scripts/docs.mjs writes
// them, and fails with --check where one is out of date.
import { readFileSync } from "node:fs";

const { name, mcpName, version, description, license, homepage, repository, bugs, keywords } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const url = repository.url.replace(/^git\+|\.git$/g, "");
const author = { name: "The Verdict developers", url };
/** A registry takes at most 100 characters. */
const short = "Lets a language model decide instead of guess: SMT, SAT, constraints, answer sets, Python proofs.";
const by_npx = { command: "npx", args: ["-y", name] };
const plugin = { name: "verdict", version, description: short };
const place = "./plugins/verdict";

/** Each manifest of the repository, by its path. */
export function manifests() {
  const full = { ...plugin, author, homepage, repository: url, license, keywords };
  return {
    "server.json": registryEntry(),
    ".claude-plugin/marketplace.json": { ...market({ source: place }), description: short },
    "plugins/verdict/.claude-plugin/plugin.json": full,
    ".cursor-plugin/marketplace.json": market({ source: place }),
    "plugins/verdict/.cursor-plugin/plugin.json": { ...full, displayName: "Verdict" },
    ".agents/plugins/marketplace.json": codexMarket(),
    "plugins/verdict/.codex-plugin/plugin.json": codexPlugin(full),
    "plugins/verdict/.mcp.json": { mcpServers: { verdict: by_npx } },
    "gemini-extension.json": {
      ...{ name: "verdict", version, description: short, mcpServers: { verdict: by_npx } },
      contextFileName: "plugins/verdict/skills/verdict/SKILL.md",
    },
  };
}

/** The entry in the registry of MCP servers. */
function registryEntry() {
  const variables = {
    VERDICT_TOOLS: "Toolsets to offer, of: smtlib, model, symbolic, lean, memo, jobs",
    VERDICT_PYTHON: "The CPython 3.10 to 3.14 to make the private Python environment from",
    VERDICT_HANDOVER_MS: "After so many ms a call that still runs becomes a job; 0: never",
  };
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ...{ name: mcpName, title: "Verdict", description: short, version, websiteUrl: homepage },
    repository: { url, source: "github" },
    packages: [
      {
        ...{ registryType: "npm", identifier: name, version, runtimeHint: "npx", transport: { type: "stdio" } },
        environmentVariables: Object.entries(variables).map(([variable, meaning]) => ({
          ...{ name: variable, description: meaning, isRequired: false },
        })),
      },
    ],
  };
}

function market(where) {
  return { name: "verdict", owner: author, plugins: [{ ...plugin, ...where }] };
}

function codexMarket() {
  const policy = { installation: "AVAILABLE", authentication: "ON_INSTALL" };
  const source = { source: "local", path: place };
  return {
    name: "verdict",
    interface: { displayName: "Verdict" },
    plugins: [{ name: "verdict", source, policy, category: "Developer Tools" }],
  };
}

function codexPlugin(full) {
  return {
    ...full,
    skills: "./skills/",
    mcpServers: "./.mcp.json",
    interface: {
      displayName: "Verdict",
      shortDescription: short,
      developerName: author.name,
      category: "Developer Tools",
    },
  };
}

/** The manifest of the bundle for Claude Desktop, with the tools that the server lists. */
export function bundleManifest(tools) {
  return {
    manifest_version: "0.3",
    ...{ name: "verdict", display_name: "Verdict", version, description: short, long_description: description },
    ...{ author, repository: { type: "git", url: repository.url }, homepage, documentation: homepage, support: bugs },
    server: {
      type: "node",
      entry_point: "server/cli.mjs",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in.
      mcp_config: { command: "node", args: ["${__dirname}/server/cli.mjs", "serve"], env: {} },
    },
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description.split(/(?<=\.) /)[0] })),
    ...{ keywords, license },
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=20.19.0" } },
  };
}
