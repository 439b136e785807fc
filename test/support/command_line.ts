import { Readable } from "node:stream";
import { format } from "node:util";
import { vi } from "vitest";
import { runCommandLine, tellError } from "../../src/command_line.ts";
import { quickest_z3 } from "./engines.ts";

/** What a command printed, and its exit code. */
export interface CommandRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Variables besides those of the tests; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The text on standard input. */
  readonly input?: string;
  readonly directory?: string;
}

let is_running = false;

/**
 * A `verdict` command in the process of the test, one after the other: a process of its own takes a quarter of a second of a
 * processor, and `verdict ask` most of one. What is about a process (its start, its end, signals, a terminal) needs one.
 */
export async function command(args: readonly string[], options: CommandOptions = {}): Promise<CommandRun> {
  if (is_running) throw new Error("a command runs in this process already");
  is_running = true;
  const back = enter(options);
  const printed = { stdout: "", stderr: "" };
  const restore = capture(printed);
  try {
    const status = await runCommandLine(args).catch((error: unknown) => {
      tellError(error);
      return 1;
    });
    return { status, ...printed };
  } finally {
    restore();
    back();
    is_running = false;
  }
}

/** The environment, the directory and the input of a command; the function puts back what was there. */
function enter({ env = {}, input = "", directory = process.cwd() }: CommandOptions): () => void {
  const before = { env: { ...process.env }, directory: process.cwd() };
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  setVariables({ VERDICT_Z3: quickest_z3, ...env });
  process.chdir(directory);
  Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true });
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    setVariables(before.env);
    process.chdir(before.directory);
    Object.defineProperty(process, "stdin", stdin);
  };
}

function setVariables(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** Takes what is printed, by the console and by the streams themselves, until the function is called. */
function capture(printed: { stdout: string; stderr: string }): () => void {
  const write = (name: "stdout" | "stderr") =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      printed[name] += chunk;
      return true;
    });
  const print = (method: "log" | "error", name: "stdout" | "stderr") =>
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => {
      printed[name] += `${format(...words)}\n`;
    });
  const spies = [write("stdout"), write("stderr"), print("log", "stdout"), print("error", "stderr")];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}
