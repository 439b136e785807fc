import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clients, usualFile } from "../../../src/commands/install/clients.ts";
import { type InstallFlags, install } from "../../../src/commands/install/index.ts";
import { thisMachine } from "../../../src/commands/install/machine.ts";
import type { UserPlaces } from "../../../src/config.ts";
import { removeDirectory } from "../../support/directories.ts";

const npx = { command: "npx", args: ["-y", "@verdict-mcp/verdict"] };
const no_variables = { XDG_CONFIG_HOME: undefined, APPDATA: undefined, LOCALAPPDATA: undefined, CODEX_HOME: undefined };

/** What each client writes for itself before Verdict comes. */
const theirs: Readonly<Record<string, string>> = {
  "claude-desktop": '{\n\t"globalShortcut": "",\n\t"mcpServers": {\n\t\t"files": { "command": "files" }\n\t}\n}',
  "claude-code": '{"numStartups":7,"projects":{"/a":{"mcpServers":{}}},"mcpServers":{}}',
  cursor: '{\r\n  "mcpServers": {\r\n    "files": { "url": "https://example.org/mcp" }\r\n  }\r\n}\r\n',
  vscode:
    '// mine\n{\n    "servers": {\n        /* one */ "files": { "command": "files" }, // last\n    },\n    "inputs": [],\n}\n',
  codex:
    'model = "o" # best\n\n[mcp_servers.files]\ncommand = "files"\n\n# about profiles\n[profiles.a]\nmodel = "x"\n',
  gemini: '{ "theme": "dark" }',
  windsurf: "{}",
  zed: '{\n  // the font\n  "buffer_font_size": 15,\n}\n',
  cline: '{\n  "mcpServers": {}\n}\n',
  "copilot-cli": "",
};

/** The entry that each client is to get, where it has a form of its own. */
const forms: Readonly<Record<string, object>> = {
  zed: { ...npx, source: "custom", env: {} },
  cline: { ...npx, disabled: false },
  "copilot-cli": { ...npx, type: "stdio", tools: ["*"] },
};

let home = "";
let printed = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "verdict-home-"));
  printed = "";
  const print = (text: string) => {
    printed += `${text}\n`;
  };
  vi.spyOn(console, "log").mockImplementation(print);
  vi.spyOn(console, "error").mockImplementation(print);
});
afterEach(() => {
  vi.restoreAllMocks();
  removeDirectory(home);
});

function places(platform: NodeJS.Platform = "linux"): UserPlaces {
  return { platform, home, variables: no_variables };
}

function run(flags: InstallFlags, platform: NodeJS.Platform = "linux"): Promise<number> {
  const program = "/usr/lib/node_modules/@verdict-mcp/verdict/dist/cli.mjs";
  return install({ places: places(platform), node: "/usr/bin/node", program }, flags);
}

function client(id: string) {
  const match = clients.find((each) => each.id === id);
  if (!match) throw new Error(`no client ${id}`);
  return match;
}

function fileOf(id: string, platform: NodeJS.Platform = "linux"): string {
  return usualFile(client(id), thisMachine(places(platform)));
}

function put(id: string, text: string): string {
  const file = fileOf(id);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o640 });
  return file;
}

function entryIn(id: string, text: string): unknown {
  const tree: Record<string, Record<string, unknown>> = client(id).format === "toml"
    ? JSON.parse(JSON.stringify(parseToml(text)))
    : parseJsonc(text);
  return tree[client(id).key]?.["verdict"];
}

describe.each(clients.map(({ id }) => id))("verdict install --client %s", (id) => {
  it.each(["linux", "darwin"] as const)("makes the file where there is none (%s)", async (platform) => {
    expect(await run({ client: [id] }, platform)).toBe(0);
    const file = fileOf(id, platform);
    expect(entryIn(id, readFileSync(file, "utf8"))).toEqual(forms[id] ?? npx);
    expect(printed).toContain("a new file");
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it("adds to what is there, keeps a copy, does nothing the second time, and takes it out again", async () => {
    const before = theirs[id] ?? "";
    const file = put(id, before);
    expect(await run({})).toBe(0);
    const after = readFileSync(file, "utf8");
    expect(entryIn(id, after)).toEqual(forms[id] ?? npx);
    for (const word of before.match(/[\w/*#"]+/g) ?? []) expect(after).toContain(word);
    expect(after.includes("\r\n")).toBe(before.includes("\r\n"));
    expect(after.replaceAll("\r\n", "").includes("\r")).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const copies = readdirSync(dirname(file)).filter((name) => name.endsWith(".bak"));
    expect(copies.map((name) => readFileSync(join(dirname(file), name), "utf8"))).toEqual([before]);

    expect(await run({})).toBe(0);
    expect(printed).toContain("is already configured");
    expect(readFileSync(file, "utf8")).toBe(after);
    for (const name of copies) rmSync(join(dirname(file), name));

    expect(await run({ uninstall: true })).toBe(0);
    const without = readFileSync(file, "utf8");
    expect(entryIn(id, without)).toBeUndefined();
    expect(without.replaceAll(/\s/g, "")).toContain(before.replaceAll(/\s|[{},]+\s*$/g, ""));
  });

  it("leaves a file alone that it can't read", async () => {
    const broken = client(id).format === "toml" ? 'model = "o\n' : '{ "mcpServers": {\n  "files": ]\n}';
    const file = put(id, broken);
    expect(await run({})).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(broken);
    expect(readdirSync(dirname(file))).toHaveLength(1);
    expect(printed).toMatch(/✗ .*the file was left as it is: line [12], column \d+/);
    expect(printed).toContain("What to do: (1)");
  });

  it("writes nothing with --dry-run, and shows what it would write", async () => {
    const file = put(id, theirs[id] ?? "");
    expect(await run({ dryRun: true })).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(theirs[id]);
    expect(readdirSync(dirname(file))).toHaveLength(1);
    expect(printed).toMatch(/^--- .*\n\+\+\+ ~\/.*\n@@ -\d+,\d+ \+\d+,\d+ @@$/m);
    expect(printed).toMatch(/^\+.*@verdict-mcp\/verdict/m);
  });
});

describe("verdict install", () => {
  it("says which clients it knows where it finds none, or another one is named", async () => {
    expect(await run({})).toBe(2);
    expect(printed).toContain("claude-desktop|claude-code|cursor|vscode|codex|gemini|windsurf|zed|cline|copilot-cli");
    expect(await run({ client: ["curser"] })).toBe(2);
    expect(printed).toContain("write cursor if you meant that");
    expect(readdirSync(home)).toEqual([]);
  });

  it("writes all clients that are there, though one of them is refused", async () => {
    for (const { id } of clients) put(id, theirs[id] ?? "");
    writeFileSync(fileOf("gemini"), "{,}");
    expect(await run({})).toBe(1);
    expect(printed.match(/^✓ /gm)).toHaveLength(clients.length - 1);
    expect(printed.match(/^✗ /gm)).toHaveLength(1);
  });

  it("replaces the command of an older entry of its own, and keeps what the user added to it", async () => {
    const old = { command: "node", args: ["/old/verdict/dist/cli.mjs"], env: { VERDICT_Z3: "wasm" } };
    const file = put("cursor", `{ "mcpServers": { "verdict": ${JSON.stringify(old)} } }`);
    const toml = put(
      "codex",
      '[mcp_servers.verdict]\nargs = [\n  "/old/verdict/dist/cli.mjs",\n]\ncommand = "node"\ntool_timeout_sec = 90 # long\n[mcp_servers.verdict.env]\nA = "1"\n',
    );
    expect(await run({})).toBe(0);
    expect(entryIn("cursor", readFileSync(file, "utf8"))).toEqual({ ...old, ...npx });
    const text = readFileSync(toml, "utf8");
    expect(entryIn("codex", text)).toEqual({ ...npx, tool_timeout_sec: 90, env: { A: "1" } });
    expect(text).toContain("# long");
  });

  it("leaves further arguments of its own entry alone", async () => {
    const text = `{"mcpServers":{"verdict":{"command":"npx","args":["-y","@verdict-mcp/verdict","--tools","smtlib"]}}}`;
    const file = put("cursor", text);
    expect(await run({})).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it.each([
    ["another server of this name", "cursor", '{"mcpServers":{"verdict":{"command":"judge"}}}', "another server named"],
    ["servers that are no object", "cursor", '{"mcpServers":[]}', '"mcpServers" is not an object'],
    ["a list", "gemini", "[]", "it is not an object"],
    ["comments where the client reads none", "cline", "{} // mine", "line 1, column 4"],
    ["bytes that are not text", "cursor", "\uFFFD", "column 1"],
    ["an inline table", "codex", 'mcp_servers = { a = { command = "a" } }\n', "can't be changed"],
    ["a key that is there twice", "cursor", '{"mcpServers":{},"mcpServers":{"a":{"command":"a"}}}', "can't be changed"],
  ])("leaves a file with %s as it is", async (_, id, text, words) => {
    const file = put(id, text);
    expect(await run({})).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(printed).toContain(words);
  });

  it("writes the file that a link points to, and refuses a link to nothing", async () => {
    const file = put("cursor", "{}");
    const real = join(home, "dotfiles.json");
    rmSync(file);
    symlinkSync(real, file);
    expect(await run({})).toBe(1);
    expect(printed).toContain("a link to a file that does not exist");
    writeFileSync(real, "{}");
    expect(await run({})).toBe(0);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(entryIn("cursor", readFileSync(real, "utf8"))).toEqual(npx);
    expect(readdirSync(home).filter((name) => name.endsWith(".bak"))).toHaveLength(1);
  });

  it("names the program itself where it runs from a clone, and as --by says", async () => {
    const clone = { places: places(), node: "/usr/bin/node", program: "/home/me/verdict/dist/cli.mjs" };
    expect(await install(clone, { client: ["cursor"] })).toBe(0);
    const here = { command: "/usr/bin/node", args: ["/home/me/verdict/dist/cli.mjs"] };
    expect(entryIn("cursor", readFileSync(fileOf("cursor"), "utf8"))).toEqual(here);
    expect(await install(clone, { by: "npx" })).toBe(0);
    expect(entryIn("cursor", readFileSync(fileOf("cursor"), "utf8"))).toEqual(npx);
    expect(await install(clone, { by: "uvx" })).toBe(2);
  });
});
