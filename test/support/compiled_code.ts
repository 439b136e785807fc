import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, readConfig } from "../../src/config.ts";
import { CodeCache, codeDirectory, codeFile } from "../../src/engines/wasm/code_cache.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { Slots } from "../../src/kernel/process/slots.ts";

/** Making the code of one engine takes 2 to 15 s of an idle processor; the wait is over once it is made. */
const wait_ms_max = 480_000;

/**
 * Makes the compiled code of the embedded engines once for this checkout, as a server does after its first jobs: each
 * process of an engine then starts in half of the processor time. The tests run without it, too, only slower. A server
 * leaves the processors to others meanwhile; the suite waits, and does not.
 */
export async function makeCompiledCode(config: Config): Promise<void> {
  if (!config.keeps_code) return;
  const children = new Children(config.child_environment, config.child_directory);
  const services = { config, children, slots: new Slots(2, 8) };
  const engines = [
    { name: "z3", host: config.z3_wasm_host },
    { name: "minizinc", host: config.minizinc_wasm_host },
    { name: "clingo", host: config.clingo_wasm_host },
  ];
  await Promise.all(
    engines.map(async (engine) => {
      const file = codeFile(config, engine.name);
      // An attempt of an earlier run that was broken off would keep this one from trying for a day.
      rmSync(`${file}.tried`, { force: true });
      const cache = new CodeCache(engine, services, { jobs_before: 1, idle_ms: 0, yields: false });
      cache.noteJob();
      const end = Date.now() + wait_ms_max;
      while (!existsSync(file) && Date.now() < end) await sleep(50);
      cache.close();
      if (existsSync(file)) share(file);
    }),
  );
  children.stopAll();
}

/** Tests of the Python environment have a data directory of their own. */
function share(file: string): void {
  const other = join(".cache/test-python/compiled", basename(file));
  if (existsSync(other)) return;
  mkdirSync(dirname(other), { recursive: true, mode: 0o700 });
  copyFileSync(file, other);
}

/** Gives an empty data directory the compiled code, for tests whose servers start embedded engines there. */
export function withCompiledCode(data_directory: string): string {
  const made = codeDirectory(readConfig({}));
  if (existsSync(made)) cpSync(made, join(data_directory, "compiled"), { recursive: true, preserveTimestamps: true });
  return data_directory;
}
