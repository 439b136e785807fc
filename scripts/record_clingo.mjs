// Records what real clingos print, for the tests of src/engines/clingo/read.ts:
//   node scripts/record_clingo.mjs PATH_OF_A_NATIVE_CLINGO
// It records that one and the embedded one (build first). Each file of test/fixtures/clingo/ is the JSON of
// one run: how the process ended, its stdout, its stderr. `cut_…` are runs that were killed.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("../test/fixtures/clingo/", import.meta.url));
const host = fileURLToPath(new URL("../dist/clingo_wasm.mjs", import.meta.url));

/** Eleven holes for twelve pigeons: two have to share one, and that takes very long to prove. */
const pigeons = "{p(X,H) : H=1..11} = 1 :- X=1..12. shared :- p(X,H), p(Y,H), X<Y.";
const pick = "1 {a; b; c; d} 2. :- a, b. e.";
const costs = "#minimize {2:a; 1:b; 1:c; 3:d}.";
const all_best = ["--opt-mode=optN", "--project=auto"];

/** Programs and arguments by the name of their file. */
const questions = {
  sat_one: ['a(1,"x y"). {b}. :- not b.', []],
  sat_three_of_more: [pick, [...all_best, "--models=3"]],
  sat_all: ["{a; b; c} = 1.", [...all_best, "--models=10"]],
  sat_empty: ["{a}. :- a.", []],
  unsat: ["{a}. :- a. :- not a.", []],
  optimum: [`${pick} ${costs}`, []],
  optimum_levels: ["{a; b} = 1. :~ a. [3@2] :~ b. [4@1] #maximize{7@3 : a; 5@3 : b}.", []],
  optimum_all: [`${pick} ${costs}`, [...all_best, "--models=10"]],
  optimum_two_of_more: [`${pick} ${costs}`, [...all_best, "--models=2"]],
  brave: ["{a; b; c} = 1. d.", ["--opt-mode=optN", "--enum-mode=brave", "--models=0"]],
  cautious: [`${pick} ${costs}`, ["--opt-mode=optN", "--enum-mode=cautious", "--models=0"]],
  error_syntax: ["a.\nb :- c d.", []],
  error_unsafe: ['a("öö", X, Y) :- not b(X).', []],
  error_overflow: ["{a; b}. :- #sum {2147483647,1 : a; 2147483647,2 : b} > 3.", []],
  infos: ["a(1/0). b :- c.", []],
  cut_with_witness: [`${pigeons} :~ shared. [1]`, [], 1500],
  cut_without: [`${pigeons} :- shared.`, [], 1500],
  cut_brave: [`${pigeons} :~ shared. [1]`, ["--opt-mode=optN", "--enum-mode=brave", "--models=0"], 1500],
};

const [clingo] = process.argv.slice(2);
if (clingo === undefined) {
  console.error("usage: node scripts/record_clingo.mjs PATH_OF_A_NATIVE_CLINGO");
  process.exit(2);
}

/** Marks the end of a run of the embedded one. */
const id = "recorded";

/** Runs a program to its end, or kills it after a number of milliseconds. */
function run(command, args, input, ms) {
  return new Promise((resolve) => {
    const child = spawn(command, args);
    let [stdout, stderr] = ["", ""];
    let timer;
    const finish = (ending) => {
      clearTimeout(timer);
      resolve({ ending, stdout, stderr });
    };
    child.stdout.on("data", (bytes) => {
      stdout += bytes;
      const at = stdout.indexOf(`{"id":"${id}"`);
      if (at < 0 || !stdout.endsWith("\n")) return;
      const reply = JSON.parse(stdout.slice(at));
      // The empty line in front says that the process is ready.
      [stdout, stderr] = [stdout.slice(0, at).trimStart(), reply.stderr];
      child.kill("SIGKILL");
      finish({ kind: "exited", code: reply.code });
    });
    child.stderr.on("data", (bytes) => {
      stderr += bytes;
    });
    timer = ms && setTimeout(() => child.kill("SIGKILL"), ms);
    child.on("close", (code) =>
      finish(code === null ? { kind: "stopped", why: "deadline" } : { kind: "exited", code }),
    );
    child.stdin.write(input);
    if (command === "stdbuf") child.stdin.end();
  });
}

for (const [name, [program, args, ms]] of Object.entries(questions)) {
  const all = ["--outf=2", "--stats", ...args];
  const runs = {
    wasm: await run(process.execPath, [host], `${JSON.stringify({ kind: "run", id, program, args: all })}\n`, ms),
    native: await run("stdbuf", ["-oL", clingo, ...all], program, ms),
  };
  for (const [build, finished] of Object.entries(runs)) {
    mkdirSync(`${directory}${build}`, { recursive: true });
    writeFileSync(`${directory}${build}/${name}.json`, `${JSON.stringify(finished, null, 2)}\n`);
  }
}
console.log(`${Object.keys(questions).length} recordings of each build`);
