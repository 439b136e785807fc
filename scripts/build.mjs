// Builds dist/: the program in one file, and the hosts of the embedded engines in others, which only
// ever run in child processes. The engines stay packages of their own, loaded by those children:
// z3-solver has 35 MB. The Python side goes along as it is.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const entries = {
  cli: "src/cli.ts",
  z3_wasm: "src/solvers/z3/wasm_host.ts",
  clingo_wasm: "src/solvers/clingo/wasm_host.ts",
  minizinc_wasm: "src/solvers/minizinc/wasm_host.ts",
};
/** Packages that bring WASM along stay what they are: their hosts load them. */
const external = ["z3-solver", "clingo-wasm", "minizinc"];

export async function build() {
  const packages = new Set();
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
    for (const chunk of output) {
      for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) {
        const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id.replaceAll("\\", "/"))?.[1];
        if (name) packages.add(name);
      }
    }
  }
  chmodSync("dist/next/cli.mjs", 0o755);
  writeFileSync("dist/next/THIRD_PARTY_LICENSES.txt", licences([...packages].sort()));
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
  return statSync(path).isDirectory() ? !path.endsWith("__pycache__") : /\.py$|requirements\.txt$/.test(path);
}

function filesIn(directory) {
  return readdirSync(directory, { recursive: true }).filter((file) => statSync(join(directory, file)).isFile());
}

/** The licence texts of what is in the bundle, as those licences ask. */
function licences(packages) {
  const parts = packages.map((name) => {
    const directory = join("node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file && existsSync(join(directory, file)) ? readFileSync(join(directory, file), "utf8").trim() : "";
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `Verdict contains code of these packages.\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`;
}
