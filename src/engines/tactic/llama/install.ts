import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../../config.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { cancelled, Fault } from "../../../kernel/fault.ts";
import { withLock } from "../../../kernel/files/file_lock.ts";
import { makeDirectory } from "../../../kernel/files/make_directory.ts";
import { limits } from "../../../kernel/limits.ts";
import { runToEnd } from "../../../kernel/process/run.ts";
import { cut } from "../../../kernel/text/cut.ts";
import { linesOf } from "../../../kernel/text/lines.ts";
import type { ProcessServices } from "../../engine.ts";

const Packages = z.object({ dependencies: z.object({ "node-llama-cpp": z.string() }) });

/**
 * Returns the directory of llama.cpp for Node, which is installed when it is first needed. Raises `engine_failed`,
 * `cancelled`.
 */
export async function llamaDirectory({ config, children }: ProcessServices, deadline: Deadline): Promise<string> {
  const order = await orderOf(config);
  const home = join(config.data_directory, "lean", `llama-${order.id}`);
  if (existsSync(join(home, "ready"))) return home;
  const outcome = await withLock(home, deadline, async () => {
    if (!existsSync(join(home, "ready"))) await install({ config, children }, order, home, deadline);
  });
  if (outcome === "expired") throw failed("another process is installing it and takes too long");
  return home;
}

/** Whether llama.cpp is already installed. */
export async function hasLlama(config: Config): Promise<boolean> {
  const { id } = await orderOf(config);
  return existsSync(join(config.data_directory, "lean", `llama-${id}`, "ready"));
}

interface Order {
  /** Identifies the directory; a different list of packages or a different platform results in a different id. */
  readonly id: string;
  readonly manifest: string;
}

async function orderOf({ tactics }: Config): Promise<Order> {
  const text = await readFile(join(tactics.packages, "package.json"), "utf8");
  const lock = await readFile(join(tactics.packages, "package-lock.json"), "utf8");
  const { dependencies } = Packages.parse(JSON.parse(text));
  const version = dependencies["node-llama-cpp"];
  const binary_packages = Object.fromEntries(binaries(tactics.gpu).map((name) => [`@node-llama-cpp/${name}`, version]));
  const manifest = JSON.stringify({ private: true, dependencies: { ...dependencies, ...binary_packages } });
  return { id: createHash("sha256").update(lock).update(manifest).digest("hex").slice(0, 12), manifest };
}

/** The packages with llama.cpp built for this platform; packages for graphics cards are included only if configured. */
function binaries(gpu: string | undefined): string[] {
  const { platform, arch } = process;
  if (platform === "darwin") return [arch === "arm64" ? "mac-arm64-metal" : "mac-x64"];
  const base = `${platform === "win32" ? "win" : "linux"}-${arch === "arm" ? "armv7l" : arch}`;
  if (gpu === "vulkan") return [base, `${base}-vulkan`];
  if (gpu === "cuda") return [base, `${base}-cuda`, `${base}-cuda-ext`];
  return [base];
}

/**
 * Installs llama.cpp next to its final location and then moves it there, so that nobody finds an incomplete
 * installation.
 */
async function install(
  { config, children }: ProcessServices,
  order: Order,
  home: string,
  deadline: Deadline,
): Promise<void> {
  const npm = npmProgram(config);
  await removeHalfMade(home);
  const place = `${home}.${randomUUID()}`;
  await makeDirectory(place);
  try {
    await writeFile(join(place, "package.json"), order.manifest);
    await cp(join(config.tactics.packages, "package-lock.json"), join(place, "package-lock.json"));
    const flags = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const environment = { ...config.installer_environment, NODE_LLAMA_CPP_SKIP_DOWNLOAD: "true" };
    const program = { ...npm, args: [...npm.args, "install", "--prefix", place, ...flags], environment };
    const child = children.start(program);
    const { ending, stderr } = await runToEnd(child, deadline);
    if (deadline.signal.aborted) throw cancelled();
    if (ending.kind !== "exited" || ending.code !== 0) throw failed(lastWords(stderr, place) || ending.kind);
    await writeFile(join(place, "ready"), "");
    await rm(home, { recursive: true, force: true });
    await rename(place, home);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Removes what a killed installation left behind; because of the lock, no installation is running. */
async function removeHalfMade(home: string): Promise<void> {
  const names = await readdir(dirname(home));
  const left = names.filter((name) => name.startsWith(`${basename(home)}.`) && !name.endsWith(".lock"));
  await Promise.all(left.map((name) => rm(join(dirname(home), name), { recursive: true, force: true })));
}

/** Returns npm as a script for the running Node: the one next to Node, or else the first one on PATH. */
function npmProgram({ path }: Config): { command: string; args: string[] } {
  const beside = dirname(process.execPath);
  const script = join("node_modules", "npm", "bin", "npm-cli.js");
  const places = [join(beside, script), join(beside, "..", "lib", script)];
  const on_path = path.filter(isAbsolute).flatMap((each) => [join(each, script), join(each, "..", "lib", script)]);
  const npm = [...places, ...on_path].find((file) => existsSync(file));
  if (npm) return { command: process.execPath, args: [npm] };
  throw failed(`npm was not found beside Node or on PATH (${path.join(delimiter) ? "PATH is set" : "PATH is empty"})`);
}

function lastWords(stderr: string, place: string): string {
  const lines = linesOf(stderr).filter((line) => line.startsWith("npm error") && !line.includes("complete log"));
  const words = lines.map((line) => line.replace(/^npm error( code)? ?/, "").replaceAll(place, "…")).join(" ");
  return cut(words.trim(), limits.fault_quote_chars_max);
}

function failed(why: string): Fault {
  return new Fault("engine_failed", `llama.cpp for Node could not be installed: ${why}.`, [
    "ask the user to run `verdict daemon start` with a network connection: it downloads about 30 MB, once",
    "or use a model behind a server: VERDICT_LEAN_MODEL=ollama:NAME or openai:NAME",
  ]);
}
