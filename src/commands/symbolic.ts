import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Config, Desktop } from "../config.ts";
import type { Engines } from "../engines/index.ts";
import { Fault } from "../kernel/fault.ts";
import type { Answer } from "../kernel/tool.ts";
import { openToolsets } from "../tools/index.ts";
import { record_file } from "../tools/model/bundle/record.ts";
import { expectFree, writeBundle } from "../tools/model/bundle/write.ts";
import type { Proof } from "../tools/symbolic/index.ts";
import { digestOf } from "./bundle/bundle.ts";
import { tellFault, withEngines } from "./engines.ts";
import { proofFiles } from "./proof/keep.ts";
import { type ReportFlags, wantsReport, writeReport } from "./view/write_report.ts";
import { watched } from "./waiting.ts";

/** The commands that analyse Python files, each with the number of functions that it takes. */
export const symbolic_commands = { check: 1, compare: 2, branches: 1 } as const;
export type SymbolicCommand = keyof typeof symbolic_commands;

export interface SymbolicFlags extends ReportFlags {
  /** The time limit in seconds. */
  readonly timeout?: string;
  /** Where to save the proof: a new folder or a new ZIP file. */
  readonly proof?: string;
}

interface SymbolicQuestion {
  readonly command: SymbolicCommand;
  /** Functions, each written `FILE.py::function`. */
  readonly places: readonly string[];
  readonly flags: SymbolicFlags;
}

/** The exit codes: no finding, a finding, or no verdict. */
const exit_codes: Readonly<Record<string, number>> = {
  ...{ verified: 0, equivalent: 0, complete: 0 },
  ...{ counterexample: 1, different: 1 },
  ...{ timeout: 3, undecided: 3, partial: 3 },
};

/**
 * Analyses functions in files, each written `FILE.py::function`, and prints the answer for people. Returns the exit
 * code: 0 proven or complete, 1 a counterexample or difference, 2 a fault, 3 not decided.
 */
export async function symbolicCommand(
  config: Config,
  desktop: Desktop,
  { command, places, flags }: SymbolicQuestion,
): Promise<number> {
  try {
    const question = await questionOf(command, places);
    const timeout_s = flags.timeout === undefined ? undefined : Number(flags.timeout);
    const args = { ...question.args, ...(timeout_s !== undefined && { timeout_seconds: timeout_s }) };
    const kept = flags.proof === undefined ? undefined : resolve(flags.proof);
    if (kept !== undefined) await expectFree(kept, false);
    const { answer, proof } = await withEngines(config, (engines, signal) =>
      withProof(config, engines, signal, { ...question, args }),
    );
    if (flags.html !== "-") console.log(answer.text.join("\n"));
    const sources = [{ name: basename(question.file), text: question.args["code"] ?? "" }];
    const report = { title: places.map((place) => basename(place)).join(" and "), answer: answer.structured, sources };
    if (wantsReport(flags)) await writeReport(report, flags, desktop);
    if (kept !== undefined) await keep(kept, question, answer, proof);
    return exit_codes[String(answer.structured["status"])] ?? 2;
  } catch (thrown) {
    tellFault(thrown);
    return 2;
  }
}

/** Asks a tool about Python code, and also returns the proof of its answer. Raises the tool's faults. */
export async function withProof(
  config: Config,
  engines: Engines,
  signal: AbortSignal,
  { tool: name, args }: Pick<AskedTool, "tool"> & { readonly args: Readonly<Record<string, unknown>> },
): Promise<{ readonly answer: Answer; readonly proof: Proof | undefined }> {
  const proofs: Proof[] = [];
  const settings = { ...config, tools: ["symbolic"], onProof: (proof: Proof) => proofs.push(proof) };
  const tools = openToolsets(engines, settings).flatMap((set) => set.session());
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const answer = await watched(signal, (context) => tool.call(args, context));
  return { answer, proof: proofs[0] };
}

/** Writes an answer's proof, if it has one. Raises the same faults as `writeBundle`. */
async function keep(path: string, { tool, args }: AskedTool, answer: Answer, proof: Proof | undefined): Promise<void> {
  if (!proof) {
    console.error("No proof was written: there is none.");
    return;
  }
  const { code = "", ...functions } = args;
  const files = proofFiles({ tool, functions: Object.values(functions), code, answer, proof });
  await writeBundle(path, files, false);
  console.error(`The proof is in ${path}, SHA-256 of ${record_file}: ${digestOf(files)}`);
}

interface AskedTool {
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
  readonly file: string;
}

async function questionOf(command: SymbolicCommand, places: readonly string[]): Promise<AskedTool> {
  if (places.length !== symbolic_commands[command]) throw misuse(command);
  const [first, second] = await Promise.all(places.map(async (place) => readPlace(place, command)));
  if (!first) throw misuse(command);
  if (!second) {
    const tool = command === "check" ? "symbolic_check" : "analyze_branches";
    return { tool, args: { code: first.code, function_name: first.name }, file: first.file };
  }
  if (first.code !== second.code) throw twoFiles();
  return {
    tool: "compare_functions",
    args: { code: first.code, function_a: first.name, function_b: second.name },
    file: first.file,
  };
}

async function readPlace(
  place: string,
  command: SymbolicCommand,
): Promise<{ file: string; code: string; name: string }> {
  const cut = place.lastIndexOf("::");
  if (cut < 0) throw misuse(command);
  const file = place.slice(0, cut);
  const code = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Fault("invalid_argument", `${file} could not be read (${error.code ?? error.message}).`, [
      "check the path before ::",
    ]);
  });
  return { file, code, name: place.slice(cut + 2) };
}

function misuse(command: SymbolicCommand): Fault {
  const places = symbolic_commands[command] === 2 ? "FILE.py::first FILE.py::second" : "FILE.py::function";
  return new Fault("invalid_argument", `verdict ${command} takes ${places}.`, [
    "write the file and the function with :: between them",
  ]);
}

function twoFiles(): Fault {
  return new Fault("invalid_argument", "The two functions are in different files, but both must run in one module.", [
    "put both into one file, under two names",
  ]);
}
