import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, FAULT_CODES, Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { withLock } from "../../kernel/files/file_lock.ts";
import { makeDirectory } from "../../kernel/files/make_directory.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { startDetached } from "../../kernel/process/child.ts";
import { isRunning } from "../../kernel/process/process_tree.ts";
import { engine_limits } from "../limits.ts";
import { environmentsDirectory } from "../places.ts";
import { setupFault } from "./install_output.ts";
import type { Group } from "./packages.ts";
import type { Environment } from "./whole_environment.ts";

/** The state of the process that creates the environment, saved in a file that all of the user's servers read. */
const Note = z.object({
  pid: z.number(),
  message: z.string(),
  failed: z.object({ code: z.enum(FAULT_CODES), error: z.string(), steps: z.array(z.string()) }).optional(),
});
type Note = z.output<typeof Note>;

function noteOf(config: Config, group: Group): string {
  return join(environmentsDirectory(config), `setup${group === undefined ? "" : `_${group}`}.json`);
}

export interface Following {
  readonly config: Config;
  readonly group: Group;
  readonly signal: AbortSignal;
  readonly tell: (message: string) => void;
  /** Returns the environment if it exists by now. */
  readonly existing: () => Promise<Environment | undefined>;
}

/**
 * Starts a process that creates the environment, and follows its progress. The installation continues if this server
 * ends, and other servers can follow it. Raises `cancelled`, and the fault of a failed setup.
 */
export async function makeInBackground({ config, group, signal, tell, existing }: Following): Promise<Environment> {
  const deadline = new Deadline(engine_limits.python_setup_ms_max, signal);
  const directory = environmentsDirectory(config);
  await makeDirectory(directory);
  // The lock ensures that only one process is started.
  const pid = await withLock(join(directory, "setup"), deadline, async () => {
    const before = await readNote(config, group);
    return before && !before.failed && isRunning(before.pid) ? before.pid : start(config, group);
  });
  if (pid === "expired") throw setupFault("another process is creating it and takes too long");
  let last_message = "";
  for (;;) {
    // This check comes before reading the file: a process that is seen to have ended has already written its result.
    const runs = isRunning(pid);
    const note = await readNote(config, group);
    const environment = await existing();
    if (environment) return environment;
    if (note?.failed && note.pid === pid) throw faultOf(note.failed);
    if (!runs || deadline.is_over) throw setupFault("the process that installs it exited without a message");
    if (note?.pid === pid && note.message !== last_message) {
      last_message = note.message;
      tell(last_message);
    }
    await sleep(engine_limits.setup_poll_ms, undefined, { signal }).catch(() => {
      throw cancelled();
    });
  }
}

async function start(config: Config, group: Group): Promise<number> {
  const directory = environmentsDirectory(config);
  const log = join(directory, `setup${group === undefined ? "" : `_${group}`}.log`);
  await writeFile(log, "", { mode: 0o600 });
  const place = { directory, environment: config.setup.environment, log };
  const pid = startDetached(
    { command: process.execPath, args: [...config.setup.program, ...(group === undefined ? [] : [group])] },
    place,
  );
  if (pid === undefined) throw setupFault("the system could not start a process");
  await writeWhole(noteOf(config, group), JSON.stringify({ pid, message: "setting up a private Python environment" }));
  return pid;
}

async function readNote(config: Config, group: Group): Promise<Note | undefined> {
  try {
    return Note.parse(JSON.parse(await readFile(noteOf(config, group), "utf8")));
  } catch (error) {
    // The file is missing, was removed, or was written by another version.
    if (errorCode(error) === "ENOENT" || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function faultOf({ code, error, steps }: NonNullable<Note["failed"]>): Fault {
  return new Fault(code, error, steps);
}

/** The setup process's side: records its progress while it creates the environment. */
export class SetupNotes {
  readonly #file: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(config: Config, group: Group) {
    this.#file = noteOf(config, group);
  }

  /** Records the current step. */
  tell(message: string): void {
    this.#write({ pid: process.pid, message });
  }

  /**
   * Records why there will be no environment, for the servers that follow the setup; resolves once the record is
   * written.
   */
  async failed(fault: Fault): Promise<void> {
    const { code, message, steps } = fault;
    this.#write({ pid: process.pid, message: "failed", failed: { code, error: message, steps: [...steps] } });
    await this.#writing;
  }

  /** Removes the record; the environment itself shows that all steps succeeded. */
  async done(): Promise<void> {
    await this.#writing;
    await rm(this.#file, { force: true });
  }

  /** Writes records one after another, so that the last one remains. */
  #write(note: Note): void {
    this.#writing = this.#writing
      .then(() => writeWhole(this.#file, JSON.stringify(note)))
      .catch((error: unknown) => console.error("The progress of the setup could not be recorded:", error));
  }
}
