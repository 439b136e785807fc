// The tools over Python code against plain CrossHair, whose command is started as its users start it.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, compare, connect, median, ms, ratio, row, timed } from "./measure.mjs";

const data = mkdtempSync(join(tmpdir(), "verdict-bench-"));
const env = { VERDICT_DATA: data };
const planted = new URL("planted/", import.meta.url);
const seconds = 10;

/** All rows of the tools over Python code. */
export async function symbolicRows() {
  try {
    const { status } = spawnSync(process.execPath, [cli, "setup"], { env: { ...process.env, ...env } });
    if (status !== 0) return console.log("no Python: the rows of the tools over Python code are left out");
    const server = await connect(env);
    await needleRow(server);
    await stopRow(server);
    await plantedRows(server);
    await memoryRow(server);
    await server.client.close();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** CrossHair's own command, from the environment that ours runs in, too. */
function crosshair(...args) {
  const [name] = readdirSync(join(data, "python")).filter((entry) => /^[0-9a-f]{12}$/.test(entry));
  const python = join(data, "python", name, process.platform === "win32" ? "Scripts" : "bin", "python");
  const main = "import sys; sys.path.insert(0, '.'); from crosshair.main import main; sys.exit(main(sys.argv[1:]))";
  const time = `--per_condition_timeout=${seconds}`;
  return spawnSync(python, ["-B", "-c", main, ...args, time], { cwd: data, encoding: "utf8" });
}

/** Found when CrossHair's command says so, by its exit code. */
function foundBy(answer) {
  if (answer.status !== 0 && answer.status !== 1) throw new Error(answer.stderr);
  return answer.status === 1;
}

// CrossHair's command looks at functions with a contract only.
const needle = `def tricky(x: int, y: int) -> int:
    """post: True"""
    if x == 7 and y == 25:
        raise ValueError("Boom")
    return x + y
`;

async function needleRow(server) {
  writeFileSync(join(data, "needle.py"), needle);
  const ask = () => server.call("symbolic_check", { code: needle, function_name: "tricky" });
  const { status } = await ask();
  if (status !== "counterexample") throw new Error(status);
  const { ours, theirs } = await compare(11, ask, () => foundBy(crosshair("check", "needle.tricky")));
  row(
    "the needle in the haystack through the server, warm, against `crosshair check` of the same function",
    "≤ 500 ms",
    `${ms(ours)}, ${ratio(theirs, ours)} times faster (${ms(theirs)})`,
    ours <= 500,
  );
}

/** One difference answers the question; the rest of a long time is not used. */
async function stopRow(server) {
  const code =
    "def f(xs: list[int]) -> int:\n    return sum(xs)\n\ndef g(xs: list[int]) -> int:\n    return sum(xs) if len(xs) != 3 else 0\n";
  const ask = () => server.call("compare_functions", { code, function_a: "f", function_b: "g", timeout_seconds: 60 });
  const { time, result } = await timed(ask);
  row(
    "a difference between functions that can't be explored to the end, with 60 s to spare",
    "ends after the first witness",
    `${result.status} after ${ms(time)}`,
    result.status === "different" && time < 6_000,
  );
}

async function plantedRows(server) {
  const ours = [];
  const theirs = [];
  const missed = { ours: [], theirs: [] };
  for (const file of readdirSync(planted)) {
    const name = file.replace(/\.py$/, "");
    const code = readFileSync(new URL(file, planted), "utf8");
    copyFileSync(new URL(file, planted), join(data, file));
    const pair = code.includes("def changed(");
    const { time, result } = await timed(() => askPlanted(server, code, pair));
    ours.push(time);
    if (result.status !== (pair ? "different" : "counterexample")) missed.ours.push(name);
    const names = pair ? ["diffbehavior", `${name}.original`, `${name}.changed`] : ["check", `${name}.checked`];
    const plain = await timed(() => foundBy(crosshair(...names)));
    theirs.push(plain.time);
    if (!plain.result) missed.theirs.push(name);
    if (process.env.VERBOSE) console.log(name, result.status, ms(time), plain.result, ms(plain.time));
  }
  const found = (names) => `${ours.length - names.length}${names.length > 0 ? ` (not ${names.join(", ")})` : ""}`;
  row(
    `${ours.length} functions with a planted bug, ${seconds} s each, found and replayed`,
    "≥ 28",
    `${found(missed.ours)}; plain CrossHair ${found(missed.theirs)}`,
    ours.length - missed.ours.length >= 28,
  );
  const value = median(ours) / median(theirs);
  row(
    "their median time against plain `crosshair diffbehavior` and `crosshair check`",
    "≤ 0.5",
    `${value.toFixed(2)} (${ms(median(ours))} / ${ms(median(theirs))})`,
    value <= 0.5,
  );
}

function askPlanted(server, code, pair) {
  const common = { code, timeout_seconds: seconds };
  return pair
    ? server.call("compare_functions", { ...common, function_a: "original", function_b: "changed" })
    : server.call("symbolic_check", { ...common, function_name: "checked" });
}

/** Each path doubles a list and a text, until there is no more memory. */
async function memoryRow(server) {
  const code =
    "def f(n: int, s: str) -> int:\n    xs = [n]\n    while len(xs) != n:\n        xs = xs + xs\n        s = s + s\n    return len(s)\n";
  const { result } = await timed(() =>
    server.call("symbolic_check", { code, function_name: "f", timeout_seconds: 20 }),
  );
  const after = await server.call("symbolic_check", { code: needle, function_name: "tricky" });
  row(
    "a state explosion with the memory limit of 2 GB",
    "a timeout or a fault, and the next call is right",
    `${result.status}; then ${after.status}`,
    ["timeout", "error"].includes(result.status) && after.status === "counterexample",
  );
}
