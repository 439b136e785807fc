// Makes each requirements.txt anew from the requirements.in beside it: every package pinned, with the
// hashes of all its wheels and without download addresses. Needs Python 3.10 or newer; uv comes
// into an environment that is thrown away; scripts/uv.txt has its version and hashes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const place = mkdtempSync(join(tmpdir(), "verdict-requirements-"));
const programs = join(place, process.platform === "win32" ? "Scripts" : "bin");

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}`);
}

const directories = [
  ...["python", "python/groups/cp", "python/groups/smt", "python/groups/solvers"],
  ...["scripts/python_tools", "test/support/python_client", "test/support/llama_server"],
];
const how = ["--universal", "--python-version", "3.10", "--only-binary", ":all:", "--generate-hashes"];
const without = [
  "--no-python-downloads",
  "--no-header",
  "--no-annotate",
  "--no-emit-index-url",
  "--no-emit-find-links",
  "--no-config",
];
try {
  run(process.platform === "win32" ? "python" : "python3", ["-m", "venv", place]);
  const quiet = ["--quiet", "--disable-pip-version-check"];
  const locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--requirement", "scripts/uv.txt"];
  run(join(programs, "python"), ["-m", "pip", "install", ...quiet, ...locked]);
  for (const directory of directories) {
    const files = [`${directory}/requirements.in`, "--output-file", `${directory}/requirements.txt`];
    run(join(programs, "uv"), ["pip", "compile", ...files, ...how, ...without]);
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
for (const directory of directories) {
  if (/:\/\//.test(readFileSync(`${directory}/requirements.txt`, "utf8"))) {
    throw new Error(`${directory}/requirements.txt names an address: leave it out`);
  }
}
