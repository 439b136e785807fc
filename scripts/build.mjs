// Builds dist/: the program in parts, each loaded when it is needed, and the hosts of the embedded engines in others, which
// only ever run in child processes. The large engines stay packages of their own, loaded by those
// children: z3-solver has 35 MB. So do the packages of the agent, of Redis and of access tokens (docs/decisions/packages.md). The
// Python side goes along without its comments and docstrings.

import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { licenceTexts, packagesOf } from "./licences.mjs";
import { texts } from "./texts.mjs";

/** Each runs alone, in a process or a thread of its own that reads this one file. */
const alone = {
  z3_wasm: "src/engines/z3/wasm_host.ts",
  clingo_wasm: "src/engines/clingo/wasm_host.ts",
  minizinc_wasm: "src/engines/minizinc/wasm_host.ts",
};
/**
 * What these share lies in parts that several of them load. A part is loaded when it is used: a server on stdio reads
 * neither HTTP nor the agent nor other commands.
 */
const together = {
  cli: "src/cli.ts",
  drat_check: "src/engines/drat/host.ts",
  large_call: "src/jobs/apart/host.ts",
  read_table: "src/engines/tables/host.ts",
  prover: "src/prover/host.ts",
  agent: "src/agent/index.ts",
};
/** Packages that bring WASM along stay what they are: their hosts load them. */
const engines = ["z3-solver", "minizinc"];
/** The packages of the agent, of Redis and of access tokens: npm installs them, and what uses them loads them. */
const installed = ["ai", /^@ai-sdk\//, /^@modelcontextprotocol\/client/, "bullmq", "ioredis", /^jose\//];
/**
 * The forms of packages that a bundle can hold in parts: the usual one of jsonc-parser asks for its parts at run time, that
 * of BullMQ brings all of them along, and those of MCP and of prom-client large ones that Verdict has no use for.
 */
const alias = {
  "jsonc-parser": "jsonc-parser/lib/esm/main.js",
  bullmq: "bullmq/dist/esm/index.js",
  "@modelcontextprotocol/server/_shims": resolve("scripts/mcp_shims.mjs"),
  "@opentelemetry/api": resolve("scripts/no_tracing.mjs"),
};
/** BullMQ does not say that its modules do nothing by themselves; what is not used of it is left out. */
const treeshake = { moduleSideEffects: [{ test: /node_modules\/bullmq\//, sideEffects: false }] };
/** clingo is small, and its package asks for a newer Node than these two files need: they are shipped as they are. */
const clingo = "node_modules/clingo-wasm/dist";
const clingo_files = ["clingo.js", "clingo.wasm"];

/**
 * Builds it into a directory. `whole`: with the packages that npm would install, for a place where npm installs nothing.
 */
export async function build({ target = "dist", whole = false } = {}) {
  const next = join(target, "next");
  const external = whole ? engines : [...engines, ...installed];
  const modules = [];
  for (const [name, input] of Object.entries(alone)) {
    modules.push(...(await bundled(input, external, { file: `${next}/${name}.mjs`, codeSplitting: false })));
  }
  modules.push(
    ...(await bundled(together, external, {
      dir: next,
      entryFileNames: "[name].mjs",
      chunkFileNames: "part_[name]-[hash].mjs",
    })),
  );
  modules.push(...(await writeView(join(next, "solution.html"))));
  cpSync("src/agent/types.d.mts", join(next, "agent.d.mts"));
  chmodSync(join(next, "cli.mjs"), 0o755);
  for (const file of clingo_files) cpSync(join(clingo, file), join(next, "clingo", file));
  const packages = packagesOf([...modules, ...clingo_files.map((file) => join(clingo, file))]);
  writeFileSync(join(next, "THIRD_PARTY_LICENSES.txt"), licenceTexts(packages));
  cpSync("python", join(next, "python"), { recursive: true, filter: isShipped });
  for (const file of filesIn(join(next, "python")).filter((each) => each.endsWith(".py"))) {
    const path = join(next, "python", file);
    writeFileSync(path, withoutComments(readFileSync(path, "utf8")));
  }
  cpSync("llama", join(next, "llama"), { recursive: true });
  shortenLock(join(next, "llama", "package-lock.json"));
  writeFileSync(join(next, "build.txt"), hashOf(next));
  // Put in place file by file, the parts first: a server that is started meanwhile finds the old ones or the new ones.
  const files = filesIn(next).sort((a, b) => Number(isPart(b)) - Number(isPart(a)));
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    renameSync(join(next, file), join(target, file));
  }
  rmSync(next, { recursive: true });
  const kept = new Set(files);
  for (const file of filesIn(target)) if (!kept.has(file)) rmSync(join(target, file));
}

/** The view of answers in a chat: one page with its style and its script, which its policy names by hash. */
async function writeView(file) {
  const bundle = await rolldown({ input: "src/viewer/app/main.ts", platform: "browser", onLog: refuseUnresolved });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: { legal: false } });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  if (/<\/script/i.test(code)) throw new Error("the view's script would end itself");
  const { style } = await moduleOf("src/viewer/style.ts");
  const { shown_languages } = await moduleOf("src/tools/model/languages/shown.ts");
  const script = `\nconst shown_languages = ${JSON.stringify(shown_languages)};\n${code}\n`;
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'`;
  writeFileSync(
    file,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Verdict</title><style>${style}</style></head>
<body><main id="main"><p class="note">The answer is on its way.</p></main>
<p class="buttons"><button id="next" hidden>Next solution</button> <button id="copy" hidden>Copy as CSV</button>
<button id="edit" hidden>Edit the plan</button> <button id="check" hidden>Check this plan</button></p>
<div id="again" class="again" role="form" aria-label="Solve again with other data" hidden></div>
<p id="note" class="note" role="status"></p>
<section id="plan" aria-label="The changed plan"></section>
<script>${script}</script></body></html>
`,
  );
  return moduleIds;
}

/** A module of TypeScript that needs no package, as it is here and now. */
async function moduleOf(input) {
  const bundle = await rolldown({ input, platform: "node", moduleTypes: texts, onLog: refuseUnresolved });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}

const isPart = (file) => file.startsWith("part_");

/** Writes one bundle, and gives the modules that are in it. */
async function bundled(input, external, place) {
  const options = {
    input,
    platform: "node",
    external,
    moduleTypes: texts,
    resolve: { alias },
    treeshake,
  };
  const bundle = await rolldown({ ...options, onLog: refuseUnresolved });
  const { output } = await bundle.write({ ...place, format: "esm", minify: true, comments: { legal: false } });
  await bundle.close();
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}

/** A package that is missing would leave an import that fails at the user: `npm ci` brings it. */
function refuseUnresolved(level, log, print) {
  if (log.code === "UNRESOLVED_IMPORT") throw new Error(`${log.message}\nRun npm ci, then build again.`);
  print(level, log);
}

/** Python's own sources and what they need; no bytecode, nothing that only development needs. */
function isShipped(path) {
  // The script of bundles is a text in the program.
  return statSync(path).isDirectory()
    ? !/__pycache__$|verdict_bundle$/.test(path)
    : /\.py$|requirements\.txt$|packages\.json$/.test(path);
}

/**
 * Python code with empty lines for those that are comments, and empty texts for docstrings: line numbers stay. Any other long
 * string keeps its lines.
 */
function withoutComments(text) {
  let quotes = "";
  let is_documentation = false;
  let before = ":";
  const lines = text.split("\n").map((line) => {
    if (quotes === "" && /^\s*#/.test(line)) return "";
    const starts = quotes === "" && before.endsWith(":") && /^\s*"""/.test(line);
    if (starts) is_documentation = true;
    for (const [mark] of line.matchAll(/"""|'''/g)) quotes = quotes === "" ? mark : quotes === mark ? "" : quotes;
    const shown = is_documentation ? (starts ? line.replace(/""".*/, '""') : "") : line;
    if (quotes === "") is_documentation = false;
    if (line.trim() !== "") before = line.trim();
    return shown;
  });
  return lines.join("\n");
}

/** A hash of all files: answers that another build cached are not used. */
function hashOf(directory) {
  const hash = createHash("sha256");
  for (const file of filesIn(directory).sort()) hash.update(`${file}\0`).update(readFileSync(join(directory, file)));
  return hash.digest("hex");
}

function filesIn(directory) {
  return readdirSync(directory, { recursive: true }).filter((file) => statSync(join(directory, file)).isFile());
}

/** Removes from a lock file what an installation does not need. */
function shortenLock(path) {
  const unused = ["license", "funding", "engines"];
  const lock = JSON.parse(readFileSync(path, "utf8"), (key, value) => (unused.includes(key) ? undefined : value));
  writeFileSync(path, JSON.stringify(lock));
}
