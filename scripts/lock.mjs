// Makes package-lock.json anew from package.json, without download addresses: every user's own
// registry serves the packages, and the integrity hashes say that they are the same.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const { status } = spawnSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const entry of Object.values(lock.packages)) delete entry.resolved;
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
