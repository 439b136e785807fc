// Checks the format of the Python side, and lints it; `--write` formats and mends it. ruff comes into an environment of its
// own under .cache/, pinned with hashes in scripts/python_tools/. Without Python it says so and checks nothing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const requirements = "scripts/python_tools/requirements.txt";
const windows = process.platform === "win32";
const program = (place, name) => join(place, windows ? "Scripts" : "bin", windows ? `${name}.exe` : name);

/** A CPython of 3.10 or newer that can make environments; the one that VERDICT_PYTHON names, or the first on PATH. */
function findPython() {
  const asked = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10); print(sys.executable)";
  const named = process.env["VERDICT_PYTHON"];
  const candidates = [
    ...(named ? [named] : []),
    ..."python3.14 python3.13 python3.12 python3.11 python3.10 python3 python".split(" "),
  ];
  for (const candidate of candidates) {
    const { status, stdout } = spawnSync(candidate, ["-I", "-c", asked], { encoding: "utf8", timeout: 60_000 });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Makes the environment under another name first, so that an installation that was broken off is not used. */
function install(place) {
  const python = findPython();
  if (!python) return false;
  const unfinished = `${place}.${process.pid}`;
  run(python, ["-m", "venv", unfinished]);
  const how = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps", "--only-binary", ":all:"];
  run(program(unfinished, "python"), ["-m", "pip", "install", ...how, "--requirement", requirements]);
  rmSync(place, { recursive: true, force: true });
  renameSync(unfinished, place);
  return true;
}

const hash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
const place = join(".cache", `python-tools-${hash}`);
const ruff = program(place, "ruff");
if (!existsSync(ruff) && !install(place)) {
  console.log("The Python side was not checked: no CPython of 3.10 or newer was found.");
  process.exit(0);
}
const writes = process.argv.includes("--write");
run(ruff, ["check", "--quiet", ...(writes ? ["--fix"] : []), "python"]);
run(ruff, ["format", "--quiet", ...(writes ? [] : ["--check"]), "python"]);
