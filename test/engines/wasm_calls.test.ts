import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { minizinc_package } from "../../src/engines/minizinc/wasm_calls.ts";
import { typesOf } from "../../src/engines/wasm/module_types.ts";
import { makeShim, type PackageForm } from "../../src/engines/wasm/throwing_calls.ts";
import { z3_package } from "../../src/engines/z3/wasm_solver.ts";

const require = createRequire(import.meta.url);

type Functions = Record<string, unknown>;

/** What the installed package of MiniZinc hands to its module. */
function importsOfMiniZinc(): Promise<Functions> {
  const file = require.resolve("minizinc/minizinc-worker.js");
  return new Promise((resolve) => {
    const instantiate = (_: unknown, imports: { a: Functions }) => {
      resolve(imports.a);
      return new Promise(() => {});
    };
    const globals = {
      require,
      __dirname: dirname(file),
      postMessage: () => {},
      addEventListener: (_: string, listen: (event: object) => void) =>
        listen({
          data: {
            wasmURL: require.resolve("minizinc/minizinc.wasm"),
            dataURL: require.resolve("minizinc/minizinc.data"),
          },
        }),
      WebAssembly: Object.create(WebAssembly, { instantiate: { value: instantiate } }),
    };
    compileFunction(readFileSync(file, "utf8"), Object.keys(globals))(...Object.values(globals));
  });
}

/** What the installed package of Z3 hands to its module. */
function importsOfZ3(): Promise<Functions> {
  const init: (overrides: object) => Promise<unknown> = require("z3-solver/build/z3-built.js");
  return new Promise((resolve) => {
    void init({
      instantiateWasm: (imports: { env: Functions }) => {
        resolve(imports.env);
        return {};
      },
    });
  });
}

const packages = [
  {
    name: "MiniZinc",
    file: "minizinc/minizinc.wasm",
    form: minizinc_package,
    given: importsOfMiniZinc,
    caught: /,!\(\w+ instanceof /,
  },
  {
    name: "Z3",
    file: "z3-solver/build/z3-built.wasm",
    form: z3_package,
    given: importsOfZ3,
    caught: /instanceof EmscriptenEH/,
  },
];

/** That answers and faults stay the same is shown by every test of these engines, which throw for each error. */
describe.each(packages)("calls of the embedded $name that may throw", ({ file, form, given, caught }) => {
  let functions: Functions = {};
  const bytes = new Uint8Array(readFileSync(require.resolve(file)));
  const types = typesOf(bytes);
  const shimOf = (imports: Functions, known: PackageForm = form) => types && makeShim(types, imports, known);

  beforeAll(async () => {
    functions = await given();
  });

  it("are all made in WebAssembly: none is left to JavaScript after an upgrade of the package", () => {
    const catching = Object.values(functions).filter((call) => caught.test(String(call)));
    expect(catching.length).toBeGreaterThan(50);
    expect(shimOf(functions)?.replaced).toBe(catching.length);
  });

  it("are left as they are where the package writes them in another way", () => {
    expect(shimOf(Object.fromEntries(Object.keys(functions).map((name) => [name, () => 0])))).toBeUndefined();
  });

  it("are left as they are where a helper has another name or another type", () => {
    const { helpers } = form;
    expect(shimOf(functions, { ...form, helpers: { ...helpers, save: "unheard_of" } })).toBeUndefined();
    expect(shimOf(functions, { ...form, helpers: { ...helpers, restore: helpers.save } })).toBeUndefined();
  });

  it("have no types in a module of another form", () => {
    expect(typesOf(bytes.subarray(0, 2000))).toBeUndefined();
    expect(typesOf(new Uint8Array(64).fill(0xff))).toBeUndefined();
  });
});
