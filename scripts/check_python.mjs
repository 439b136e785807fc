// Checks the types of the Python side, its format, and lints it; `--write` formats and mends it instead. pyright and ruff come
// into places of their own under .cache/, pinned with hashes in scripts/python_tools/, and download nothing else. pyright
// needs no Python: what we use of z3 and of the other libraries has its types in scripts/python_tools/stubs/.
// Without Python the format is not checked, which is said.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const tools = "scripts/python_tools";
const requirements = `${tools}/requirements.txt`;
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

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", ...options });
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

const hashOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12);
const writes = process.argv.includes("--write");

/** pyright, by npm and its lock file. */
function installPyright(place) {
  const unfinished = `${place}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(tools, file), join(unfinished, file));
  const npm = windows ? "npm.cmd" : "npm";
  const how = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  run(npm, ["ci", ...how, "--prefix", unfinished], { shell: windows });
  rmSync(place, { recursive: true, force: true });
  renameSync(unfinished, place);
}

function checkTypes() {
  const place = join(".cache", `pyright-${hashOf(join(tools, "package-lock.json"))}`);
  const pyright = join(place, "node_modules", "pyright", "index.js");
  if (!existsSync(pyright)) installPyright(place);
  run(process.execPath, [pyright, "--project", "pyrightconfig.json"]);
}

function checkFormat() {
  const place = join(".cache", `python-tools-${hashOf(requirements)}`);
  const ruff = program(place, "ruff");
  if (!existsSync(ruff) && !install(place)) {
    console.log("The format of the Python side was not checked: no CPython of 3.10 or newer was found.");
    return;
  }
  run(ruff, ["check", "--quiet", ...(writes ? ["--fix"] : []), "python"]);
  run(ruff, ["format", "--quiet", ...(writes ? [] : ["--check"]), "python"]);
}

checkFormat();
if (!writes) checkTypes();
