import { describe, expect, it } from "vitest";
import { clients, filesOf, usualFile } from "../../../src/commands/install/clients.ts";
import { difference } from "../../../src/commands/install/difference.ts";
import type { Machine } from "../../../src/commands/install/machine.ts";
import { byNpx } from "../../../src/commands/install/server_entry.ts";

type Variables = Machine["variables"];
const none: Variables = {
  XDG_CONFIG_HOME: undefined,
  APPDATA: undefined,
  LOCALAPPDATA: undefined,
  CODEX_HOME: undefined,
};
const windows = { APPDATA: "C:\\Users\\me\\AppData\\Roaming", LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local" };

function machine(platform: NodeJS.Platform, paths: readonly string[], variables: Partial<Variables> = {}): Machine {
  const [home, separator] = platform === "win32" ? ["C:\\Users\\me", "\\"] : ["/home/me", "/"];
  const below = (directory: string) => paths.filter((path) => path.startsWith(directory + separator));
  return {
    platform,
    home,
    variables: { ...none, ...variables },
    exists: (path) => paths.includes(path) || below(path).length > 0,
    names: (directory) => [
      ...new Set(below(directory).map((path) => path.slice(directory.length + 1).split(separator)[0] ?? "")),
    ],
  };
}

function found(at: Machine): Record<string, readonly string[]> {
  return Object.fromEntries(
    clients.map((client) => [client.id, filesOf(client, at)]).filter(([, files]) => files?.length),
  );
}

describe("where clients keep their servers", () => {
  const usual = (at: Machine) => Object.fromEntries(clients.map((client) => [client.id, usualFile(client, at)]));

  it("on Linux", () => {
    expect(usual(machine("linux", []))).toEqual({
      "claude-desktop": "/home/me/.config/Claude/claude_desktop_config.json",
      "claude-code": "/home/me/.claude.json",
      cursor: "/home/me/.cursor/mcp.json",
      vscode: "/home/me/.config/Code/User/mcp.json",
      codex: "/home/me/.codex/config.toml",
      gemini: "/home/me/.gemini/settings.json",
      windsurf: "/home/me/.codeium/windsurf/mcp_config.json",
      zed: "/home/me/.config/zed/settings.json",
      cline: "/home/me/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
      "copilot-cli": "/home/me/.copilot/mcp-config.json",
    });
  });

  it("on macOS", () => {
    expect(usual(machine("darwin", []))).toMatchObject({
      "claude-desktop": "/home/me/Library/Application Support/Claude/claude_desktop_config.json",
      vscode: "/home/me/Library/Application Support/Code/User/mcp.json",
      zed: "/home/me/.config/zed/settings.json",
      codex: "/home/me/.codex/config.toml",
    });
  });

  it("on Windows", () => {
    expect(usual(machine("win32", [], windows))).toMatchObject({
      "claude-desktop": "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
      "claude-code": "C:\\Users\\me\\.claude.json",
      vscode: "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
      zed: "C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json",
    });
    expect(usual(machine("win32", []))).toMatchObject({
      vscode: "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
    });
  });

  it("finds those that are there, by their folders", () => {
    expect(found(machine("linux", []))).toEqual({});
    expect(found(machine("linux", ["/home/me/.claude/settings.json", "/home/me/.cursor/argv.json"]))).toEqual({
      "claude-code": ["/home/me/.claude.json"],
      cursor: ["/home/me/.cursor/mcp.json"],
    });
  });

  it("prefers the folder of Microsoft's store for Claude Desktop on Windows", () => {
    const store = `${windows.LOCALAPPDATA}\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude`;
    const both = [`${store}\\config.json`, `${windows.APPDATA}\\Claude\\config.json`];
    expect(found(machine("win32", both, windows))).toEqual({
      "claude-desktop": [`${store}\\claude_desktop_config.json`],
    });
    expect(found(machine("win32", both.slice(1), windows))).toEqual({
      "claude-desktop": [`${windows.APPDATA}\\Claude\\claude_desktop_config.json`],
    });
  });

  it("writes both folders of Windsurf and Devin Desktop where both are there", () => {
    const both = ["/home/me/.config/devin/x", "/home/me/.codeium/windsurf/x"];
    expect(found(machine("linux", both))).toEqual({
      windsurf: ["/home/me/.config/devin/mcp_config.json", "/home/me/.codeium/windsurf/mcp_config.json"],
    });
  });

  it("follows the variables that name other places", () => {
    const variables = { XDG_CONFIG_HOME: "/conf", CODEX_HOME: "/codex" };
    expect(found(machine("linux", ["/conf/zed/x", "/codex/x", "/home/me/.codex/x"], variables))).toEqual({
      zed: ["/conf/zed/settings.json"],
      codex: ["/codex/config.toml"],
    });
  });

  it("starts npx through cmd on Windows", () => {
    expect(byNpx("win32")).toEqual({ command: "cmd", args: ["/c", "npx", "-y", "@verdict-mcp/verdict"] });
    expect(byNpx("darwin")).toEqual({ command: "npx", args: ["-y", "@verdict-mcp/verdict"] });
  });
});

describe("the difference", () => {
  it("shows a change with the lines around it", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n";
    expect(difference("f", before, before.replace("5\n", "five\nsix\n")).split("\n")).toEqual([
      ...["--- f", "+++ f", "@@ -2,7 +2,8 @@"],
      ...[" 2", " 3", " 4", "-5", "+five", "+six", " 6", " 7", " 8"],
    ]);
    expect(difference("f", "", "a\n")).toBe("--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a");
  });
});
