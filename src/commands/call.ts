import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import type { Config } from "../config.ts";
import { openBacking } from "../jobs/backing.ts";
import { openOffer } from "../jobs/index.ts";
import { takes } from "../kernel/arguments.ts";
import { Fault, toFault } from "../kernel/fault.ts";
import { nearest } from "../kernel/text/near_miss.ts";
import type { Tool } from "../kernel/tool.ts";
import { tellFault, withEngines } from "./engines.ts";
import { watched } from "./waiting.ts";

export interface CallRequest {
  readonly tool: string;
  /** A script, a file that contains one, or `-` for standard input. */
  readonly script?: string | undefined;
  readonly json?: string | undefined;
  readonly file?: string | undefined;
  /** Whether to print the answer's text instead of the structured result. */
  readonly text?: boolean | undefined;
}

/**
 * Makes one tool call without a client: prints the structured result or its text on stdout, and returns the exit code.
 */
export async function call(config: Config, request: CallRequest): Promise<number> {
  try {
    const backing = await openBacking(config);
    const answer = await withEngines(config, async (engines, signal) => {
      const { toolsets } = openOffer(engines, { ...config, handover_ms: 0 }, backing);
      const tools = toolsets.flatMap((set) => set.session());
      const tool = tools.find(({ name }) => name === request.tool) ?? unknownTool(request.tool, tools);
      if (tool.name === "start_job") throw endsWithThis();
      const args = await readArguments(tool, request);
      return watched(signal, (context) => tool.call(args, context));
    }).finally(() => backing.close());
    console.log(request.text ? answer.text.join("\n\n") : JSON.stringify(answer.structured, null, 2));
    return 0;
  } catch (thrown) {
    if (request.text) tellFault(thrown);
    else tellFaultAsJson(thrown);
    return 1;
  }
}

/** The fault for a call that would start a job, since the job would end with this program. */
function endsWithThis(): Fault {
  return new Fault(
    "invalid_argument",
    "A job ends with the program that started it, and this program exits after its answer.",
    [
      "call the tool itself: `verdict call` waits for its answer",
      "a server (`verdict serve`) runs jobs; list_jobs and get_job show them here too",
    ],
  );
}

function tellFaultAsJson(thrown: unknown): void {
  const fault = toFault(thrown);
  if (fault !== thrown) console.error(thrown);
  console.log(JSON.stringify(fault.report(), null, 2));
}

function unknownTool(name: string, tools: readonly Tool[]): never {
  const known = tools.map((tool) => tool.name);
  const near = nearest(name, known);
  throw new Fault("invalid_argument", `There is no tool "${name}".`, [
    ...(near.length > 0 ? [`write ${near.join(" or ")} if you meant that`] : []),
    `choose from: ${known.join(", ")}`,
    "add --tools for the tools of other toolsets, such as --tools lean; `verdict help` lists the toolsets",
  ]);
}

/** The name of the argument that takes a whole script; undefined for a tool without one. */
function scriptArgument(tool: Tool): string | undefined {
  return ["smtlib", "code"].find((name) => Object.hasOwn(tool.input.shape, name));
}

async function readArguments(tool: Tool, { script, json, file }: CallRequest): Promise<unknown> {
  const inline = parse(json ?? "{}", "--json");
  const argument = scriptArgument(tool);
  if (script !== undefined && isJson("", script)) return { ...object(parse(script, "SCRIPT")), ...object(inline) };
  if (script !== undefined) {
    if (!argument) throw takesNoScript(tool);
    return { ...object(inline), [argument]: await readScript(script) };
  }
  if (file === undefined) return inline;
  const text = file === "-" ? await readStream(process.stdin) : await read(file, "--file");
  if (argument && !isJson(file, text)) return { ...object(inline), [argument]: text };
  return { ...object(parse(text, "--file")), ...object(inline) };
}

/** A script is recognised by characters that file names don't contain: a parenthesis, a semicolon or a line break. */
async function readScript(script: string): Promise<string> {
  if (script === "-") return readStream(process.stdin);
  return /^\s*[(;]|\n/.test(script) ? script : read(script, "the script");
}

/** Whether the text is an object of arguments: a `.json` file, or other text that begins like an object. */
function isJson(file: string, text: string): boolean {
  return file.endsWith(".json") || (!/\.(smt2?|py)$/.test(file) && /^\s*\{/.test(text));
}

async function read(file: string, what: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Fault("invalid_argument", `The file could not be read (${error.code ?? error.message}).`, [
      `check the path given as ${what}`,
      "or pass the arguments with --json",
    ]);
  });
}

function takesNoScript(tool: Tool): Fault {
  return new Fault("invalid_argument", `${tool.name} takes no script.`, [
    "pass its arguments with --json",
    takes(tool),
  ]);
}

function object(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("invalid_argument", `The content of ${source} is not JSON: ${why}.`, [
      `write, for example: verdict call solve_smtlib --json '{"smtlib":"(check-sat)"}'`,
      "quote the JSON for the shell",
    ]);
  }
}
