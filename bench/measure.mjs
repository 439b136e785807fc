// What the benches share: timing, comparing, the table, a real client on the built server.
import { availableParallelism, cpus } from "node:os";
import { basename, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { rolldown } from "rolldown";
import { texts } from "../scripts/texts.mjs";

export const cli = fileURLToPath(new URL("../dist/cli.mjs", import.meta.url));
const rows = [];

/** A part of the program that no user can ask for by itself, bundled from the sources. */
export async function bundled(input) {
  const file = resolve(".cache", basename(input).replace(/\.ts$/, ".mjs"));
  const bundle = await rolldown({
    input,
    platform: "node",
    external: ["bullmq", "ioredis"],
    moduleTypes: texts,
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return import(pathToFileURL(file).href);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const sorted = (values) => [...values].sort((a, b) => a - b);
export const median = (values) => sorted(values)[Math.floor(values.length / 2)];
export const quantile = (values, q) => sorted(values)[Math.min(values.length - 1, Math.ceil(q * values.length) - 1)];
export const ratio = (a, b) => (a / b).toFixed(2);
export const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

export async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { time: performance.now() - start, result };
}

/** One row of the table: what was measured, and whether the target was met. */
export function row(what, target, measured, met) {
  rows.push({ what, target, measured, met });
  console.log(`${met === undefined ? " " : met ? "✓" : "✗"} ${what}: ${measured} (target ${target})`);
}

export function printTable() {
  console.log(`\n| what | target | measured |\n|---|---|---|`);
  for (const { what, target, measured, met } of rows)
    console.log(`| ${what} | ${target} | ${measured}${met === false ? " (missed)" : ""} |`);
}

export function printMachine() {
  const processor = cpus()[0]?.model ?? "unknown processor";
  console.log(`Node ${process.versions.node}, ${availableParallelism()} cores, ${processor}`);
}

/** A real client on the built server, or on another one; `call` gives the structured answer. */
export async function connect(env = {}, args = [], program = cli) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: { ...process.env, ...env },
    stderr: "inherit",
  });
  const client = new Client({ name: "bench", version: "0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(transport);
  const call = async (name, args, options = {}) =>
    (await client.callTool({ name, arguments: args }, { timeout: 300_000, ...options })).structuredContent;
  return { client, call, pid: transport.pid };
}

/** Alternates the two, so that a noisy stretch of time hits both. */
export async function compare(times, ours, theirs, settle_ms = 100) {
  const a = [];
  const b = [];
  for (let i = 0; i < times; i++) {
    a.push((await timed(ours)).time);
    await pause(settle_ms);
    b.push((await timed(theirs)).time);
    await pause(50);
  }
  return { ours: median(a), theirs: median(b) };
}
