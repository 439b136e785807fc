// Makes a fresh clone ready: installs what package-lock.json names, and builds dist/.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Verdict needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

if (modified("node_modules/.package-lock.json") < modified("package-lock.json")) {
  console.log("Installing packages…");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}

const { build } = await import("./build.mjs");
await build();
