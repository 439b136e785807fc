import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { hasLlama, llamaDirectory } from "../../src/engines/tactic/llama/install.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { removeDirectory } from "../support/directories.ts";
import { faultOf } from "../support/faults.ts";
import { llama, llama_setup_ms_max } from "../support/lean.ts";
import { freePort } from "../support/ports.ts";

let data: string;
let children: Children;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "verdict-install-"));
  children = new Children(process.env, tmpdir());
});
afterEach(() => {
  children.stopAll();
  removeDirectory(data);
});

const job = (signal = new AbortController().signal) => new Deadline(200_000, signal);
const configOf = (env: Record<string, string>) => readConfig({}, { ...process.env, VERDICT_DATA: data, ...env });

/** A registry that does not answer, and no second try. */
async function offline(): Promise<Record<string, string>> {
  const npm_config_registry = `http://127.0.0.1:${await freePort()}/`;
  return { npm_config_registry, npm_config_fetch_retries: "0", npm_config_cache: join(data, "cache") };
}

describe("installing llama.cpp", () => {
  it("takes only packages whose hash is known, of one exact version, from the user's own registry", () => {
    const { dependencies } = JSON.parse(readFileSync("llama/package.json", "utf8"));
    const { packages } = JSON.parse(readFileSync("llama/package-lock.json", "utf8"));
    const { "": root, ...others } = packages;
    expect(root.dependencies).toEqual(dependencies);
    expect(dependencies["node-llama-cpp"]).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(others).length).toBeGreaterThan(100);
    const unlocked = Object.entries<{ integrity?: string; resolved?: string }>(others).filter(
      ([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined,
    );
    expect(unlocked).toEqual([]);
    expect(packages["node_modules/@node-llama-cpp/linux-x64"].version).toBe(dependencies["node-llama-cpp"]);
  });

  it("gives a directory with this platform's build alone", { timeout: llama_setup_ms_max }, async () => {
    const directory = await llama();
    const builds = readdirSync(join(directory, "node_modules", "@node-llama-cpp"));
    expect(builds).toHaveLength(1);
    expect(builds[0]).toContain(process.arch);
    expect(existsSync(join(directory, "node_modules", "@reflink"))).toBe(false);
  });

  it("that fails says why, without a path, and leaves nothing behind", async () => {
    const config = configOf(await offline());
    const fault = await faultOf(llamaDirectory({ config, children }, job()));
    expect(fault.code).toBe("engine_failed");
    expect(fault.error).toContain("ECONNREFUSED");
    expect(JSON.stringify(fault)).not.toContain(data);
    expect(readdirSync(join(data, "lean"))).toEqual([]);
    expect(await hasLlama(config)).toBe(false);
  });

  it("that is given up ends npm, and clears what another one left behind", async () => {
    const config = configOf(await offline());
    await faultOf(llamaDirectory({ config, children }, job()));
    const cancel = new AbortController();
    cancel.abort();
    const lean = join(data, "lean");
    const left = join(lean, `${await idOf()}.0-0-0`);
    mkdirSync(left);
    writeFileSync(join(left, "package.json"), "{}");
    expect(await faultOf(llamaDirectory({ config, children }, job()))).toMatchObject({ code: "engine_failed" });
    expect(readdirSync(lean)).toEqual([]);
    expect(await faultOf(llamaDirectory({ config, children }, job(cancel.signal)))).toMatchObject({
      code: "cancelled",
    });
    expect(children.count).toBe(0);
  });
});

/** The name that an installation of this version has. */
async function idOf(): Promise<string> {
  return (await llama()).split("/").at(-1) ?? "";
}
