// Makes the lock files anew from their package.json, without download addresses: every user's own
// registry serves the packages, and the integrity hashes say that they are the same. `llama/` is the list
// that the tactic daemon installs from; CI looks at the listing with the Inspector, and runs the conformance suite; `scripts/python_tools/` has the type
// checker of the Python side.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

for (const directory of [".", "llama", ".ci/inspector", ".ci/conformance", ".ci/packages", "scripts/python_tools"]) {
  const { status } = spawnSync(
    "npm",
    ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"],
    {
      cwd: directory,
      stdio: "inherit",
    },
  );
  if (status !== 0) process.exit(status ?? 1);
  const file = join(directory, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  for (const entry of Object.values(lock.packages)) delete entry.resolved;
  // It asks for Node 22 for what we do not use of it; the tests run the rest on the oldest Node that we support.
  delete lock.packages["node_modules/clingo-wasm"]?.engines;
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
