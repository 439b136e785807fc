import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { withLock } from "../../kernel/files/file_lock.ts";
import { makeDirectory } from "../../kernel/files/make_directory.ts";
import { limits } from "../../kernel/limits.ts";
import { startDetached } from "../../kernel/process/child.ts";
import { isRunning } from "../../kernel/process/process_tree.ts";
import { cut } from "../../kernel/text/cut.ts";
import { linesOf } from "../../kernel/text/lines.ts";
import { engine_limits } from "../limits.ts";
import { daemonDirectory } from "./pid_file.ts";

/** The program that listens on the port; a superseded daemon is ended and replaced by a new one. */
export type Presence = "ours" | "superseded" | "other" | "nobody";

export interface Launching {
  look(deadline: Deadline): Promise<Presence>;
  /** Ends the superseded daemon. */
  end(deadline: Deadline): Promise<unknown>;
  /** Whether a server starts the daemon on its own, rather than the user. */
  readonly automatic: boolean;
}

/**
 * Starts the daemon and waits until it listens. If several servers need a daemon at the same time, the first server
 * starts it and the others find it. Returns "expired" if time ran out. Raises `daemon_down`, `cancelled`.
 */
export async function launch(
  config: Config,
  { look, end: endOther, automatic }: Launching,
  deadline: Deadline,
): Promise<undefined | "expired"> {
  const directory = daemonDirectory(config.data_directory);
  const log = join(directory, "daemon.log");
  await makeDirectory(directory).catch(unwritable);
  return withLock(join(directory, "starting"), deadline, async () => {
    const presence = await look(deadline);
    if (presence === "superseded") await endOther(deadline);
    else if (presence !== "nobody") return undefined;
    await writeFile(log, "", { mode: 0o600 }).catch(unwritable);
    const { program, environment } = config.tactics;
    const args = automatic ? [...program, "--automatic"] : program;
    const pid = startDetached({ command: process.execPath, args }, { directory, environment, log });
    if (pid === undefined) throw notStarted("the system could not start a process");
    const starting = new Deadline(engine_limits.tactic_start_ms_max);
    // A daemon that is about to exit can still listen for a moment, so only a handshake counts.
    while ((await look(deadline)) !== "ours") {
      if (deadline.signal.aborted) throw cancelled();
      if (deadline.is_over) return "expired";
      if (!isRunning(pid) || starting.is_over) throw notStarted(await lastWords(log));
      await sleep(limits.lock_poll_ms);
    }
    return undefined;
  });
}

async function lastWords(log: string): Promise<string> {
  const lines = linesOf((await readFile(log, "utf8").catch(() => "")).trim());
  // The log lists a fault's steps after its message; they are meant for a user who starts the daemon manually.
  const log_lines = lines.filter((line) => !line.startsWith("What to do:"));
  return cut(log_lines.at(-1) ?? "", limits.fault_quote_chars_max) || "it said nothing";
}

function unwritable(error: unknown): never {
  throw notStarted(`its directory can't be written (${errorCode(error) ?? "unknown error"})`);
}

function notStarted(why: string): Fault {
  return new Fault("daemon_down", `The tactic daemon could not be started: ${why.replace(/\.$/, "")}.`, [
    "ask the user to run `verdict daemon start`, which shows more details",
    "its log is lean/daemon.log in Verdict's data directory",
  ]);
}
