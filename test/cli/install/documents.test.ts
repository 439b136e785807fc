import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { installLinks } from "../../../scripts/links.mjs";
import { clients, usualFile } from "../../../src/commands/install/clients.ts";
import { edited } from "../../../src/commands/install/edit.ts";
import { byNpx } from "../../../src/commands/install/server_entry.ts";

const page = readFileSync("docs/install.md", "utf8").split("## By hand")[1] ?? "";
const machine = {
  platform: "linux" as const,
  home: "~",
  variables: { XDG_CONFIG_HOME: undefined, APPDATA: undefined, LOCALAPPDATA: undefined, CODEX_HOME: undefined },
  exists: () => false,
  names: () => [],
};
const blocks = [...page.matchAll(/```(json|toml)\n([^`]+)```/g)].map(([, kind, text = ""]) =>
  parsed(text, kind === "toml"),
);

function parsed(text: string, is_toml: boolean): unknown {
  // The tables of this reader have no prototype.
  return is_toml ? JSON.parse(JSON.stringify(parseToml(text))) : JSON.parse(text);
}

describe("the page on installing", () => {
  it.each(clients.map((client) => [client.id, client] as const))("names the file and key of %s", (_, client) => {
    const [row] = page
      .split("\n")
      .filter((line) => line.startsWith("|") && line.includes(client.title.split(" (")[0] ?? ""));
    expect(row).toContain(basename(usualFile(client, machine)));
    expect(row).toContain(client.key);
  });

  it("has the blocks that the command writes", () => {
    const by_npx = { kind: "add" as const, command: byNpx("linux") };
    const written = clients.map((client) => {
      const { text } = edited(client, "", by_npx);
      const wanted = parsed(text, client.format === "toml");
      return { id: client.id, same: blocks.some((block) => isDeepStrictEqual(block, wanted)) };
    });
    // Cline's entry has a switch that it sets itself.
    expect(written.filter(({ same }) => !same).map(({ id }) => id)).toEqual(["cline"]);
  });
});

describe("the links of the README", () => {
  it("add the published package", () => {
    const readme = readFileSync("README.md", "utf8");
    const links = installLinks();
    expect(links.map(({ client }) => client)).toEqual(["VS Code", "Cursor"]);
    for (const { url, markdown } of links) {
      expect(readme).toContain(markdown);
      const query = new URL(url).searchParams;
      const config = query.get("config") ?? "";
      const text = config.startsWith("{") ? config : Buffer.from(config, "base64").toString("utf8");
      expect(JSON.parse(text)).toEqual(byNpx("linux"));
      expect(query.get("name")).toBe("verdict");
    }
  });
});
