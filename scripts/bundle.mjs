// Makes the bundle for Claude Desktop (.mcpb): the program, and of the engines what it needs to run with nothing else but the
// host's Node. The official tool checks and packs it. Prints its path, size and SHA-256.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { installed } from "./ci_packages.mjs";
import { bundleManifest } from "./manifests.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** What the embedded engines read at run time; the rest of their packages is for other uses. */
const engine_files = {
  "z3-solver": [/^package\.json$/, /^build\/[^/]+\.js$/, /^build\/low-level\/[^/]+\.js$/, /^build\/z3-built\.wasm$/],
  minizinc: [/^package\.json$/, /^dist\/minizinc(\.wasm|\.data|-worker\.js)$/],
};

const place = resolve(".cache/bundle");
const target = resolve(process.argv[2] ?? ".cache/verdict.mcpb");
rmSync(place, { recursive: true, force: true });
mkdirSync(place, { recursive: true });
await build({ target: join(place, "server"), whole: true });
for (const file of ["LICENSE", "README.md"]) cpSync(file, join(place, file));
for (const [name, wanted] of Object.entries(engine_files)) copyFiles(join("node_modules", name), wanted);
const listing = execFileSync(process.execPath, ["dist/cli.mjs", "schemas"], { encoding: "utf8" });
writeFileSync(join(place, "manifest.json"), `${JSON.stringify(bundleManifest(JSON.parse(listing)), null, 2)}\n`);
// The tool leaves every lock file out, also the one that the tactic daemon installs from.
writeFileSync(join(place, ".mcpbignore"), "!server/llama/package-lock.json\n");

const tool = join(installed("packages"), "@anthropic-ai/mcpb/dist/cli/cli.js");
run("validate", join(place, "manifest.json"));
rmSync(target, { force: true });
mkdirSync(dirname(target), { recursive: true });
run("pack", place, target);
const bytes = readFileSync(target);
const megabytes = (bytes.length / 1e6).toFixed(1);
console.log(`${target}: ${megabytes} MB, sha256 ${createHash("sha256").update(bytes).digest("hex")}`);

function copyFiles(directory, wanted) {
  const files = readdirSync(directory, { recursive: true }).map((file) => file.replaceAll("\\", "/"));
  const chosen = files.filter((file) => wanted.some((form) => form.test(file)));
  for (const form of wanted)
    if (!chosen.some((file) => form.test(file))) throw new Error(`${directory} has no ${form}`);
  for (const file of chosen) cpSync(join(directory, file), join(place, directory, file));
}

function run(...args) {
  execFileSync(process.execPath, [tool, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}
