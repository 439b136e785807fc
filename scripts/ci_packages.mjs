// Packages that only checks use, and that are not part of the project's own installation: each list is in .ci/.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const cache = resolve(process.env.VERDICT_CI_CACHE ?? ".cache/ci");

/** The packages of a lock file in .ci/, installed once for each version of it. */
export function installed(name) {
  const source = join(".ci", name);
  const lock = readFileSync(join(source, "package-lock.json"));
  const directory = join(cache, `${name}-${createHash("sha256").update(lock).digest("hex").slice(0, 12)}`);
  const modules = join(directory, "node_modules");
  if (!existsSync(join(modules, ".package-lock.json"))) {
    mkdirSync(directory, { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) cpSync(join(source, file), join(directory, file));
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    const { status } = spawnSync("npm", args, { cwd: directory, stdio: "inherit" });
    if (status !== 0) throw new Error(`npm ci failed for ${source}`);
  }
  return modules;
}
