import { existsSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { bundleManifest, manifests } from "../../scripts/manifests.mjs";
import { byNpx } from "../../src/commands/install/server_entry.ts";
import { version } from "../../src/version.ts";

const json = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const Manifest = z.object({ name: z.string(), mcpName: z.string(), version: z.string() });
const package_json = Manifest.parse(json("package.json"));
const files = Object.keys(manifests());

/** Every value of a member of this name, wherever it is. */
function members(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.entries(value).flatMap(([key, member]) => (key === name ? [member] : []));
  return [...own, ...Object.values(value).flatMap((member) => members(member, name))];
}

function toolsIn(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map(([, name = ""]) => name);
}

const listed = toolsIn(readFileSync("docs/tools.md", "utf8"), /^## `(\w+)`:/gm);

describe("the manifests", () => {
  it("are written as scripts/manifests.mjs says", () => {
    expect(files).toHaveLength(9);
    for (const [file, wanted] of Object.entries(manifests())) expect(json(file), file).toEqual(wanted);
  });

  it("have the version of the package, and start the package", () => {
    for (const file of files) {
      const versions = members(json(file), "version");
      expect(versions.length > 0 || /\.mcp\.json|\.agents/.test(file), file).toBe(true);
      expect(new Set([...versions, version]), file).toEqual(new Set([package_json.version]));
    }
    const servers = files.flatMap((file) => members(json(file), "verdict"));
    expect(servers).toEqual([byNpx("linux"), byNpx("linux")]);
    expect(byNpx("linux").args).toContain(package_json.name);
  });

  it("name places that are there, inside of the repository", () => {
    const places = files.flatMap((file) => {
      const value = json(file);
      const start = file.includes("codex-plugin") ? "plugins/verdict/" : "";
      return ["source", "path", "contextFileName", "skills"]
        .flatMap((name) => members(value, name))
        .filter((each) => typeof each === "string" && each.includes("/"))
        .map((each) => `${start}${each}`);
    });
    expect(places.length).toBeGreaterThanOrEqual(5);
    expect(places.filter((place) => !existsSync(place) || place.includes(".."))).toEqual([]);
  });

  it("of the bundle names the tools that are documented", () => {
    const tools = listed.map((name) => ({ name, description: "Does it. And more." }));
    const manifest = bundleManifest(tools);
    expect(manifest["version"]).toBe(version);
    expect(manifest["tools"]).toEqual(listed.map((name) => ({ name, description: "Does it." })));
  });
});

describe("the entry in the registry", () => {
  const entry = json("server.json");
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(
    z.record(z.string(), z.unknown()).parse(json("test/fixtures/packages/server.schema.json")),
  );

  it("follows the registry's schema", () => {
    expect(isValid(entry), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ ...manifests()["server.json"], description: "x".repeat(101) })).toBe(false);
    expect(isValid({ ...manifests()["server.json"], name: "verdict" })).toBe(false);
  });

  it("has what the schema does not ask for: no other keys, exact versions, the name that the package claims", () => {
    const Variable = z.strictObject({ name: z.string(), description: z.string(), isRequired: z.boolean() });
    const exact = z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    const Package = z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.literal(package_json.name),
      version: exact,
      runtimeHint: z.literal("npx"),
      transport: z.strictObject({ type: z.literal("stdio") }),
      environmentVariables: z.array(Variable),
    });
    const Entry = z.strictObject({
      $schema: z.url(),
      name: z.literal(package_json.mcpName),
      title: z.string(),
      description: z.string().max(100),
      version: exact,
      websiteUrl: z.url(),
      repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
      packages: z.array(Package).min(1),
    });
    const { packages } = Entry.parse(entry);
    const config = readFileSync("src/config.ts", "utf8");
    const unknown = packages.flatMap(({ environmentVariables }) =>
      environmentVariables.filter(({ name }) => !config.includes(`env["${name}"]`)),
    );
    expect(unknown).toEqual([]);
  });
});

describe("the skill", () => {
  const text = readFileSync("plugins/verdict/skills/verdict/SKILL.md", "utf8");
  const tools_and_guides = readFileSync("docs/tools.md", "utf8");

  it("has a name and a description of the length that hosts read", () => {
    const [, name, description = ""] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
    expect(name).toBe("verdict");
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it("names tools, arguments, languages and guides that there are", () => {
    expect(listed.length).toBeGreaterThan(10);
    const names = toolsIn(text, /`(\w+_\w+|solve)`/g);
    expect(names.length).toBeGreaterThan(8);
    const arguments_and_fields = toolsIn(tools_and_guides, /^\| `(\w+)` \|/gm);
    expect(names.filter((name) => !listed.includes(name) && !arguments_and_fields.includes(name))).toEqual([]);
    const guides = toolsIn(text, /`(verdict:\/\/guide\/\w+)`/g);
    expect(guides.length).toBeGreaterThan(5);
    expect(guides.filter((guide) => !tools_and_guides.includes(`\`${guide}\``))).toEqual([]);
  });

  it("is about the tools of the README", () => {
    expect(toolsIn(readFileSync("README.md", "utf8"), /^\| `(\w+)` \| .* \| .* \|$/gm)).toEqual(
      expect.arrayContaining(listed),
    );
  });
});
