import { inConfig, inHome, inSettings, joined, type Machine } from "./machine.ts";

/** A configuration file, and the path whose existence shows that the client is installed. */
export interface Place {
  readonly file: string;
  readonly sign: string;
}

/** An MCP client: where and in which format it stores its servers. */
export interface Client {
  readonly id: string;
  readonly title: string;
  /** `jsonc` may contain comments and trailing commas. */
  readonly format: "json" | "jsonc" | "toml";
  /** The key of the object that maps server names to servers. */
  readonly key: string;
  /** Additional fields of a server entry, besides its command and arguments. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The places where the client can store its servers; the usual one comes last. */
  places(machine: Machine): readonly Place[];
  /** Which places are written if several exist; by default, only the first one. */
  readonly writes?: "each";
  /** How to add the server manually. */
  readonly by_hand: string;
}

const in_a_file = "add the server to this file by hand (docs/install.md shows the lines)";

/** All supported clients. */
export const clients: readonly Client[] = [
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    places: (machine) =>
      [...storeFolders(machine), inSettings(machine, "Claude")].map((each) =>
        inFolder(machine, each, "claude_desktop_config.json"),
      ),
    by_hand: "open Settings, Developer, Edit Config in Claude Desktop",
  },
  {
    id: "claude-code",
    title: "Claude Code",
    format: "json",
    key: "mcpServers",
    places: (machine) => {
      const file = inHome(machine, ".claude.json");
      return [
        { file, sign: file },
        { file, sign: inHome(machine, ".claude") },
      ];
    },
    by_hand: "run: claude mcp add verdict -- COMMAND",
  },
  {
    id: "cursor",
    title: "Cursor",
    format: "jsonc",
    key: "mcpServers",
    places: (machine) => [inFolder(machine, inHome(machine, ".cursor"), "mcp.json")],
    by_hand: in_a_file,
  },
  {
    id: "vscode",
    title: "VS Code",
    format: "jsonc",
    key: "servers",
    places: (machine) => [inFolder(machine, inSettings(machine, "Code", "User"), "mcp.json")],
    by_hand: "run the command `MCP: Open User Configuration` in VS Code",
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    key: "mcp_servers",
    places: (machine) => [inFolder(machine, machine.variables.CODEX_HOME ?? inHome(machine, ".codex"), "config.toml")],
    by_hand: "run: codex mcp add verdict -- COMMAND",
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    format: "jsonc",
    key: "mcpServers",
    places: (machine) => [inFolder(machine, inHome(machine, ".gemini"), "settings.json")],
    by_hand: in_a_file,
  },
  {
    id: "windsurf",
    title: "Windsurf (Devin Desktop)",
    format: "json",
    key: "mcpServers",
    // These are the client's new and old folder names; sources disagree on which one it reads.
    writes: "each",
    places: (machine) => [
      inFolder(
        machine,
        machine.platform === "win32" ? inSettings(machine, "devin") : inConfig(machine, "devin"),
        "mcp_config.json",
      ),
      inFolder(machine, inHome(machine, ".codeium", "windsurf"), "mcp_config.json"),
    ],
    by_hand: in_a_file,
  },
  {
    id: "zed",
    title: "Zed",
    format: "jsonc",
    key: "context_servers",
    fields: { source: "custom", env: {} },
    places: (machine) => [
      inFolder(
        machine,
        machine.platform === "win32" ? inSettings(machine, "Zed") : inConfig(machine, "zed"),
        "settings.json",
      ),
    ],
    by_hand: "run the command `zed: open settings` in Zed",
  },
  {
    id: "cline",
    title: "Cline",
    format: "json",
    key: "mcpServers",
    fields: { disabled: false },
    places: (machine) => {
      const sign = inSettings(machine, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
      return [{ file: joined(machine, sign, "settings", "cline_mcp_settings.json"), sign }];
    },
    by_hand: in_a_file,
  },
  {
    id: "copilot-cli",
    title: "Copilot CLI",
    format: "json",
    key: "mcpServers",
    fields: { type: "stdio", tools: ["*"] },
    places: (machine) => [inFolder(machine, inHome(machine, ".copilot"), "mcp-config.json")],
    by_hand: in_a_file,
  },
];

/** Claude Desktop from the Microsoft Store uses its own folder instead of the usual one. */
function storeFolders(machine: Machine): readonly string[] {
  const local = machine.variables.LOCALAPPDATA;
  if (machine.platform !== "win32" || local === undefined) return [];
  const packages = joined(machine, local, "Packages");
  const ours = machine.names(packages).filter((name) => name.startsWith("Claude_"));
  return ours.map((name) => joined(machine, packages, name, "LocalCache", "Roaming", "Claude"));
}

function inFolder(machine: Machine, folder: string, name: string): Place {
  return { file: joined(machine, folder, name), sign: folder };
}

/** The configuration files of a client; empty if the client is not on this machine. */
export function filesOf(client: Client, machine: Machine): readonly string[] {
  const places = client.places(machine).filter(({ sign }) => machine.exists(sign));
  const files = [...new Set(places.map(({ file }) => file))];
  return client.writes === "each" ? files : files.slice(0, 1);
}

/** The configuration file of a client that is not on this machine yet. */
export function usualFile(client: Client, machine: Machine): string {
  const last = client.places(machine).at(-1);
  if (!last) throw new Error(`${client.id} has no place`);
  return last.file;
}
