// Verdict over HTTP: what it costs over stdio, how soon a cancelled call's solver is gone, and mixed load of several
// principals. Parts of `npm run bench -- jobs`; the load alone is `npm run bench -- load`.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHttp, serveHttp, writeTokens } from "./http_client.mjs";
import { connect, median, ms, pause, quantile, row, timed } from "./measure.mjs";
import { trivial } from "./scripts.mjs";

const eras = ["legacy", "auto"];
/** Whether 114 is a sum of three cubes is an open question. */
const open_question = {
  engine: "z3",
  timeout_ms: 300_000,
  smtlib:
    "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))",
};

/** A warm call that costs nothing by itself: a script that is refused when it is read. */
export async function overheadRow(data) {
  const server = await serveHttp(["--tools", "smtlib"], { VERDICT_DATA: data });
  const stdio = await connect({ VERDICT_DATA: data }, ["--tools", "smtlib"]);
  const clients = { stdio };
  for (const era of eras) clients[era] = await connectHttp(server.url, era);
  const times = { stdio: [], legacy: [], auto: [] };
  for (let i = 0; i < 320; i++)
    for (const [name, { call }] of Object.entries(clients)) {
      const { time } = await timed(() => call("solve_smtlib", { smtlib: "(assert" }));
      if (i >= 20) times[name].push(time);
    }
  for (const { client } of Object.values(clients)) await client.close();
  await server.end();
  for (const era of eras) {
    const more = median(times[era]) - median(times.stdio);
    row(
      `HTTP over stdio, warm trivial call, ${eraName(era)}`,
      "≤ 2 ms median",
      `${more.toFixed(2)} ms more than ${ms(median(times.stdio))}; p99 ${ms(quantile(times[era], 0.99))}`,
      more <= 2,
    );
  }
}

const eraName = (era) => (era === "legacy" ? "2025" : "2026");

/** Processes below this one, and how long each has computed, in seconds. */
function descendants(pid) {
  const stats = readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return [{ pid: Number(entry), parent: Number(fields[1]), state: fields[0], cpu_s: Number(fields[11]) / 100 }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
  const found = [];
  for (const near = [pid]; near.length > 0; ) {
    const parent = near.pop();
    for (const each of stats) {
      if (each.parent !== parent || each.state === "Z") continue;
      found.push(each);
      near.push(each.pid);
    }
  }
  return found;
}

/** From the moment in which a client gives a call up to the one in which its solver is gone. */
export async function cancelRows(data, times) {
  if (process.platform !== "linux") return;
  const server = await serveHttp(["--tools", "smtlib,jobs"], { VERDICT_DATA: data });
  for (const era of eras) {
    const { client, call } = await connectHttp(server.url, era);
    await call("solve_smtlib", { smtlib: trivial });
    const gone = [];
    for (let i = 0; i < times; i++) {
      const idle = new Map(descendants(server.pid).map((each) => [each.pid, each.cpu_s]));
      const stop = new AbortController();
      const given_up = call("solve_smtlib", open_question, { signal: stop.signal }).catch(() => {});
      const solvers = () =>
        descendants(server.pid).filter(
          ({ pid, cpu_s }) => cpu_s - (idle.get(pid) ?? 0) >= (idle.has(pid) ? 0.05 : 0.3),
        );
      let working = solvers();
      while (working.length === 0) {
        await pause(10);
        working = solvers();
      }
      const start = performance.now();
      stop.abort();
      while (working.some(({ pid }) => descendants(server.pid).some((each) => each.pid === pid))) await pause(2);
      gone.push(performance.now() - start);
      await given_up;
    }
    await client.close();
    const worst = quantile(gone, 0.99);
    row(
      `cancel over HTTP to solver process gone, ${eraName(era)}`,
      "p99 ≤ 250 ms",
      `median ${ms(median(gone))}, p99 ${ms(worst)} of ${times}`,
      worst <= 250,
    );
  }
  await server.end();
}

const timeout_ms = 100_000;

/** The calls of the load: each has an answer that only its own principal and number can have. */
const kinds = [
  async (call, mark) => {
    const { status, model } = await call("solve_smtlib", {
      smtlib: `(declare-const x Int)(assert (= x ${mark}))`,
      timeout_ms,
    });
    return status === "sat" && model?.x === String(mark);
  },
  async (call, mark) => {
    const begun = await call("start_job", {
      tool: "solve_smtlib",
      arguments: { smtlib: `(declare-const y Int)(assert (= y ${mark}))`, timeout_ms },
    });
    const { status, model } = await call("get_job", { job_id: begun.job_id, wait_s: 40 });
    return (status === "sat" && model?.y === String(mark)) || status === "running";
  },
  async (call) => (await call("solve_smtlib", { smtlib: "(assert" })).code === "syntax_error",
  async (call, mark) => {
    const model = `int: n = ${mark}; var n..n: v; solve satisfy;`;
    const answer = await call("solve", { language: "minizinc", model, timeout_ms });
    return JSON.stringify(answer).includes(String(mark));
  },
  async (call, _, random) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20 + 400 * random);
    return call("solve_smtlib", open_question, { signal: stop.signal }).then(
      () => false,
      () => true,
    );
  },
];

const residentMiB = (pid) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Sixteen calls at once of five principals, for a number of seconds (`VERDICT_BENCH_LOAD_S`; an hour is 3600). */
export async function loadRows(seconds = Number(process.env.VERDICT_BENCH_LOAD_S ?? 60)) {
  const data = mkdtempSync(join(tmpdir(), "verdict-bench-load-"));
  const file = join(data, "tokens.json");
  const tokens = writeTokens(file, ["ann", "bob", "cyd", "dan", "eve"]);
  const temporary = mkdtempSync(join(data, "tmp-"));
  const env = { VERDICT_DATA: data, TMPDIR: temporary };
  const server = await serveHttp(["--tools", "smtlib,model,jobs", "--tokens", file], env);
  const end = performance.now() + seconds * 1_000;
  const done = { calls: 0, busy: 0, undecided: 0, wrong: [], times: [], memory: [] };
  const sampler = setInterval(() => done.memory.push(residentMiB(server.pid)), Math.min(5_000, seconds * 50));
  await Promise.all(Array.from({ length: 16 }, (_, i) => caller(i, server.url, tokens[i % tokens.length], end, done)));
  clearInterval(sampler);
  const left = await stillComputing(server.pid);
  const open_files = readdirSync(`/proc/${server.pid}/fd`).length;
  const foreign = await foreignJobs(server.url, tokens);
  await server.end();
  const files_left = readdirSync(temporary).length;
  rmSync(data, { recursive: true, force: true });
  // The first quarter is for warming up.
  const warm = done.memory.slice(Math.floor(done.memory.length / 4));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const [before, after] = [median(warm.slice(0, third)), median(warm.slice(-third))];
  const of_time = `${seconds} s at 16 at once, 5 principals`;
  row(
    `mixed load, ${of_time}`,
    "flat memory",
    `${done.calls} calls, ${done.busy} busy, ${done.undecided} out of time; median ${ms(median(done.times))}; server ${before.toFixed(0)} then ${after.toFixed(0)} MB`,
    after <= before * 1.1 + 10,
  );
  row(
    `the same: wrong answers, jobs of others found, solvers left, temporary files left`,
    "0, 0, 0, 0",
    `${done.wrong.length}, ${foreign}, ${left.length}, ${files_left}; ${open_files} descriptors open`,
    done.wrong.length + foreign + left.length + files_left === 0,
  );
  for (const each of done.wrong.slice(0, 5)) console.error("wrong:", each);
  for (const each of left) console.error("left:", each);
  const tenth = Math.max(1, Math.floor(done.memory.length / 10));
  const tenths = Array.from({ length: 10 }, (_, i) => median(done.memory.slice(i * tenth, (i + 1) * tenth)) ?? 0);
  console.error("memory by tenths of the time, MB:", tenths.map((each) => each.toFixed(0)).join(" "));
}

/**
 * What still computes below this process two minutes after the last call: engines that are being started as spares
 * are done by then, and no question of the load is that short.
 */
async function stillComputing(pid) {
  let left = [];
  for (let i = 0; i < 12; i++) {
    const before = new Map(descendants(pid).map((each) => [each.pid, each.cpu_s]));
    await pause(10_000);
    left = descendants(pid).filter((each) => each.cpu_s - (before.get(each.pid) ?? 0) > 0.3);
    if (left.length === 0) break;
  }
  return left.map((each) => `process ${each.pid}, ${each.cpu_s} s of processor time`);
}

/** A call that was refused, or had no time left, on a machine that does other things. */
class Unanswered extends Error {}

/** One caller of the load: a client that makes one call after the other, and now and then comes anew. */
async function caller(number, url, { name, token }, end, done) {
  for (let round = 0; performance.now() < end; round++) {
    const connected = await connectHttp(url, eras[(number + round) % 2], token).catch((error) => {
      // On a starved machine its time can run out too; any other failure is one of the server.
      if (error.code === "REQUEST_TIMEOUT") done.undecided++;
      else done.wrong.push(`${name}: connecting: ${error.message}`);
    });
    if (!connected) continue;
    const { client, call } = connected;
    for (let i = 0; i < 40 && performance.now() < end; i++) {
      const kind = kinds[Math.floor(Math.random() * kinds.length)];
      const mark = number * 1_000_000 + round * 1_000 + i;
      const answer = async (...given) => {
        let structured = await call(...given);
        const { job_id } = structured;
        // On a busy machine a call can be handed over.
        while (structured.status === "running" && given[0] !== "start_job")
          structured = await call("get_job", { job_id });
        if (structured.code === "busy") throw new Unanswered("busy");
        if (structured.status === "timeout" || structured.reason === "timeout") throw new Unanswered("timeout");
        return structured;
      };
      try {
        const { time, result } = await timed(() => kind(answer, mark, Math.random()));
        done.calls++;
        if (done.times.length < 200_000) done.times.push(time);
        if (!result) done.wrong.push(`${name}: kind ${kinds.indexOf(kind)}, mark ${mark}`);
      } catch (error) {
        if (!(error instanceof Unanswered)) done.wrong.push(`${name}: kind ${kinds.indexOf(kind)}: ${error.message}`);
        else if (error.message === "busy") done.busy++;
        else done.undecided++;
      }
    }
    await client.close();
  }
}

/** How many jobs of one principal another one can read. */
async function foreignJobs(url, tokens) {
  const clients = await Promise.all(tokens.map(({ token }) => connectHttp(url, "auto", token)));
  let found = 0;
  for (const [i, { call }] of clients.entries()) {
    const { jobs } = await call("list_jobs", {});
    const other = clients[(i + 1) % clients.length];
    for (const { job_id } of jobs.slice(0, 20)) {
      const seen = await other.call("get_job", { job_id, wait_s: 0 });
      if (seen.code !== "invalid_argument") found++;
    }
  }
  for (const { client } of clients) await client.close();
  return found;
}
