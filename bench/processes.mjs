// The solver processes of a server, looked at through /proc, and how long they live once they should not.
import { readdirSync, readFileSync } from "node:fs";
import { median, ms, pause, quantile, row } from "./measure.mjs";

/** Every process below this one: its parent, and the processor ticks that it has used so far. */
function below(root) {
  const all = new Map(readdirSync("/proc").flatMap(statOf));
  const descends = (pid) => {
    const parent = all.get(pid)?.parent;
    return parent === root || (parent !== undefined && descends(parent));
  };
  return new Map([...all].filter(([pid]) => descends(pid)));
}

function statOf(entry) {
  if (!/^\d+$/.test(entry)) return [];
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent] = [fields[0], Number(fields[1])];
    return [[Number(entry), { state, parent, ticks: Number(fields[11]) + Number(fields[12]) }]];
  } catch {
    return [];
  }
}

/**
 * The one process at work, once all spares have started and rest, with those between it and the server.
 * Nothing when the call was over before that, as on a machine that is busy with other things.
 */
async function solverAtWork(server, call) {
  let last = "";
  let over = false;
  void call.then(() => {
    over = true;
  });
  while (!over) {
    const before = below(server);
    await pause(250);
    const after = below(server);
    const busy = [...after.keys()].filter((pid) => after.get(pid).ticks - (before.get(pid)?.ticks ?? 0) >= 2);
    if (busy.length === 1 && busy.join() === last) return withParents(busy[0], server, after);
    last = busy.join();
  }
  return [];
}

function withParents(pid, server, all) {
  return pid === server ? [] : [pid, ...withParents(all.get(pid).parent, server, all)];
}

/** A zombie is there until it is reaped; one that the system's first process has to reap is gone for us. */
function isThere(pid) {
  return statOf(String(pid)).some(({ 1: { parent, state } }) => !(state === "Z" && parent === 1));
}

async function gone(pids) {
  while (pids.some(isThere)) await pause(1);
  return performance.now();
}

/** How long the processes of a call live on when its client cancels it. `begin` starts a hopeless call. */
export async function cancelRow(what, { pid }, begin, trials = 50) {
  if (process.platform !== "linux") return row(what, "p99 ≤ 200 ms", "not measured: needs /proc");
  const times = [];
  for (let i = 0; i < trials; i++) {
    const cancel = new AbortController();
    const answer = begin({ signal: cancel.signal }).catch(() => {});
    const pids = await solverAtWork(pid, answer);
    const start = performance.now();
    cancel.abort();
    if (pids.length > 0) times.push((await gone(pids)) - start);
    await answer;
  }
  ageRow(what, times);
}

/** How long they live on when the time of the call is over. `begin` starts a hopeless call with this limit. */
export async function timeoutRow(what, { pid }, begin, timeout_ms, trials = 20) {
  if (process.platform !== "linux") return row(what, "p99 ≤ 200 ms", "not measured: needs /proc");
  const times = [];
  for (let i = 0; i < trials; i++) {
    const start = performance.now();
    const answer = begin();
    const pids = await solverAtWork(pid, answer);
    if (pids.length > 0) times.push((await gone(pids)) - start - timeout_ms);
    await answer;
  }
  ageRow(what, times);
}

function ageRow(what, times) {
  const p99 = quantile(times, 0.99);
  row(`${what}, ${times.length} trials`, "p99 ≤ 200 ms", `p99 ${ms(p99)}, median ${ms(median(times))}`, p99 <= 200);
}
