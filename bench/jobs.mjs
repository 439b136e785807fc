// Jobs and HTTP: how soon a job is seen, what a call pays for the seam, what a thousand kept jobs cost, what HTTP costs,
// how soon a cancelled call is gone, and a minute of mixed load. `npm run bench -- jobs`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cancelRows, loadRows, overheadRow } from "./http.mjs";
import { connect, median, ms, quantile, row, timed } from "./measure.mjs";
import { trivial } from "./scripts.mjs";

const tools = ["--tools", "smtlib,jobs"];
const kept = 1_000;

/** A thousand finished jobs, each with the answer of a usual solve, as a server writes them. */
function writeJobs(data) {
  const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
  const directory = join(data, "jobs");
  mkdirSync(directory, { recursive: true });
  const server = { id: "bench", host: "elsewhere", pid: 1, started: null };
  for (let i = 0; i < kept; i++) {
    const id = `j${[...String(i).padStart(20, "0")].map((digit) => alphabet[Number(digit)]).join("")}`;
    const write = (part, json) => writeFileSync(join(directory, `${id}.${part}.json`), JSON.stringify(json));
    const times = { created_ms: Date.now() - 1_000_000 + i, ended_ms: Date.now() - 500_000 + i, ran_s: 60 };
    const events = Array.from({ length: 20 }, (_, number) => ({
      number,
      at_s: number,
      text: `objective ${100 - number}`,
    }));
    const structured = { status: "sat", output: "x".repeat(4_000), warnings: [] };
    write("question", { question: { tool: "solve_smtlib", arguments: { smtlib: trivial } } });
    write("ending", { answer: { structured, text: ["x".repeat(4_000)] } });
    write("head", {
      ...{ version: 1, id, owner: "local", tool: "solve_smtlib", state: "done", server, ...times, doing: "solving" },
      ...{ best_so_far: "objective 80", events, restarted_as: null },
    });
  }
}

function residentMiB(pid) {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Spawn to the first answer, and the memory after a list of all jobs. */
async function startOf(data) {
  const { time, result: server } = await timed(() => connect({ VERDICT_DATA: data }, tools));
  const lists = [];
  for (let i = 0; i < 5; i++) lists.push((await timed(() => server.call("list_jobs", {}))).time);
  const memory = process.platform === "linux" ? residentMiB(server.pid) : Number.NaN;
  await server.client.close();
  return { time, memory, list: median(lists) };
}

async function firstSightRow(data) {
  const server = await connect({ VERDICT_DATA: data }, tools);
  await server.call("solve_smtlib", { smtlib: trivial });
  const times = [];
  for (let i = 0; i < 100; i++) {
    const { time } = await timed(async () => {
      const { job_id } = await server.call("start_job", { tool: "solve_smtlib", arguments: { smtlib: trivial } });
      const seen = await server.call("get_job", { job_id, wait_s: 0 });
      if (seen.job_id !== job_id) throw new Error(JSON.stringify(seen));
    });
    times.push(time);
    const { jobs } = await server.call("list_jobs", {});
    for (const { job_id, state } of jobs) if (state === "running") await server.call("get_job", { job_id });
  }
  await server.client.close();
  const middle = median(times);
  row(
    "local job: start to first sight by get_job",
    "≤ 10 ms",
    `median ${ms(middle)}, p99 ${ms(quantile(times, 0.99))}`,
    middle <= 10,
  );
}

/** A call that is not handed over, with the seam and without it, by turns. */
async function seamRow(data) {
  const with_seam = await connect({ VERDICT_DATA: data, VERDICT_HANDOVER_MS: "45000" }, tools);
  const without = await connect({ VERDICT_DATA: data, VERDICT_HANDOVER_MS: "0" }, tools);
  const times = { with_seam: [], without: [] };
  const fault = { smtlib: "(assert" };
  for (let i = 0; i < 300; i++) {
    times.with_seam.push((await timed(() => with_seam.call("solve_smtlib", fault))).time);
    times.without.push((await timed(() => without.call("solve_smtlib", fault))).time);
  }
  await with_seam.client.close();
  await without.client.close();
  const more = median(times.with_seam) - median(times.without);
  row(
    "the seam, for a call that only reads its script",
    "reported",
    `${more.toFixed(2)} ms more than ${ms(median(times.without))}`,
  );
}

/** All rows of jobs. */
export async function jobsRows() {
  const data = mkdtempSync(join(tmpdir(), "verdict-bench-jobs-"));
  const empty = mkdtempSync(join(tmpdir(), "verdict-bench-jobs-"));
  try {
    await firstSightRow(empty);
    await seamRow(empty);
    await overheadRow(empty);
    await cancelRows(empty, 100);
    rmSync(join(empty, "jobs"), { recursive: true });
    writeJobs(data);
    const [full, none] = [[], []];
    for (let i = 0; i < 7; i++) {
      full.push(await startOf(data));
      none.push(await startOf(empty));
    }
    const of = (runs, what) => median(runs.map((run) => run[what]));
    const memory = of(full, "memory") - of(none, "memory");
    const start = of(full, "time") - of(none, "time");
    row(
      `${kept} jobs kept: memory after they were listed`,
      "≤ 20 MB more",
      `${memory.toFixed(1)} MB more`,
      memory <= 20,
    );
    row(`${kept} jobs kept: start of the server`, "≤ 100 ms more", `${ms(start)} more`, start <= 100);
    row(`${kept} jobs kept: list_jobs`, "reported", ms(of(full, "list")));
    await loadRows();
  } finally {
    for (const directory of [data, empty]) rmSync(directory, { recursive: true, force: true });
  }
}
