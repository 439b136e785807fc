import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { makeShim } from "../../src/engines/minizinc/wasm_invoke.ts";

const require = createRequire(import.meta.url);

/** What the installed package hands to its module. */
let bytes: Uint8Array<ArrayBuffer>;
let given: Record<string, unknown> = {};

beforeAll(async () => {
  bytes = new Uint8Array(readFileSync(require.resolve("minizinc/minizinc.wasm")));
  const file = require.resolve("minizinc/minizinc-worker.js");
  given = await new Promise((resolve) => {
    const instantiate = (_: unknown, imports: { a: Record<string, unknown> }) => {
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
});

/** That answers and faults stay the same is shown by every test of the embedded MiniZinc, whose compiler throws for each. */
describe("calls of the embedded MiniZinc that may throw", () => {
  it("are all made in WebAssembly: none is left to JavaScript after an upgrade of the package", () => {
    const caught = Object.values(given).filter((call) => /,!\(\w+ instanceof /.test(String(call)));
    expect(caught.length).toBeGreaterThan(50);
    expect(makeShim(bytes, given)?.replaced).toBe(caught.length);
  });

  it("are left as they are where the package writes them in another way", () => {
    const other = Object.fromEntries(Object.keys(given).map((name) => [name, () => 0]));
    expect(makeShim(bytes, other)).toBeUndefined();
  });
});
