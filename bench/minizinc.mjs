// The language `minizinc` against a bare `minizinc`; without a native one those rows are left out.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { models, slow } from "./constraint_models.mjs";
import { compare, connect, median, ms, pause, ratio, row, sorted, timed } from "./measure.mjs";

const files = mkdtempSync(join(tmpdir(), "verdict-bench-"));
const native = () => spawnSync("minizinc", ["--version"]).status === 0;

/** All rows of the language `minizinc`. */
export async function minizincRows() {
  try {
    if (native()) await mediumRows();
    else console.log("no native minizinc: its rows are left out");
    await trivialRow();
    await firstSolutionRow();
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

async function opened(env, text) {
  const server = await connect(env);
  await server.call("clear_model", { language: "minizinc" });
  await server.call("add_item", { item: text });
  return server;
}

function bare(name, text) {
  const file = join(files, `${name}.mzn`);
  writeFileSync(file, text);
  return () =>
    new Promise((resolve) => {
      const args = ["--solver", "gecode", "--json-stream", "--statistics", file];
      const child = spawn("minizinc", args, { stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.resume();
      child.once("close", resolve);
    });
}

async function mediumRows() {
  const ratios = { native: [], wasm: [] };
  for (const [name, text] of Object.entries(models)) {
    for (const build of ["native", "wasm"]) {
      const server = await opened(build === "wasm" ? { VERDICT_MINIZINC: "wasm" } : {}, text);
      const solve = async () => {
        const answer = await server.call("solve_model", { timeout_ms: 120_000 });
        if (answer.status !== "sat") throw new Error(`${name}: ${JSON.stringify(answer).slice(0, 500)}`);
      };
      await solve();
      await pause(1500);
      const settle_ms = build === "wasm" ? 1500 : 100;
      const { ours, theirs } = await compare(build === "native" ? 5 : 2, solve, bare(name, text), settle_ms);
      await server.client.close();
      ratios[build].push(ours / theirs);
      console.log(`    ${name} on ${build}: ${ratio(ours, theirs)} (${ms(ours)} / ${ms(theirs)})`);
    }
  }
  const middle = median(ratios.native);
  row("8 medium models, native, against bare minizinc: median", "≤ 1.05", middle.toFixed(2), middle <= 1.05);
  const range = sorted(ratios.wasm);
  row(
    "8 medium models, embedded and warm, against bare minizinc",
    "report",
    `median ${median(ratios.wasm).toFixed(2)}, ${range[0].toFixed(2)} to ${range.at(-1).toFixed(2)}`,
  );
}

async function trivialRow() {
  const server = await opened({ VERDICT_MINIZINC: "wasm" }, "var 1..9: x;\nconstraint x > 5;\nsolve satisfy;");
  await server.call("solve_model", {});
  const times = [];
  for (let i = 0; i < 9; i++) {
    await pause(2500);
    times.push((await timed(() => server.call("solve_model", {}))).time);
  }
  await server.client.close();
  const value = median(times);
  row("a trivial model, embedded and warm", "≤ 400 ms", ms(value), value <= 400);
}

async function firstSolutionRow() {
  const server = await opened(native() ? {} : { VERDICT_MINIZINC: "wasm" }, slow);
  await server.call("solve_model", { timeout_ms: 2000 });
  await pause(1000);
  let heard;
  const start = performance.now();
  const answer = await server.call(
    "solve_model",
    { timeout_ms: 6000 },
    {
      onprogress: ({ message }) => {
        if (/objective/.test(message)) heard ??= performance.now() - start;
      },
    },
  );
  await server.client.close();
  const first = native() ? await firstOfBare() : undefined;
  row(
    "first intermediate solution of a hard optimisation, heard by the client",
    "≤ 300 ms after the solver printed it",
    first === undefined
      ? `${ms(heard)} after the call began`
      : `${ms(heard)} after the call began; bare minizinc prints it after ${ms(first)}; then ${answer.status}, optimal ${answer.optimal}`,
    first === undefined ? undefined : heard - first <= 300,
  );
}

function firstOfBare() {
  const file = join(files, "slow.mzn");
  writeFileSync(file, slow);
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn("minizinc", ["--solver", "gecode", "--json-stream", "-i", file], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout.on("data", (chunk) => {
      if (!String(chunk).includes("solution")) return;
      resolve(performance.now() - start);
      child.kill("SIGTERM");
    });
  });
}
