import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction } from "node:vm";
import { getEnvironmentData, setEnvironmentData, workerData } from "node:worker_threads";
import { instanceOf } from "../wasm/instance.ts";
import { headOf, typesOf } from "../wasm/module_types.ts";
import { z3_package } from "./wasm_package.ts";

/** The package solves in threads, each with an instance of the module. Those instances get the shim. */

const require = createRequire(import.meta.url);
const name_of_head = "the head of the WebAssembly module of Z3";

/** Whether this is a thread that the package started, and not the process itself. */
export const is_thread = workerData === "em-pthread";

/** Hands on to the threads what they need to know of the module. */
export function prepareThreads(wasm: Uint8Array): void {
  setEnvironmentData(name_of_head, headOf(wasm));
}

interface Imports {
  readonly env: Readonly<Record<string, unknown>>;
}

/** Runs the package as one of its threads: it instantiates the module that the process sends. */
export function runThread(): void {
  const head = getEnvironmentData(name_of_head);
  const types = head instanceof Uint8Array ? typesOf(head) : undefined;
  const Instance = new Proxy(WebAssembly.Instance, {
    construct: (_, [module, { env: package_imports }]: [WebAssembly.Module, Imports]) =>
      instanceOf(module, { types, package_imports, form: z3_package }, (functions) => ({
        env: functions,
        wasi_snapshot_preview1: functions,
      })),
  });
  const file = require.resolve("z3-solver/build/z3-built.js");
  const globals = {
    require,
    module: { exports: {} },
    exports: {},
    __filename: file,
    __dirname: dirname(file),
    WebAssembly: Object.create(WebAssembly, { Instance: { value: Instance } }),
  };
  compileFunction(readFileSync(file, "utf8"), Object.keys(globals), { filename: file })(...Object.values(globals));
}
