// The model tools against bare Python. The private environment is made first, in a directory of its own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundled, cli, compare, connect, median, ms, pause, ratio, row, timed } from "./measure.mjs";

/** 6 queens and 5 knights on a 6×6 board, as the demo solves it. */
const { modelProblems } = await bundled("src/commands/problems/model.ts");
const { items: knights } = modelProblems.find(({ title }) => title.includes("5 knights"));

const data = mkdtempSync(join(tmpdir(), "verdict-bench-"));
process.on("exit", () => rmSync(data, { recursive: true, force: true }));
const env = { VERDICT_DATA: data };

/** All rows of the model tools. */
export async function modelRows() {
  try {
    if (!setupRow()) return console.log("no Python: the rows of the model tools are left out");
    await trivialRow();
    await knightsRow();
    await editRow();
    await memoryRow();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** The two rows about the time of a call in Python alone. */
export async function pythonSpeedRows() {
  try {
    if (!setup().ok) return console.log("no Python: its rows are left out");
    await trivialRow();
    await knightsRow();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function setup() {
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [cli, "setup"], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return { time: performance.now() - start, ok: status === 0, lines: stdout.trim().split("\n").length };
}

function setupRow() {
  const first = setup();
  if (!first.ok) return false;
  const second = setup();
  row(
    "first-time setup, and setting up again",
    "shows progress; a second start costs nothing",
    `${ms(first.time)} with ${first.lines} lines of progress; then ${ms(second.time)}, most of it Node's own start`,
    first.lines > 3 && second.time < first.time,
  );
  return true;
}

const python = () => {
  const [name] = readdirSync(join(data, "python")).filter((entry) => /^[0-9a-f]{12}$/.test(entry));
  return join(data, "python", name, process.platform === "win32" ? "Scripts" : "bin", "python");
};

const trivial = "from z3 import *\nx = Int('x')\ns = Solver()\ns.add(x > 5, x < 7)\nprint(s.check(), s.model())";

async function trivialRow() {
  const server = await connect(env);
  await server.call("clear_model", { language: "z3" });
  for (const item of ["x = Int('x')", "s = Solver()", "s.add(x > 5, x < 7)"]) await server.call("add_item", { item });
  await server.call("solve_model", { timeout_ms: 60_000 });
  const command = python();
  const { ours, theirs } = await compare(
    21,
    () => server.call("solve_model", {}),
    () => spawnSync(command, ["-c", trivial]),
  );
  await server.client.close();
  row(
    "a trivial z3 model, warm, against `python -c` that imports z3 and solves it",
    "≥ 10 times faster",
    `${ratio(theirs, ours)} times (${ms(ours)} / ${ms(theirs)})`,
    theirs / ours >= 10,
  );
}

/** The same program in bare Python, which measures itself from after its imports on. */
async function knightsRow() {
  const server = await connect(env);
  await server.call("clear_model", { language: "pysat" });
  for (const item of knights) await server.call("add_item", { item });
  await server.call("solve_model", { timeout_ms: 60_000 });
  const script = join(data, "knights.py");
  writeFileSync(script, bareKnights());
  const command = python();
  const ours = [];
  const theirs = [];
  for (let i = 0; i < 21; i++) {
    const { time, result } = await timed(() => server.call("solve_model", {}));
    if (result.status !== "sat") throw new Error(JSON.stringify(result));
    ours.push(time);
    theirs.push(Number(spawnSync(command, [script], { encoding: "utf8" }).stdout) * 1000);
    await pause(50);
  }
  await server.client.close();
  const value = median(ours) / median(theirs);
  row(
    "6 queens and 5 knights (the paper's transcript: 20.7 s), through the server, against bare Python after its imports",
    "≤ 1.5",
    `${value.toFixed(2)} (${ms(median(ours))} / ${ms(median(theirs))})`,
    value <= 1.5,
  );
}

function bareKnights() {
  return [
    `import sys, time\nsys.path.insert(0, ${JSON.stringify(join(dirname(cli), "python"))})`,
    "from verdict_runner.languages.pysat.helpers import exactly_k",
    "from itertools import combinations\nfrom pysat.formula import CNF\nfrom pysat.solvers import Glucose3",
    "start = time.perf_counter()\ndef export_solution(found): assert found['satisfiable']",
    ...knights,
    "print(time.perf_counter() - start)",
  ].join("\n");
}

async function editRow() {
  const server = await connect(env);
  await server.call("clear_model", { language: "z3" });
  await server.call("add_item", { item: "x = Int('x')" });
  await pause(2000);
  let i = 0;
  const { ours, theirs } = await compare(
    41,
    () => server.call("add_item", { item: `And(x > ${i}, x < ${1000 + i++})` }),
    () => server.client.ping(),
    20,
  );
  await server.client.close();
  row(
    "add_item with its check, warm",
    "≤ 15 ms median",
    `${ms(ours)}, ${ratio(ours, theirs)} times a bare ping (${ms(theirs)})`,
    ours <= 15,
  );
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

async function memoryRow() {
  if (process.platform !== "linux") return row("100 models of 200 items", "≤ 60 MB", "not measured: needs /proc");
  const server = await connect(env);
  await server.client.ping();
  await pause(1000);
  const idle = residentMb(server.pid);
  for (let model = 0; model < 100; model++) {
    await server.call("clear_model", { language: "z3", model_id: `m${model}` });
    for (let i = 0; i < 200; i++) {
      await server.call("add_item", { model_id: `m${model}`, item: `x${i} = Int('x${i}'); x${i} > ${i + model}` });
    }
  }
  await pause(1000);
  const full = residentMb(server.pid);
  await server.client.close();
  row(
    "100 models of 200 items in one server, over the idle server",
    "≤ 60 MB",
    `${(full - idle).toFixed(0)} MB (${idle.toFixed(0)} → ${full.toFixed(0)})`,
    full - idle <= 60,
  );
}
