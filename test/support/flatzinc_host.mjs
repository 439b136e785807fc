/**
 * The embedded MiniZinc for long random runs, much faster than dist/minizinc_wasm.mjs: reads jobs as lines of JSON.
 * Every job begins in the memory of an instance that ran nothing yet. A job with `is_flatzinc` only solves: it reads a library that declares what is built in and
 * nothing else, instead of MiniZinc's.
 */
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { compileFunction } from "node:vm";

const require = createRequire(import.meta.url);
const file = require.resolve("minizinc/minizinc-worker.js");
const source = readFileSync(file, "utf8");
const module = await WebAssembly.compile(readFileSync(require.resolve("minizinc/minizinc.wasm")));
let instance;
WebAssembly.instantiate = async (_, imports) => {
  instance = new WebAssembly.Instance(module, imports);
  return { instance, module };
};

let onMessage = () => {};
const globals = {
  self: globalThis,
  require,
  __dirname: dirname(file),
  postMessage: (message) => onMessage(message),
  JSON: { parse: (line) => ({ line }), stringify: JSON.stringify },
};
const worker = compileFunction(source, [...Object.keys(globals), "addEventListener"], { filename: file });
const urls = { wasmURL: require.resolve("minizinc/minizinc.wasm"), dataURL: require.resolve("minizinc/minizinc.data") };

/** A new instance; gives what takes its messages. */
async function open() {
  let listener = async () => {};
  worker(...Object.values(globals), (_, given) => {
    listener = given;
  });
  await listener({ data: urls });
  return listener;
}

/** As src/engines/minizinc/wasm_calls.ts, which Node 20 can't import. */
function snapshotOf({ kb: memory, xb: save, vb: restore }) {
  const saved = new Uint8Array(memory.buffer).slice();
  const stack = save();
  return () => {
    const all = new Uint8Array(memory.buffer);
    all.set(saved);
    all.fill(0, saved.length);
    restore(stack);
  };
}

function print(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

/** The items of a MiniZinc file, without comments. */
function itemsOf(text) {
  const plain = text.replace(/"(?:[^"\\]|\\.)*"|%.*|\/\*[\s\S]*?\*\//g, (found) => (found[0] === '"' ? found : " "));
  return outside(plain, ";").map((item) => item.trim().replace(/\s+/g, " "));
}

/** Splits at an operator outside of all brackets. */
function outside(text, sign) {
  const parts = [];
  let [depth, start] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    if ("([{".includes(text[i])) depth++;
    else if (")]}".includes(text[i])) depth--;
    else if (text[i] === sign && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Declarations without a body, as far as FlatZinc may have them. */
async function builtinsOf(listener) {
  const names = [
    ...source.matchAll(/filename:"\/usr\/share\/minizinc\/(std\/(?:flatzinc_builtins|stdlib\/\w+)\.mzn)"/g),
  ];
  let files = {};
  onMessage = (message) => {
    files = message.files ?? files;
  };
  await listener({ data: { readStdlibFiles: names.map(([, name]) => name) } });
  const refused =
    /_nonshifted|^function var ..E: (?:min|max)|^function (?:var|array ..T. of var)[^(]*: bool2int|:: ?output_only/;
  const items = Object.values(files).flatMap(itemsOf);
  const declarations = items.filter(
    (item) =>
      /^(?:predicate|test|function|annotation|enum|type)\b/.test(item) &&
      outside(item, "=").length === 1 &&
      !refused.test(item),
  );
  return `${declarations.join(";\n")};\n`;
}

let listener = await open();
let restore = snapshotOf(instance.exports);
const builtins = await builtinsOf(listener);
const library = Object.fromEntries([
  ["lib/std/stdlib.mzn", builtins],
  ...["redefinitions", "solver_redefinitions", "flatzinc_builtins", "nosets"].map((name) => [
    `lib/std/${name}.mzn`,
    "",
  ]),
  ...["gecode_presolver", "chuffed_internal", "linear"].map((name) => [`lib/${name}/redefinitions.mzn`, ""]),
  ["lib/Preferences.json", "{}"],
]);

for await (const line of createInterface({ input: process.stdin })) {
  const { is_flatzinc, files, args, keeps } = JSON.parse(line);
  const lines = [];
  let stderr = "";
  let is_spent = false;
  restore();
  onMessage = (message) => {
    if (message.line !== undefined) lines.push(message.line.trim());
    else if (message.type === "stderr") stderr += message.value;
    else if (message.type === "stdout") lines.push(message.value.trim());
    else if (message.type === "exit") {
      is_spent = message.message !== undefined;
      print(`${JSON.stringify({ code: message.code, lines, stderr, files: message.outputFiles ?? {} })} end\n`);
    }
  };
  const own = is_flatzinc ? { ...library, ...files } : files;
  const options = is_flatzinc ? ["--stdlib-dir", "/minizinc/lib", ...args] : args;
  await listener({ data: { jsonStream: true, files: own, args: options, outputFiles: keeps } });
  if (is_spent) {
    listener = await open();
    restore = snapshotOf(instance.exports);
  }
}
