import { resolve } from "node:path";
import { readConfig } from "../../src/config.ts";
import { PythonEnvironment } from "../../src/engines/python/environment.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";

/** A real installation may take this long, the first time on a machine. */
export const real_setup_ms_max = 300_000;

/**
 * A data directory (`VERDICT_DATA`) that holds a real Python environment. It is made once and kept in
 * the repository's cache; test files that need it at the same time wait for one setup, as servers do.
 */
export async function pythonData(): Promise<string> {
  return (await privatePython()).data;
}

/** The same, and the Python in it. */
export async function privatePython(): Promise<{ data: string; python: string }> {
  const data = resolve(".cache/test-python");
  const config = {
    ...readConfig({}, { ...process.env, VERDICT_DATA: data }),
    python_directory: resolve("python"),
  };
  const children = new Children(config.child_environment, config.child_directory);
  const environment = new PythonEnvironment({ config, children });
  try {
    await environment.discard();
    const job = new Deadline(real_setup_ms_max);
    const made = await environment.ready(job, () => {});
    if (made === "expired") throw new Error(`no Python environment within ${real_setup_ms_max / 1000} s`);
    return { data, python: made.python };
  } finally {
    environment.close();
    children.stopAll();
  }
}
