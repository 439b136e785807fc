import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const dist = "dist";
const source = (file: string) => readFileSync(join(dist, file), "utf8");

/** A file of dist/ and all that are loaded with it. */
function loadedWith(file: string, loaded: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  const imports = [...source(file).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)].map(([, name = ""]) => name);
  return imports.reduce<ReadonlySet<string>>((all, each) => loadedWith(each, all), new Set([...loaded, file]));
}

/** The part of a command, which the program loads when it runs. */
function partOf(command: string): string {
  const [part] = readdirSync(dist).filter((file) => new RegExp(`^part_${command}-[\\w-]{8}\\.mjs$`).test(file));
  if (part === undefined) throw new Error(`no part for ${command}`);
  expect(source("cli.mjs")).toMatch(new RegExp(`import\\([\`"]\\./${part}[\`"]\\)`));
  return part;
}

const texts = (files: Iterable<string>) => [...files].map(source).join("\n");

/** Words that only one package has. */
const signs = {
  agent: 'from"ai"',
  redis: 'from"bullmq"',
  metrics: "process_cpu_user_seconds_total",
  tokens: 'from"jose/jwt/verify"',
  install: "InvalidCommentToken",
  engines: "verdict_runner",
} as const;

function found(text: string): string[] {
  return Object.entries(signs).flatMap(([name, sign]) => (text.includes(sign) ? [name] : []));
}

describe("the parts of the program", () => {
  it("are all of the signs that are looked for here", () => {
    expect(found(texts(readdirSync(dist).filter((file) => file.endsWith(".mjs"))))).toEqual(Object.keys(signs));
  });

  it("that a server on stdio loads have neither HTTP nor the agent nor other commands", () => {
    const server = new Set([...loadedWith("cli.mjs"), ...loadedWith(partOf("serve"))]);
    expect(server.size).toBeGreaterThan(5);
    expect(found(texts(server))).toEqual(["engines"]);
  });

  it("that the program loads before it knows the command have none of them", () => {
    expect(found(texts(loadedWith("cli.mjs")))).toEqual([]);
  });

  it("are those of the latest build alone", () => {
    const files = readdirSync(dist).filter((file) => /^part_.*\.mjs$/.test(file));
    const entries = ["cli.mjs", "agent.mjs", "drat_check.mjs", "large_call.mjs"];
    const named = texts([...entries, ...files]);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !named.includes(`./${file}`))).toEqual([]);
  });

  it("load the package of a provider when its model is asked for", () => {
    const agent = texts(loadedWith("agent.mjs"));
    const loaded = (form: RegExp) => [...agent.matchAll(form)].map(([, name]) => name).sort();
    expect(loaded(/import\([`"]@ai-sdk\/([\w-]+)[`"]\)/g)).toEqual([
      "anthropic",
      "google",
      "openai",
      "openai-compatible",
    ]);
    expect(loaded(/from\s*"@ai-sdk\/([\w-]+)"/g)).toEqual([]);
  });
});
