// Calls and jobs through a real Redis: what a call pays, how much more workers do, and what is lost when they are killed.
// `npm run bench -- queue`; it needs redis-server. Work that sleeps shows the queue alone: two cores can't show eight solvers.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { bundled, cli, connect, median, ms, pause, quantile, row, timed } from "./measure.mjs";
import { trivial } from "./scripts.mjs";

const sleepers_max = 8;
const jobs_of_storm = 500;

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function openRedis(directory) {
  const port = await freePort();
  const options = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    directory,
    "--save",
    "",
    "--appendonly",
    "yes",
  ];
  const child = spawn("redis-server", options, { stdio: "ignore" });
  while (spawnSync("redis-cli", ["-p", String(port), "ping"], { encoding: "utf8" }).stdout.trim() !== "PONG")
    await pause(20);
  return { url: `redis://127.0.0.1:${port}`, close: () => child.kill() };
}

/** A worker whose tool sleeps. */
async function startSleeper(file, url, options = {}) {
  const child = spawn(process.execPath, [file, JSON.stringify({ url, ...options })], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise((done) => child.stderr.once("data", done));
  return child;
}

async function end(children) {
  const gone = children.map(
    (child) => child.exitCode ?? child.signalCode ?? new Promise((done) => child.once("exit", done)),
  );
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(gone);
}

async function startWorker(url, data, at_once) {
  const child = spawn(process.execPath, [cli, "worker", "--tools", "smtlib", "--at-once", String(at_once)], {
    env: { ...process.env, VERDICT_REDIS: url, VERDICT_DATA: data },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise((done) => child.stderr.once("data", done));
  await pause(1_500);
  return child;
}

async function trivialRow(url, data) {
  const worker = await startWorker(url, data, 2);
  const tools = ["--tools", "smtlib"];
  const through = await connect({ VERDICT_REDIS: url, VERDICT_DATA: data }, tools);
  const local = await connect({ VERDICT_REDIS: "", VERDICT_DATA: data }, tools);
  const times = { through: [], local: [] };
  for (let i = 0; i < 110; i++)
    for (const [name, server] of Object.entries({ through, local })) {
      const { time } = await timed(() => server.call("solve_smtlib", { smtlib: trivial }));
      if (i >= 10) times[name].push(time);
      await pause(60);
    }
  await Promise.all([through.client.close(), local.client.close()]);
  await end([worker]);
  const more = median(times.through) - median(times.local);
  const shown = `${ms(more)} more: median ${ms(median(times.through))}, p99 ${ms(quantile(times.through, 0.99))}; local ${ms(median(times.local))}, p99 ${ms(quantile(times.local, 0.99))}`;
  row("through Redis: trivial call, median over local", "≤ 8 ms", shown, more <= 8);
}

async function all(server, count, time) {
  const ids = [];
  for (let n = 0; n < count; n++)
    ids.push((await server.call("start_job", { tool: "sleep", arguments: { n, ms: time } })).job_id);
  return ids;
}

/** Waits for a job as often as it takes; its answer, or the code of its fault. */
async function outcome(server, job_id) {
  for (;;) {
    const seen = await server.call("get_job", { job_id, wait_s: 40 }).catch((fault) => ({ fault: fault.code }));
    if (seen.status !== "running") return seen;
  }
}

async function scalingRows(parts, url, file) {
  const speeds = new Map();
  for (const count of [1, 2, 4, sleepers_max]) {
    const workers = await Promise.all(Array.from({ length: count }, () => startSleeper(file, url)));
    const server = await parts.openServer(url);
    await pause(1_500);
    const number = 800;
    const { time, result } = await timed(async () => {
      const ids = await all(server, number, 100);
      return Promise.all(ids.map((id) => outcome(server, id)));
    });
    if (result.some((seen, n) => seen.twice !== 2 * n)) throw new Error("an answer is wrong");
    speeds.set(count, number / (time / 1000));
    server.close();
    await end(workers);
  }
  const one = speeds.get(1);
  const shown = [...speeds]
    .map(([count, speed]) => `${count}: ×${(speed / one).toFixed(2)} (${speed.toFixed(1)}/s)`)
    .join(", ");
  const most = speeds.get(sleepers_max) / one;
  row("800 jobs of 100 ms sleep, by workers of one at once", "8 workers ≥ 7.2 × one", shown, most >= 7.2);
}

/** Long enough that the queue costs little, and with one solver process at a time. */
const pigeons = (() => {
  const holes = 7;
  const name = (i, j) => `p${i}_${j}`;
  const all = Array.from({ length: holes + 1 }, (_, i) => Array.from({ length: holes }, (_, j) => name(i, j)));
  const lines = all.flat().map((v) => `(declare-const ${v} Bool)`);
  for (const row of all) lines.push(`(assert (or ${row.join(" ")}))`);
  for (let j = 0; j < holes; j++)
    for (let a = 0; a <= holes; a++)
      for (let b = a + 1; b <= holes; b++) lines.push(`(assert (not (and ${name(a, j)} ${name(b, j)})))`);
  return lines.join("\n");
})();

async function realRow(url, data) {
  const times = [];
  for (const count of [1, 2]) {
    const workers = await Promise.all(Array.from({ length: count }, () => startWorker(url, data, 1)));
    const server = await connect({ VERDICT_REDIS: url, VERDICT_DATA: data }, ["--tools", "smtlib"]);
    const solve = () => server.call("solve_smtlib", { smtlib: pigeons, engine: "z3", timeout_ms: 120_000 });
    await Promise.all([solve(), solve()]);
    const { time, result } = await timed(() => Promise.all(Array.from({ length: 12 }, solve)));
    if (result.some(({ status }) => status !== "unsat")) throw new Error("an answer is wrong");
    times.push(time);
    await server.client.close();
    await end(workers);
  }
  const [one, two] = times;
  row("12 real solves on two workers against one", "reported", `×${(one / two).toFixed(2)} (${ms(one)}, ${ms(two)})`);
}

async function stormRow(parts, url, file) {
  const server = await parts.openServer(url);
  const options = { at_once: 2, lock_ms: 3_000, stalled_ms: 1_500 };
  const workers = await Promise.all(Array.from({ length: 4 }, () => startSleeper(file, url, options)));
  await pause(1_500);
  const ids = await all(server, jobs_of_storm, 300);
  let kills = 0;
  const killing = setInterval(async () => {
    const at = Math.floor(Math.random() * workers.length);
    workers[at].kill("SIGKILL");
    kills++;
    workers[at] = await startSleeper(file, url, options);
  }, 2_000);
  const ended = await Promise.all(ids.map((id) => outcome(server, id)));
  clearInterval(killing);
  // A second look: what was recorded does not change.
  const again = await Promise.all(ids.map((id) => outcome(server, id)));
  await pause(3_000);
  await end(workers);
  server.close();
  const right = ended.filter((seen, n) => seen.twice === 2 * n).length;
  const failed = ended.filter(({ fault }) => fault === "engine_failed").length;
  const changed = ended.filter((seen, n) => seen.pid !== again[n].pid || seen.fault !== again[n].fault).length;
  const lost = jobs_of_storm - right - failed;
  const shown = `${right} right, ${failed} engine_failed, ${lost} lost, ${changed} answered twice; ${kills} kills`;
  const met = lost === 0 && changed === 0;
  row("kill -9 of a random worker every 2 s during 500 jobs", "each answered once: right or engine_failed", shown, met);
}

/** The program of a worker whose tool sleeps. */
async function buildSleeper() {
  const file = resolve(".cache/sleeper.mjs");
  const bundle = await rolldown({
    input: "test/support/queue_worker.ts",
    platform: "node",
    external: ["bullmq", "ioredis"],
    logLevel: "silent",
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}

export async function queueRows() {
  const directory = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const redis = await openRedis(directory);
  try {
    console.log(`Load at the begin: ${loadavg()[0].toFixed(1)}`);
    const file = await buildSleeper();
    const parts = await bundled("bench/queue_parts.ts");
    await trivialRow(redis.url, directory);
    await scalingRows(parts, redis.url, file);
    await realRow(redis.url, directory);
    await stormRow(parts, redis.url, file);
    console.log(`Load at the end: ${loadavg()[0].toFixed(1)}`);
  } finally {
    redis.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}
