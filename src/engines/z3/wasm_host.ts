/**
 * The embedded Z3 as a program: it reads orders on stdin, one JSON object per line, and carries them out in order. It
 * is built into a separate file, dist/z3_wasm.mjs, and only runs in a child process.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { engine_limits } from "../limits.ts";
import type { Order } from "../smt/session.ts";
import { print, serveJobs } from "../wasm/jobs.ts";
import { typesOf } from "../wasm/module_types.ts";
import { type Loaded, Solver } from "./wasm_solver.ts";

function load(): Loaded {
  const file = createRequire(import.meta.url).resolve("z3-solver/build/z3-built.wasm");
  const wasm = new Uint8Array(readFileSync(file));
  return { module: new WebAssembly.Module(wasm), types: typesOf(wasm) };
}

async function main(): Promise<void> {
  const solver = new Solver(load());
  await solver.open();
  solver.warmUp();
  serveJobs(async (order: Order) => {
    // Z3 counts columns differently on its first line, so no text begins there.
    if ("text" in order) return print(1, solver.evaluate(`\n${order.text.slice(0, -1)}`));
    const is_small = process.memoryUsage.rss() <= engine_limits.z3_kept_bytes_max;
    print(1, `${is_small ? "fresh" : "spent"} ${order.next}\n`);
    await solver.open();
    solver.warmUp();
  });
}

void main();
