import { format } from "node:util";
import { Fault } from "./kernel/fault.ts";
import { visible } from "./kernel/text/visible.ts";

/** The exit code of a command whose arguments are wrong or whose output could not be written. */
export const not_done = 2;

/**
 * Makes the command fail if its output can't be written, for example on a full disk. Otherwise, partial output could be
 * mistaken for complete output. A closed pipe is not a failure: a reader such as `head` already has what it wanted.
 */
export function failWithoutOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`The output could not be written (${error.code ?? error.name}).\n`);
    process.once("exit", () => {
      process.exitCode = not_done;
    });
  });
}

/**
 * From now on, escapes terminal control characters in everything that this program prints for people, because the text
 * may come from a model. Pages and protocol messages bypass this: they are written directly to stdout.
 */
export function showControlCharacters(): void {
  for (const name of ["log", "info", "warn", "error"] as const) {
    const print = console[name].bind(console);
    console[name] = (...parts: unknown[]) => print(visible(format(...parts)));
  }
}

/** Also prints what is wrong with the arguments as a fault object, if the user asked for JSON output. */
export function tellWrongArguments(args: readonly string[], message: string): void {
  if (!args.includes("--json")) return;
  const fault = new Fault("invalid_argument", message.replace(/^error: /, ""), [
    "`verdict help COMMAND` lists the flags and arguments of a command",
  ]);
  console.log(JSON.stringify(fault.report(), null, 2));
}
