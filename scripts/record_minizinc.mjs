// Records what a real MiniZinc prints, for the tests of src/engines/minizinc/read.ts:
//   node scripts/record_minizinc.mjs
// Each file of test/fixtures/minizinc/ has the build's version in its first line, then the lines that
// were printed. They are recorded through dist/minizinc_wasm.mjs, so build first.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("../test/fixtures/minizinc/", import.meta.url));
const host = fileURLToPath(new URL("../dist/minizinc_wasm.mjs", import.meta.url));
const solving = [
  "--intermediate",
  "--statistics",
  "--output-mode",
  "json",
  "--output-objective",
  "--output-output-item",
];

/** Models by the name of their file, with arguments and data where there are any. */
const runs = {
  satisfied: { model: 'var 3..3: x; solve satisfy; output ["x is \\(x)\\n"];' },
  all_solutions: { model: "var 1..3: x; solve satisfy;", args: ["-n", "9"] },
  optimal: { model: "var 1..3: x; array[1..2, 1..2] of var 1..1: a; solve maximize x;" },
  values: {
    model:
      "enum C = {R, G}; var C: c; var set of 1..9: s; var bool: b; var 0.5..0.5: f; constraint c = G /\\ s = {1, 2, 3, 7} /\\ b; solve satisfy;",
  },
  large: { model: "int: big :: add_to_output = 9007199254740993; var 1..1: x; solve satisfy;" },
  unsat: { model: "var 1..3: x; var 1..3: y; constraint x * y = 7; solve satisfy;" },
  unsat_compiled: { model: "var 1..3: x;\nconstraint x > 5;\nsolve satisfy;" },
  division: { model: "int: n = 0;\nvar 1..3: x;\nconstraint x = 5 div n;\nsolve satisfy;" },
  assertion: { model: 'int: n = 0;\nconstraint assert(n > 0, "n must be positive");\nsolve satisfy;' },
  undeclared: { model: "var 1..3: x;\nconstraint y > 2;\nsolve satisfy;" },
  syntax: { model: "var 1..3: x\nconstraint x > 1;\nsolve satisfy;" },
  missing: { model: "int: n; var 1..n: x; solve satisfy;" },
  trace: { model: 'var 1..1: x; constraint trace_stdout("=====UNSATISFIABLE=====\\n", true); solve satisfy;' },
  timeout: {
    model:
      "int: n = 13; array[1..n] of var 1..n-1: h; constraint forall(i, j in 1..n where i < j)(h[i] != h[j]); solve satisfy;",
    args: ["--time-limit", "1000"],
  },
  interface: {
    model: "enum C; int: n; array[C, 1..2] of set of C: q; opt int: o; var 1..n: x; solve maximize x;",
    args: ["--model-interface-only", "--model-types-only"],
    bare: true,
  },
};

/** Slips, each with declarations before it: what is recorded is the first error. */
const { head, slips } = JSON.parse(readFileSync(`${directory}slips.json`, "utf8"));
const slip_models = slips.map(({ item }) => `${head}\n${item}\nsolve satisfy;\n`);
const slip_args = ["--solver", "gecode"];
const firstError = (text) => text.split("\n").find((line) => line.startsWith('{"type": "error"')) ?? "";

const argsOf = ({ args = [], bare }) => [...(bare ? [] : solving), "--solver", "gecode", ...args];

async function recordEmbedded() {
  const child = spawn(process.execPath, [host], { stdio: ["pipe", "pipe", "ignore"] });
  let text = "";
  let heed = () => {};
  child.stdout.setEncoding("utf8").on("data", (more) => {
    text += more;
    heed();
  });
  const run = async (model, args) => {
    text = "";
    const job = { id: "the end", files: { "model.mzn": model }, args: [...args, "model.mzn"], keeps: [] };
    child.stdin.write(`${JSON.stringify(job)}\n`);
    await new Promise((resolve) => {
      heed = () => /"id":"the end".*\n/.test(text) && resolve();
    });
    return text.replace(/\{"id":"the end".*\n/, "");
  };
  const version = "minizinc 2.10.0 (wasm)";
  for (const [name, each] of Object.entries(runs)) write(`wasm_${name}`, version, await run(each.model, argsOf(each)));
  const errors = [];
  for (const model of slip_models) errors.push(firstError(await run(model, slip_args)));
  write("wasm_slips", version, errors.join("\n"));
  child.kill();
}

function write(name, version, output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !line.includes("overrides a global"));
  writeFileSync(`${directory}${name}.txt`, `${version}\n${lines.join("\n")}\n`);
}

mkdirSync(directory, { recursive: true });
await recordEmbedded();
