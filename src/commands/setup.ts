import type { Config } from "../config.ts";
import { engine_limits } from "../engines/limits.ts";
import { SetupNotes } from "../engines/python/background.ts";
import { PythonEnvironment } from "../engines/python/environment.ts";
import { warningOf } from "../engines/python/interpreter.ts";
import { type Group, type Packages, packagesOf } from "../engines/python/packages.ts";
import type { Environment } from "../engines/python/whole_environment.ts";
import { Deadline } from "../kernel/deadline.ts";
import { toFault } from "../kernel/fault.ts";
import { Children } from "../kernel/process/child.ts";
import { tellFault } from "./engines.ts";

/** Creates a private Python environment with visible progress; returns the exit code. */
export async function setup(config: Config, group: Group): Promise<number> {
  try {
    const packages = await packagesOf(config, group);
    const { download_mb, disk_mb } = packages;
    const environment = await make(config, group, {
      tell: (message) => console.log(`  ${message}`),
      begin: () => console.log(`This downloads ${download_mb} MB, once, and takes ${disk_mb} MB of disk.`),
    });
    console.log(forPeople(environment, packages));
    return 0;
  } catch (thrown) {
    tellFault(thrown);
    return 1;
  }
}

/** Runs the setup for waiting servers: writes progress and failures to the file that they read. */
export async function setupInBackground(config: Config, group: Group): Promise<number> {
  // All users may read the files, since jobs in the sandbox must be able to read them.
  process.umask(0o022);
  const notes = new SetupNotes(config, group);
  try {
    await make(config, group, { tell: (message) => notes.tell(message), begin: () => {} });
    await notes.done();
    return 0;
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault !== thrown) console.error(thrown);
    await notes.failed(fault);
    return 1;
  }
}

interface Audience {
  readonly tell: (message: string) => void;
  /** Called once, and only if an environment has to be created. */
  readonly begin: () => void;
}

/** Replaces an environment that does not work, and keeps one that does. */
async function make(config: Config, group: Group, { tell, begin }: Audience): Promise<Environment> {
  const children = new Children(config.child_environment, config.child_directory);
  const environment = new PythonEnvironment({ config, children, group });
  const cancel = new AbortController();
  process.once("SIGINT", () => cancel.abort()).once("SIGTERM", () => cancel.abort());
  try {
    await environment.discard();
    const existing = await environment.installed();
    if (existing) return existing;
    begin();
    // This time is longer than any setup needs; a setup that takes too long reports this itself.
    const ready_environment = await environment.ready(
      new Deadline(2 * engine_limits.python_setup_ms_max, cancel.signal),
      tell,
    );
    if (ready_environment === "expired") throw new Error("the setup did not finish by its own deadline");
    return ready_environment;
  } finally {
    environment.close();
    children.stopAll();
  }
}

function forPeople({ version, packages, directory }: Environment, { engines }: Packages): string {
  return [
    "Everything is installed:",
    `  ✓ Python ${version}`,
    ...engines.map(({ id, title }) =>
      packages[id] ? `  ✓ ${title} ${packages[id]}` : `  · ${title} is not available for this machine`,
    ),
    `in ${directory}`,
    ...[warningOf(version)].filter(Boolean).map((warning) => `Warning: ${warning}.`),
  ].join("\n");
}
