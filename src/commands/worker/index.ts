import type { Config } from "../../config.ts";
import type { EngineReport } from "../../engines/engine.ts";
import { Engines } from "../../engines/index.ts";
import { withLargeCallsApart } from "../../jobs/apart/apart.ts";
import { readAddress } from "../../jobs/redis/address.ts";
import { redis_limits } from "../../jobs/redis/limits.ts";
import { Fault } from "../../kernel/fault.ts";
import { openToolsets } from "../../tools/index.ts";
import { expectConfined } from "../engines.ts";

export interface WorkerFlags {
  readonly atOnce?: string | undefined;
}

/** The toolsets whose calls can be sent to a worker: their answers depend only on the question. */
const toolset_names = ["smtlib", "model", "symbolic"];

/**
 * Processes servers' calls from the Redis server in `VERDICT_REDIS` until a signal ends it. Raises `invalid_argument`
 * for an invalid address, toolset or number.
 */
export async function worker(config: Config, { atOnce }: WorkerFlags): Promise<void> {
  expectConfined(config, "A worker");
  if (config.redis === undefined) throw noAddress();
  const address = readAddress(config.redis);
  const at_once = atOnce === undefined ? config.solvers_at_once : readNumber(atOnce);
  const tools = readToolsets(config.tools);
  const engines = new Engines({ ...config, solvers_at_once: at_once });
  const own = { ...config, tools, language: undefined };
  const toolsets = openToolsets(engines, own).map((set) => withLargeCallsApart(set, engines, own));
  const { there: capabilities, missing } = capabilitiesOf(tools, engines, await engines.probe());
  const { openWorker } = await import("../../jobs/redis/index.ts");
  const session = () => toolsets.flatMap((set) => set.session());
  const { worker, is_connected, close } = await openWorker(address, { capabilities, at_once, session });
  const leave = async () => {
    await worker.end(redis_limits.drain_ms_max);
    close();
    engines.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => void leave());
  process.once("exit", () => engines.close());
  console.error(`Verdict runs up to ${at_once} calls at once, and as many jobs: ${capabilities.join(", ")}.`);
  if (missing.length > 0)
    console.error(
      `Not available: ${missing.join(", ")}. \`verdict doctor\` says how to get the engines; then start it again.`,
    );
  if (!is_connected) console.error("Redis is not reachable yet; the worker waits for it.");
  await worker.run();
}

function readToolsets(wanted: readonly string[] = toolset_names): readonly string[] {
  const other = wanted.find((name) => !toolset_names.includes(name));
  if (other === undefined) return wanted;
  throw new Fault("invalid_argument", `A worker does not serve a toolset "${other.slice(0, 80)}".`, [
    `choose from: ${toolset_names.join(", ")}`,
    "the other toolsets depend on files of their server, so the server answers them itself",
  ]);
}

function readNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= redis_limits.at_once_max) return Number(text);
  throw new Fault("invalid_argument", `--at-once must be a whole number from 1 to ${redis_limits.at_once_max}.`, [
    "omit it for one call per core",
  ]);
}

/**
 * The toolsets' capabilities with the installed engines. No engine is installed for a call: the server that sent it may
 * have the engine, or another worker may have it.
 */
function capabilitiesOf(tools: readonly string[], { other_smt }: Engines, reports: readonly EngineReport[]) {
  const has = (...names: string[]) => names.every((name) => reports.some((each) => each.name === name && each.found));
  const all = [
    { capability: "smtlib", toolset: "smtlib", is_there: true },
    { capability: "smtlib_more", toolset: "smtlib", is_there: has(...other_smt.map(({ name }) => name)) },
    { capability: "model", toolset: "model", is_there: true },
    { capability: "model_python", toolset: "model", is_there: has("z3 in python", "pysat") },
    { capability: "model_cp", toolset: "model", is_there: has("cpmpy", "ortools") },
    { capability: "model_cp_exact", toolset: "model", is_there: has("cpmpy", "ortools", "exact") },
    { capability: "model_cp_pumpkin", toolset: "model", is_there: has("cpmpy", "ortools", "pumpkin") },
    { capability: "symbolic", toolset: "symbolic", is_there: has("z3 in python", "crosshair") },
  ].filter(({ toolset }) => tools.includes(toolset));
  const named = (is_wanted: boolean) =>
    all.flatMap(({ capability, is_there }) => (is_there === is_wanted ? [capability] : []));
  return { there: named(true), missing: named(false) };
}

function noAddress(): Fault {
  return new Fault("invalid_argument", "A worker gets its calls from Redis, but VERDICT_REDIS is not set.", [
    "set VERDICT_REDIS, on the servers too: redis://HOST:6379",
    "without Redis, a server runs all calls itself and needs no worker",
  ]);
}
