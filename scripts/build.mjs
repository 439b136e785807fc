// Builds dist/: the program in one file, and the hosts of the embedded engines in others, which only
// ever run in child processes. The large engines stay packages of their own, loaded by those
// children: z3-solver has 35 MB. The Python side goes along as it is.
import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { licenceTexts, packagesOf } from "./licences.mjs";

const entries = {
  cli: "src/cli.ts",
  z3_wasm: "src/engines/z3/wasm_host.ts",
  clingo_wasm: "src/engines/clingo/wasm_host.ts",
  minizinc_wasm: "src/engines/minizinc/wasm_host.ts",
  drat_check: "src/engines/drat/host.ts",
};
/** Packages that bring WASM along stay what they are: their hosts load them. */
const external = ["z3-solver", "minizinc"];
/** clingo is small, and its package asks for a newer Node than these two files need: they are shipped as they are. */
const clingo = "node_modules/clingo-wasm/dist";
const clingo_files = ["clingo.js", "clingo.wasm"];

export async function build() {
  const modules = [];
  for (const [name, input] of Object.entries(entries)) {
    const bundle = await rolldown({ input, platform: "node", external, moduleTypes: { ".md": "text" } });
    const { output } = await bundle.write({
      file: `dist/next/${name}.mjs`,
      format: "esm",
      minify: true,
      codeSplitting: false,
      comments: { legal: false },
    });
    await bundle.close();
    modules.push(...output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])));
  }
  chmodSync("dist/next/cli.mjs", 0o755);
  for (const file of clingo_files) cpSync(join(clingo, file), join("dist/next/clingo", file));
  const packages = packagesOf([...modules, ...clingo_files.map((file) => join(clingo, file))]);
  writeFileSync("dist/next/THIRD_PARTY_LICENSES.txt", licenceTexts(packages));
  cpSync("python", "dist/next/python", { recursive: true, filter: isShipped });
  cpSync("llama", "dist/next/llama", { recursive: true });
  // Put in place file by file: a server that is started meanwhile finds the old ones or the new ones.
  const files = filesIn("dist/next");
  for (const file of files) {
    mkdirSync(dirname(join("dist", file)), { recursive: true });
    renameSync(join("dist/next", file), join("dist", file));
  }
  rmSync("dist/next", { recursive: true });
  const kept = new Set(files);
  for (const file of filesIn("dist/python")) if (!kept.has(join("python", file))) rmSync(join("dist/python", file));
}

/** Python's own sources and what they need; no bytecode, nothing that only development needs. */
function isShipped(path) {
  return statSync(path).isDirectory()
    ? !path.endsWith("__pycache__")
    : /\.py$|requirements\.txt$|packages\.json$/.test(path);
}

function filesIn(directory) {
  return readdirSync(directory, { recursive: true }).filter((file) => statSync(join(directory, file)).isFile());
}
