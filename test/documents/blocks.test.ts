import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { blocksOf } from "../../scripts/markdown.mjs";
import { cli, connect } from "../support/client.ts";
import { command } from "../support/command_line.ts";
import { scratchDirectory } from "../support/directories.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";
import { not_run, other_blocks, runs } from "./commands.ts";
import { dialoguesOf } from "./dialogues.ts";

/** Every fenced block of the README and of docs/. Those of examples/ and of the guides have tests of their own. */
const blocks = ["README.md", ...readdirSync("docs").map((file) => `docs/${file}`)]
  .filter((file) => file.endsWith(".md"))
  .flatMap((file) => blocksOf(readFileSync(file, "utf8")).map((block) => ({ ...block, file })));

/** The commands of a block: lines without their comments, those that end with a backslash or a bar joined to the next. */
function linesOf(text: string): string[] {
  return text
    .replaceAll(/ \\\n\s*/g, " ")
    .replaceAll(/\|\n\s*/g, "| ")
    .split("\n")
    .map((line) =>
      line
        .replace(/(^|\s+)# .*/, "")
        .replace("node dist/cli.mjs", "verdict")
        .trim(),
    )
    .filter((line) => line !== "");
}
const lines = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ file, text }) => linesOf(text).map((line) => ({ file, line })));

const isNotRun = (line: string) => not_run.some(([pattern]) => new RegExp(`^(?:${pattern.source})$`).test(line));

describe("every block of the documents", () => {
  it("is of a kind that is tested, or has a reason", () => {
    const kinds = new Set(
      blocks.flatMap(({ file, language, text }) => {
        const tested = language === "sh" || language === "json" || (language === "text" && isTested(text));
        return tested ? [] : [`${file} ${language}`];
      }),
    );
    expect([...kinds].toSorted()).toEqual(Object.keys(other_blocks).toSorted());
    const named = Object.values(other_blocks).flatMap((why) => why.match(/test\/[\w/]+\.test\.ts/g) ?? []);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it("of commands is run, or has a reason, line by line", () => {
    expect(lines.length).toBeGreaterThan(50);
    const known = new Set(runs.map(({ line }) => line));
    expect(lines.filter(({ line }) => known.has(line) === isNotRun(line))).toEqual([]);
  });

  it("is meant by the lists of commands: none is left over", () => {
    const prose = readFileSync("README.md", "utf8");
    const shown = lines.map(({ line }) => line);
    expect(runs.filter(({ line }) => !shown.includes(line) && !prose.includes(`\`${line}\``))).toEqual([]);
    const idle = not_run.filter(([pattern]) => !shown.some((line) => new RegExp(`^(?:${pattern.source})$`).test(line)));
    expect(idle).toEqual([]);
  });

  it("names commands and flags that there are", async () => {
    const used = lines.flatMap(({ line }) =>
      [...line.matchAll(/(?:^|&& |\| |\d |verdict )verdict ([a-z-]+)([^|&]*)/g)].flatMap(([, name = "", rest = ""]) =>
        [...rest.matchAll(/(?:^|\s)(--[a-z-]+)/g)].map(([, flag = ""]) => ({ name, flag })),
      ),
    );
    expect(used.length).toBeGreaterThan(30);
    const help = new Map<string, string>();
    for (const name of new Set(used.map(({ name }) => name))) help.set(name, (await command(["help", name])).stdout);
    expect(used.filter(({ name, flag }) => !new RegExp(`${flag}[ ,]`).test(help.get(name) ?? ""))).toEqual([]);
  });
});

/** Dialogues, and the drawing of how a call goes. The report of the gate is compared below. */
function isTested(text: string): boolean {
  return dialoguesOf(text).length > 0 || text.includes("──►") || text.startsWith("4 functions differ");
}

const Configured = z.object({
  mcpServers: z.object({
    verdict: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()).default({}),
    }),
  }),
});

describe("the blocks for clients", () => {
  const servers = blocks
    .filter(({ language }) => language === "json")
    .flatMap(({ file, text }) => {
      const { success, data } = Configured.safeParse(JSON.parse(text));
      return success ? [{ file, server: data.mcpServers.verdict }] : [];
    });
  const here = servers.filter(({ server }) => server.command === "node");

  it("are for node, npx or docker", () => {
    expect(new Set(servers.map(({ server }) => server.command))).toEqual(new Set(["node", "npx", "docker"]));
    expect(here.map(({ file }) => file)).toEqual(["README.md", "docs/lean.md"]);
  });

  it.each(here)("of $file start a server", async ({ server }) => {
    const connection = await connect({ args: server.args.slice(1), env: server.env });
    const { tools } = await connection.client.listTools();
    await connection.close();
    expect(tools.length).toBeGreaterThan(0);
  });
});

describe.skipIf(!has_python)("on this machine", () => {
  const scratch = scratchDirectory();
  const home = join(scratch, "home");
  let data: string;
  beforeAll(async () => {
    data = await pythonData();
    await pythonData("cp");
    cpSync("test/fixtures/documents", scratch, { recursive: true });
    mkdirSync(join(scratch, "bin"));
    writeFileSync(join(scratch, "bin/verdict"), `#!/bin/sh\nexec "${process.execPath}" "${resolve(cli)}" "$@"\n`);
    chmodSync(join(scratch, "bin/verdict"), 0o755);
    mkdirSync(join(home, ".cursor"), { recursive: true });
    writeFileSync(join(scratch, "answer.json"), JSON.stringify({ status: "sat", model: { x: 4 } }));
    changedShop();
  }, real_setup_ms_max);

  /** A repository with a change of the shop, as docs/gate.md says. */
  function changedShop(): void {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: scratch });
    const price = join(scratch, "shop/price.py");
    const changed = readFileSync(price);
    cpSync(join(scratch, "shop/price_base.py"), price);
    rmSync(join(scratch, "shop/price_base.py"));
    git("init", "-q");
    git("add", "shop/price.py");
    git("commit", "-q", "-m", "base");
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    writeFileSync(price, changed);
    git("commit", "-q", "-a", "-m", "change");
  }

  const ran = new Map<string, ReturnType<typeof ended>>();
  /** Once, however many blocks show it. */
  function run(line: string) {
    const known = ran.get(line) ?? ended(line);
    ran.set(line, known);
    return known;
  }

  function ended(line: string) {
    const env = {
      ...process.env,
      PATH: [join(scratch, "bin"), process.env["PATH"]].join(delimiter),
      HOME: home,
      VERDICT_DATA: data,
      XDG_CONFIG_HOME: join(home, ".config"),
      TACTIC_SERVER_PORT: "1", // nobody listens there
    };
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd: scratch, encoding: "utf8", env });
    return { status, text: stdout + stderr };
  }

  it.each(runs.filter(({ is_long }) => runs_all || !is_long))(
    "$line prints what the page shows",
    ({ line, exit = 0, prints = "" }) => {
      const { status, text } = run(line);
      expect(text).toMatch(prints);
      expect(status, text).toBe(exit);
    },
  );

  it("the gate reports what docs/gate.md shows", () => {
    const shown = blocks.find(({ file, language }) => file === "docs/gate.md" && language === "text")?.text ?? "";
    const { text } = run("verdict gate --base origin/main");
    // Commits have other names, and another input can break a contract.
    const plain = (report: string) =>
      report
        .replaceAll(/\([0-9a-f]{10}\)/g, "(commit)")
        .replaceAll(/(total|people|returns)[= ]\d+/g, "$1 N")
        .split("\n");
    expect(plain(text)).toEqual(expect.arrayContaining(plain(shown)));
  });

  const dialogues = blocks.flatMap(({ file, text }) => {
    const calls = dialoguesOf(text);
    return calls.length > 0 ? [{ file, calls, tools: calls.map(({ tool }) => tool).join(", ") }] : [];
  });
  it("has the dialogues of the README and of how it works", () => {
    expect(dialogues.map(({ file }) => file)).toEqual([...Array(5).fill("README.md"), "docs/how_it_works.md"]);
  });

  const server = fixture(() => connect({ env: { VERDICT_DATA: data } }));

  it.each(dialogues)("$file: $tools answer as shown", async ({ calls }) => {
    const { client } = server;
    for (const { tool, arguments: args, answer } of calls) {
      const { content } = await client.callTool({ name: tool, arguments: args }, { timeout: 200_000 });
      const text = content.flatMap((each) => (each.type === "text" ? [each.text] : [])).join("\n");
      for (const line of answer) expect(text).toContain(line);
    }
  });
});
