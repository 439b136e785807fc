import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { licenceTexts, packagesOf } from "../../scripts/licences.mjs";
import { has_python } from "../support/models.ts";
import { privatePython } from "../support/python.ts";

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
      expect(readme).toContain(`${download_mb} MB download, ${disk_mb} MB on disk`);
  });

  it("says where it comes from", () => {
    const owner = /^@([\w-]+)\//.exec(manifest.name)?.[1];
    expect(manifest.mcpName).toBe(`io.github.${owner}/verdict`);
    for (const url of [manifest.homepage, manifest.bugs, manifest.repository.url])
      expect(url).toContain(`${owner}/verdict`);
  });

  it("is small to download, without the embedded clingo", () => {
    const packed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], { encoding: "utf8" });
    const Packed = z.object({ size: z.int(), files: z.array(z.object({ path: z.string() })) });
    const [{ size, files: listed }] = z.tuple([Packed]).parse(JSON.parse(packed));
    const files = listed.map(({ path }) => path);
    expect(files.filter((path) => path.endsWith(".png"))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["dist/cli.mjs", "dist/python/verdict_runner/__main__.py", "README.md"]),
    );
    const clingo = files.filter((path) => path.startsWith("dist/clingo/"));
    expect(clingo).toHaveLength(2);
    const engine = clingo.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
    // A third of it is the Python side.
    expect(size - engine).toBeLessThan(1_285_000);
  });

  it.skipIf(!has_python)("has the Python code of the repository, line by line, without its documentation", async () => {
    const compared = `import ast, pathlib
def code(path):
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
        # A body of nothing else ends sooner.
        node.end_lineno = node.end_col_offset = 0
    return ast.dump(tree, include_attributes=True)
for path in sorted(pathlib.Path("python/verdict_runner").rglob("*.py")):
    print("same" if code(path) == code(pathlib.Path("dist", path)) else path)`;
    const { python } = await privatePython();
    const answers = execFileSync(python, ["-I", "-c", compared], { encoding: "utf8" }).trim().split(/\r?\n/);
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter((each) => each !== "same")).toEqual([]);
  });

  it("links in its README to documents that the repository has: npm shows them from there", () => {
    const links = [...readFileSync("README.md", "utf8").matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^\w+:/.test(link));
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  it("names exact versions of what npm installs with it, under licences that allow it", () => {
    expect(Object.keys(manifest.dependencies).length).toBeGreaterThan(5);
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      const { license } = z
        .object({ license: z.string() })
        .parse(JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")));
      expect(["MIT", "ISC", "BSD-3-Clause", "Apache-2.0", "MPL-2.0"], name).toContain(license);
    }
  });

  it("asks for no dependency that wants a newer Node than the README names, but for the agent", () => {
    const Locked = z.object({
      packages: z.record(z.string(), z.object({ engines: z.object({ node: z.string() }).optional() })),
    });
    const { packages } = Locked.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
    const wants = Object.entries(packages).filter(([, { engines }]) => engines && /^>= ?2[2-9]/.test(engines.node));
    expect(Object.keys(packages).length).toBeGreaterThan(20);
    // Only the agent loads these, which test/agent/ runs on the oldest Node; npm warns of them there.
    expect(wants.map(([name]) => name).filter((name) => !/^node_modules\/(ai|@ai-sdk\/[\w-]+)$/.test(name))).toEqual(
      [],
    );
  });

  it("ships the licence of every package in its bundle, those inside of other bundles too", () => {
    const shipped = readFileSync("dist/THIRD_PARTY_LICENSES.txt", "utf8");
    const inside = ["@modelcontextprotocol/core", "tdigest", "clingo-wasm"];
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
