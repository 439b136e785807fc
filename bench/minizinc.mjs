// The language `minizinc` against a bare `minizinc`. VERDICT_MINIZINC names the native one, else the one on PATH is
// taken; without one its rows are left out.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, sep } from "node:path";
import { hopeless, models, slow } from "./constraint_models.mjs";
import { compare, connect, median, ms, pause, ratio, row, sorted, timed } from "./measure.mjs";
import { cancelRow, timeoutRow } from "./processes.mjs";

const files = mkdtempSync(join(tmpdir(), "verdict-bench-"));
const command = process.env.VERDICT_MINIZINC ?? "minizinc";
const has_native = command !== "wasm" && spawnSync(command, ["--version"]).status === 0;
/** Chooses the build; a native one that is named is used whatever its age. */
const builds = {
  ...(has_native && { native: { VERDICT_MINIZINC: onPath(command) } }),
  wasm: { VERDICT_MINIZINC: "wasm" },
};

function onPath(name) {
  const paths = (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, name));
  return [name, ...paths].find((path) => path.includes(sep) && existsSync(path)) ?? name;
}

/** All rows of the language `minizinc`. */
export async function minizincRows() {
  try {
    console.log(has_native ? versionOf(command) : "no native minizinc: its rows are left out");
    if (has_native) await mediumRows();
    await trivialRow();
    for (const build of Object.keys(builds)) {
      await firstSolutionRow(build);
      await goneRows(build);
    }
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

function versionOf(program) {
  return spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.split("\n")[0];
}

async function opened(build, text) {
  const server = await connect(builds[build]);
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
      const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.resume();
      child.once("close", resolve);
    });
}

async function mediumRows() {
  const ratios = { native: [], wasm: [] };
  for (const [name, text] of Object.entries(models)) {
    for (const build of ["native", "wasm"]) {
      const server = await opened(build, text);
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
  const server = await opened("wasm", "var 1..9: x;\nconstraint x > 5;\nsolve satisfy;");
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

/** Compares with the time that the answer itself, or the bare solver, says it was found after. */
async function firstSolutionRow(build) {
  const server = await opened(build, slow);
  const late = [];
  for (let i = 0; i < 5; i++) {
    await pause(2500);
    let heard;
    const start = performance.now();
    const onprogress = ({ message }) => {
      if (/objective/.test(message)) heard ??= performance.now() - start;
    };
    await server.call("solve_model", { timeout_ms: 3000 }, { onprogress });
    late.push({ heard, bare: build === "native" ? await firstOfBare() : 0 });
  }
  await server.client.close();
  const lateness = median(late.map(({ heard, bare }) => heard - bare));
  const heard = ms(median(late.map(({ heard }) => heard)));
  row(
    `first intermediate solution of a hard optimisation, ${build}, until the client has it`,
    "≤ 300 ms after the solver printed it",
    build === "native"
      ? `${heard} after the call began, ${ms(lateness)} after bare minizinc printed it`
      : `${heard} after the call began, compiling and all`,
    build === "native" ? lateness <= 300 : undefined,
  );
}

async function goneRows(build) {
  const server = await opened(build, hopeless);
  const begin = (timeout_ms) => (options) => server.call("solve_model", { timeout_ms }, options);
  // Long enough for the next spare to have started and rest.
  const limit = build === "wasm" ? 8000 : 3000;
  await cancelRow(`MiniZinc: cancel to solver processes gone, ${build}`, server, begin(60_000), 30);
  await timeoutRow(`MiniZinc: time limit to solver processes gone, ${build}`, server, begin(limit), limit, 10);
  await server.client.close();
}

function firstOfBare() {
  const file = join(files, "slow.mzn");
  writeFileSync(file, slow);
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, ["--solver", "gecode", "--json-stream", "-i", file], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout.on("data", (chunk) => {
      if (!String(chunk).includes("solution")) return;
      resolve(performance.now() - start);
      child.kill("SIGTERM");
    });
  });
}
