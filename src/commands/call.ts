import { readFile } from "node:fs/promises";
import type { Config } from "../config.ts";
import { Fault, toFault } from "../kernel/fault.ts";
import { quietContext } from "../kernel/tool.ts";
import { Engines } from "../solvers/index.ts";
import { openToolsets } from "../tools/index.ts";

export interface CallRequest {
  readonly tool: string;
  readonly json: string | undefined;
  readonly file: string | undefined;
}

/** One tool call without a client: the structured result on stdout; gives the exit code. */
export async function call(config: Config, request: CallRequest): Promise<number> {
  const engines = new Engines(config);
  const cancel = new AbortController();
  process.once("SIGINT", () => cancel.abort()).once("SIGTERM", () => cancel.abort());
  process.once("exit", () => engines.close());
  try {
    const tools = openToolsets(engines, config).flatMap((set) => set.tools);
    const tool = tools.find(({ name }) => name === request.tool);
    if (!tool)
      throw unknownTool(
        request.tool,
        tools.map(({ name }) => name),
      );
    const answer = await tool.call(await readArguments(request), quietContext(cancel.signal));
    print(answer.structured);
    return 0;
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault !== thrown) console.error(thrown);
    print(fault.report());
    return 1;
  } finally {
    engines.close();
  }
}

function print(result: object): void {
  console.log(JSON.stringify(result, null, 2));
}

function unknownTool(name: string, known: readonly string[]): Fault {
  return new Fault("invalid_argument", `There is no tool "${name}".`, [
    `choose from: ${known.join(", ")}`,
    "those of other toolsets are there with `--tools`, such as `--tools lean`; `verdict help` says more",
  ]);
}

/** The arguments: JSON from the command line or from a file; `.smt2` files are scripts as they are. */
async function readArguments({ json, file }: CallRequest): Promise<unknown> {
  if (file === undefined) return parse(json ?? "{}", "--json");
  const text = await readFile(file === "-" ? "/dev/stdin" : file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Fault("invalid_argument", `The file could not be read (${error.code ?? error.message}).`, [
      "check the path that stands behind --file",
      "or give the arguments with --json",
    ]);
  });
  return file.endsWith(".smt2") ? { ...object(parse(json ?? "{}", "--json")), smtlib: text } : parse(text, "--file");
}

function object(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("invalid_argument", `What ${source} gives is not JSON: ${why}.`, [
      `write for instance: verdict call solve_smtlib --json '{"smtlib":"(check-sat)"}'`,
      "quote the JSON for the shell",
    ]);
  }
}
