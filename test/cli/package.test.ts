import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { examples } from "../../scripts/examples.mjs";
import { licenceTexts, packagesOf } from "../../scripts/licences.mjs";

const Manifest = z.object({
  name: z.string(),
  mcpName: z.string(),
  homepage: z.string(),
  bugs: z.string(),
  files: z.array(z.string()),
  repository: z.object({ type: z.literal("git"), url: z.string() }),
  dependencies: z.record(z.string(), z.string()),
});
const manifest = Manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));

describe("the package", () => {
  it("has a name under a scope, which the README repeats wherever npx runs it", () => {
    expect(manifest.name).toMatch(/^@[\w-]+\/verdict$/);
    const readme = readFileSync("README.md", "utf8");
    const run = [...readme.matchAll(/npx -y (\S+?)[\s`"]|"-y", "([^"]+)"/g)].map(([, plain, json]) => plain ?? json);
    expect(run.length).toBeGreaterThanOrEqual(3);
    expect(new Set(run)).toEqual(new Set([manifest.name]));
  });

  it("says in the README what the setup downloads and takes on disk, as the setup does", () => {
    const Sizes = z.object({ download_mb: z.int(), disk_mb: z.int() });
    const packages = Sizes.extend({ groups: z.object({ cp: Sizes }) }).parse(
      JSON.parse(readFileSync("python/packages.json", "utf8")),
    );
    const readme = readFileSync("README.md", "utf8").replaceAll("\n", " ");
    for (const { download_mb, disk_mb } of [packages, packages.groups.cp])
      expect(readme).toContain(`${download_mb} MB to download, ${disk_mb} MB on disk`);
  });

  it("says where it comes from", () => {
    const owner = /^@([\w-]+)\//.exec(manifest.name)?.[1];
    expect(manifest.mcpName).toBe(`io.github.${owner}/verdict`);
    for (const url of [manifest.homepage, manifest.bugs, manifest.repository.url])
      expect(url).toContain(`${owner}/verdict`);
  });

  it("is small to download, without the embedded clingo", () => {
    const packed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], { encoding: "utf8" });
    const [list] = z.array(z.object({ files: z.array(z.object({ path: z.string() })) })).parse(JSON.parse(packed));
    const files = (list?.files ?? []).map(({ path }) => path).filter((path) => !path.startsWith("dist/clingo/"));
    expect(files.filter((path) => path.endsWith(".png"))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["dist/cli.mjs", "dist/python/verdict_runner/__main__.py", "README.md"]),
    );
    const bytes = files.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
    // Some 0.5 MB of it are the agent with its providers and the packages for Redis, 0.3 MB the Python side.
    expect(bytes).toBeLessThan(1_700_000);
  });

  it("ships every document that a shipped document links to", () => {
    const shipped = (file: string) =>
      file === "README.md" ||
      manifest.files.some(
        (each) => file === each || file.startsWith(`${each}/`) || (each === "examples/*.md" && isExample(file)),
      );
    const isExample = (file: string) => /^examples\/\w+\.md$/.test(file);
    // Pictures, and why things are as they are: npm and the site show them from the repository.
    const isElsewhere = (file: string) => /^((docs|examples)\/pictures|docs\/decisions)\//.test(file);
    const documents = [
      "README.md",
      "examples/README.md",
      ...examples().map(({ name }) => `examples/${name}.md`),
      "CHANGELOG.md",
      "docs/tools.md",
      "docs/optional_tools.md",
      "docs/proofs.md",
      "docs/agent.md",
      "docs/command_line.md",
      "docs/install.md",
      "docs/troubleshooting.md",
      "docs/answers.md",
      "docs/lean.md",
      "docs/privacy.md",
      "docs/comparison.md",
    ];
    const links = documents.flatMap((document) =>
      [...readFileSync(document, "utf8").matchAll(/\]\(([^)#\s]+)/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^\w+:/.test(link))
        .map((link) => normalize(join(dirname(document), link))),
    );
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !(shipped(link) || isElsewhere(link)) || !existsSync(link))).toEqual([]);
  });

  it("asks for no dependency that wants a newer Node than the README names", () => {
    const Locked = z.object({
      packages: z.record(
        z.string(),
        z.object({ dev: z.boolean().default(false), engines: z.object({ node: z.string() }).optional() }),
      ),
    });
    const { packages } = Locked.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
    const wants = Object.entries(packages).filter(([, { engines }]) => engines && /^>= ?2[2-9]/.test(engines.node));
    expect(Object.keys(packages).length).toBeGreaterThan(20);
    expect(wants.filter(([, { dev }]) => !dev)).toEqual([]);
    // These are only in the agent's bundle, which test/agent/ runs on the oldest Node: no user installs them.
    expect(wants.map(([name]) => name).filter((name) => !/^node_modules\/(ai|@ai-sdk\/[\w-]+)$/.test(name))).toEqual(
      [],
    );
  });

  it("ships the licence of every package in its bundle, those inside of other bundles too", () => {
    const shipped = readFileSync("dist/THIRD_PARTY_LICENSES.txt", "utf8");
    const inside = ["ajv", "ajv-formats", "fast-deep-equal", "fast-uri", "json-schema-traverse", "clingo-wasm"];
    for (const name of [...inside, "zod", "commander", "@modelcontextprotocol/server"]) {
      expect(shipped).toMatch(new RegExp(`^${name} [\\d.]+ \\(`, "m"));
    }
    expect(shipped).toContain("Copyright (c) Benjamin Kaufmann");
  });

  it("reads the packages inside of a bundle from its source map, and misses none of their licences", () => {
    const dist = "node_modules/@modelcontextprotocol/server/dist";
    const bundle = readdirSync(dist).find((file) => /^ajvProvider-.*\.mjs$/.test(file));
    expect(packagesOf([`${dist}/${bundle}`])).toContain("fast-uri");
    expect(() => licenceTexts(["no-such-package"])).toThrow("add it to devDependencies");
  });
});
