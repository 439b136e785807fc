import { format } from "node:util";
import { Fault } from "./kernel/fault.ts";
import { visible } from "./kernel/text/visible.ts";

/** The exit code of a command whose arguments are wrong, or whose output is lost. */
export const not_done = 2;

/**
 * Ends a command with a failure whose output could not be written, as on a full disk: who reads it would take a part for all
 * of it. A reader that went away, such as `head`, has what it wanted.
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
 * From now on, what this program prints for people has no character that steers a terminal: it may come from a model. Pages
 * and the messages of the protocol are written to stdout itself.
 */
export function showControlCharacters(): void {
  for (const name of ["log", "info", "warn", "error"] as const) {
    const print = console[name].bind(console);
    console[name] = (...parts: unknown[]) => print(visible(format(...parts)));
  }
}

/** Prints what is wrong with the arguments as the object of a fault too, if the answer was asked for as JSON. */
export function tellWrongArguments(args: readonly string[], message: string): void {
  if (!args.includes("--json")) return;
  const fault = new Fault("invalid_argument", message.replace(/^error: /, ""), [
    "`verdict help COMMAND` lists the flags and arguments of a command",
  ]);
  console.log(JSON.stringify(fault.report(), null, 2));
}
