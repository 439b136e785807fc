// solve_smtlib against a bare Z3. VERDICT_Z3 names the native one; without one its rows are left out.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { cli, compare, connect, median, ms, pause, ratio, row, sorted, timed } from "./measure.mjs";
import { cancelRow } from "./processes.mjs";
import { hopeless, scripts, trivial } from "./scripts.mjs";

const files = mkdtempSync(join(tmpdir(), "verdict-bench-"));

/** The native Z3 to compare with, if there is one. */
export function nativeZ3() {
  const named = process.env.VERDICT_Z3;
  if (named && named !== "wasm") return named;
  const paths = (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, "z3"));
  return paths.find((path) => spawnSync(path, ["--version"]).status === 0);
}

async function connectZ3(env, program) {
  const { client, call, pid } = await connect(env, [], program);
  return { client, solve: (args, options) => call("solve_smtlib", args, options), pid };
}

/** A bare Z3 with a script, in a process of its own. */
export function bare(z3, file) {
  return new Promise((resolve) => {
    const child = spawn(z3, [file], { stdio: ["ignore", "pipe", "ignore"] });
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.once("close", () => resolve(out.trim()));
  });
}

/** The file of a script. */
export function scriptFile(name, text) {
  const file = join(files, `${name}.smt2`);
  writeFileSync(file, text);
  return file;
}

/** Time for the next spare to warm, as between two calls of a person. */
const settle = { native: 100, wasm: 1500 };

async function trivialRows(native) {
  const file = scriptFile("trivial", trivial);
  for (const build of ["native", "wasm"]) {
    const server = await connectZ3({ VERDICT_Z3: build === "native" ? native : "wasm" });
    await server.solve({ smtlib: trivial });
    await pause(1500);
    const a = [];
    const b = [];
    for (let i = 0; i < 25; i++) {
      a.push((await timed(() => server.solve({ smtlib: trivial }))).time);
      await pause(settle[build]);
      b.push((await timed(() => bare(native, file))).time);
      await pause(40);
    }
    await server.client.close();
    const target = build === "native" ? 1.0 : 2.0;
    const value = median(a) / median(b);
    row(
      `warm trivial solve, ${build}, against spawning bare z3`,
      `≤ ${target.toFixed(1)}`,
      `${value.toFixed(2)} (${ms(median(a))} / ${ms(median(b))})`,
      value <= target,
    );
  }
}

async function mediumRows(native) {
  const servers = { native: await connectZ3({ VERDICT_Z3: native }), wasm: await connectZ3({ VERDICT_Z3: "wasm" }) };
  const ratios = { native: [], wasm: [] };
  for (const [name, text] of Object.entries(scripts)) {
    const file = scriptFile(name, text);
    for (const build of ["native", "wasm"]) {
      const solve = async () => {
        const answer = await servers[build].solve({ smtlib: text, timeout_ms: 120_000 });
        if (answer.status !== "sat" && answer.status !== "unsat") throw new Error(`${name}: ${JSON.stringify(answer)}`);
      };
      await solve();
      await pause(800);
      const { ours, theirs } = await compare(
        build === "native" ? 7 : 3,
        solve,
        () => bare(native, file),
        settle[build],
      );
      ratios[build].push(ours / theirs);
      console.log(`    ${name} on ${build}: ${ratio(ours, theirs)} (${ms(ours)} / ${ms(theirs)})`);
    }
  }
  for (const server of Object.values(servers)) await server.client.close();
  const middle = median(ratios.native);
  row("12 medium scripts, native, against bare z3: median", "≤ 1.05", middle.toFixed(2), middle <= 1.05);
  const range = sorted(ratios.wasm);
  row(
    "12 medium scripts, wasm, against bare native z3",
    "report",
    `median ${median(ratios.wasm).toFixed(2)}, ${range[0].toFixed(2)} to ${range.at(-1).toFixed(2)}`,
  );
}

async function startRow() {
  const hello = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "0" } },
  });
  const ours = () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [cli], { stdio: ["pipe", "pipe", "ignore"] });
      child.stdout.once("data", () => {
        resolve();
        child.kill("SIGKILL");
      });
      child.stdin.write(`${hello}\n`);
    });
  const theirs = () =>
    new Promise((resolve) => spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }).once("exit", resolve));
  const found = await compare(21, ours, theirs);
  const target = Number(process.versions.node.split(".")[0]) >= 24 ? 4 : 4.5;
  const value = found.ours / found.theirs;
  row(
    `spawn to initialize, Node ${process.versions.node}, against node -e 0`,
    `≤ ${target}`,
    `${value.toFixed(2)} (${ms(found.ours)} / ${ms(found.theirs)})`,
    value <= target,
  );
}

async function cancelZ3Row(build, z3) {
  const server = await connectZ3({ VERDICT_Z3: z3 });
  const begin = (options) => server.solve({ smtlib: hopeless, timeout_ms: 60_000 }, options);
  await cancelRow(`cancel to solver process gone, ${build}`, server, begin);
  await server.client.close();
}

/** The least time in which these jobs fit on a number of cores: longest first (Graham, 1969). */
function idealSchedule(jobs, cores) {
  const loads = Array(cores).fill(0);
  for (const job of [...jobs].sort((a, b) => b - a)) loads[loads.indexOf(Math.min(...loads))] += job;
  return Math.max(...loads);
}

/** Sixteen calls at once on a Z3, which the environment names, by this server or that of another version. */
export async function burstRow(build, env, program) {
  const server = await connectZ3(env, program);
  const one = async (i) =>
    i === 5
      ? server.solve({ smtlib: hopeless, timeout_ms: 1000 })
      : server.solve({ smtlib: scripts.opt_knapsack.replace("(maximize", `(assert (>= 100 ${i}))\n(maximize`) });
  await one(0);
  await pause(1500);
  const alone = [];
  for (let i = 0; i < 5; i++) {
    alone.push((await timed(() => one(0))).time);
    await pause(700);
  }
  const burst = await timed(() => Promise.all(Array.from({ length: 16 }, (_, i) => one(i))));
  await server.client.close();
  const right = burst.result.filter(({ status }) => status === "sat").length;
  const open = burst.result.filter(({ status, reason }) => status === "unknown" && reason === "timeout").length;
  const ideal = idealSchedule([1000, ...Array(15).fill(median(alone))], availableParallelism());
  const value = burst.time / ideal;
  row(
    `16 calls at once, one hopeless with 1 s, ${build}`,
    "15 right, 1 timeout, ≤ 1.2 × ideal",
    `${right} right, ${open} timeout, ${value.toFixed(2)} (${ms(burst.time)} / ${ms(ideal)})`,
    right === 15 && open === 1 && value <= 1.2,
  );
}

async function restRows() {
  const server = await connectZ3({ VERDICT_Z3: "wasm" });
  const { tools } = await server.client.listTools();
  await pause(500);
  if (process.platform === "linux") {
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    const mib = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
    row("server memory at rest, without spares", "≤ 120 MB RSS", `${mib.toFixed(0)} MB`, mib <= 120);
  }
  await server.client.close();
  const tokens = Math.ceil(JSON.stringify(tools).length / 4);
  row("the tool listing (JSON length / 4)", "≤ 3,300 tokens", `${tokens}`, tokens <= 3300);
}

/** All rows of solve_smtlib. */
export async function smtlibRows() {
  const native = nativeZ3();
  console.log(
    native
      ? spawnSync(native, ["--version"], { encoding: "utf8" }).stdout.trim()
      : "no native Z3: its rows are left out",
  );
  try {
    await restRows();
    await startRow();
    if (native) {
      await trivialRows(native);
      await burstRow("native", { VERDICT_Z3: native });
      await cancelZ3Row("native", native);
      await mediumRows(native);
    }
    await burstRow("wasm", { VERDICT_Z3: "wasm" });
    await cancelZ3Row("wasm", "wasm");
  } finally {
    rmSync(files, { recursive: true });
  }
}
