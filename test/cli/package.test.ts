import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { licenceTexts, packagesOf } from "../../scripts/licences.mjs";

const Manifest = z.object({
  name: z.string(),
  mcpName: z.string(),
  homepage: z.string(),
  bugs: z.string(),
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

  it("says where it comes from", () => {
    const owner = /^@([\w-]+)\//.exec(manifest.name)?.[1];
    expect(manifest.mcpName).toBe(`io.github.${owner}/verdict`);
    for (const url of [manifest.homepage, manifest.bugs, manifest.repository.url])
      expect(url).toContain(`${owner}/verdict`);
  });

  it("asks for no dependency that wants a newer Node than the README names", () => {
    const Locked = z.object({
      packages: z.record(z.string(), z.object({ engines: z.object({ node: z.string() }).optional() })),
    });
    const { packages } = Locked.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
    const wants = Object.entries(packages).filter(([, { engines }]) => engines && /^>= ?2[2-9]/.test(engines.node));
    expect(Object.keys(packages).length).toBeGreaterThan(20);
    expect(wants).toEqual([]);
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
