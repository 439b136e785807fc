import { Fault } from "./kernel/fault.ts";

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

/** Prints what is wrong with the arguments as the object of a fault too, where the answer was asked for as JSON. */
export function tellWrongArguments(args: readonly string[], message: string): void {
  if (!args.includes("--json")) return;
  const fault = new Fault("invalid_argument", message.replace(/^error: /, ""), [
    "`verdict help COMMAND` lists the flags and arguments of a command",
  ]);
  console.log(JSON.stringify(fault.report(), null, 2));
}
