import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { Fault, toFault } from "../kernel/fault.ts";

/**
 * Opens the engines for one command, and closes them when it ends, however it ends. The signal fires when the user
 * interrupts the command.
 */
export async function withEngines<Result>(
  config: Config,
  work: (engines: Engines, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const engines = new Engines(config);
  const cancel = new AbortController();
  const interrupt = () => cancel.abort();
  const close = () => engines.close();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt).once("exit", close);
  try {
    return await work(engines, cancel.signal);
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt).off("exit", close);
    close();
  }
}

/** Prints a fault for people, on stderr. An unexpected error is printed unchanged. */
export function tellFault(thrown: unknown): void {
  const fault = toFault(thrown);
  if (fault !== thrown) console.error(thrown);
  console.error(`${fault.message}\nWhat to do: ${fault.remedy}.`);
}

/** Raises `invalid_argument` if other people's programs would run without a sandbox. */
export function expectConfined({ allow_unconfined }: Config, who: string): void {
  if (!allow_unconfined) return;
  throw new Fault(
    "invalid_argument",
    `${who} runs other people's programs, and never without confinement by the operating system.`,
    [
      "remove --allow-unconfined, and unset VERDICT_ALLOW_UNCONFINED",
      "`verdict doctor` says which walls this system has; the container image on Linux has all",
    ],
  );
}
