import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { readConfig } from "../../src/config.ts";
import { PythonEnvironment } from "../../src/engines/python/environment.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { removeDirectory } from "./directories.ts";

/** A real installation may take this long, the first time on a machine that has twenty other busy programs. */
export const real_setup_ms_max = 1_200_000;

/**
 * A data directory (`VERDICT_DATA`) that holds a real Python environment. It is made once and kept in
 * the repository's cache; test files that need it at the same time wait for one setup, as servers do.
 */
export async function pythonData(group?: string): Promise<string> {
  return (await privatePython(group)).data;
}

/** Environments that this worker knows. */
const looked_at = new Map<string | undefined, Promise<{ data: string; python: string }>>();

/** The same, and the Python in it. */
export function privatePython(group?: string): Promise<{ data: string; python: string }> {
  const known = looked_at.get(group);
  if (known) return known;
  const looking = makeEnvironment(group);
  looked_at.set(group, looking);
  looking.catch(() => looked_at.delete(group));
  return looking;
}

const data = resolve(".cache/test-python");
/** Has a file for each environment that was looked at in this run of the suite, by any worker. */
function directoryOfLooks(): string | undefined {
  const run = process.env["VERDICT_TEST_RUN"];
  return run === undefined ? undefined : join(data, `looks.${run}`);
}

/** Looks at an environment, and makes it if needed; importing all of its engines once more would tell nothing new. */
async function makeEnvironment(group: string | undefined): Promise<{ data: string; python: string }> {
  const looks = directoryOfLooks();
  const look = looks && join(looks, group ?? "usual");
  if (look && existsSync(look)) return { data, python: readFileSync(look, "utf8") };
  const config = {
    ...readConfig({}, { ...process.env, VERDICT_DATA: data }),
    python_directory: resolve("python"),
  };
  const children = new Children(config.child_environment, config.child_directory);
  const environment = new PythonEnvironment({ config, children, group });
  try {
    await environment.discard();
    const job = new Deadline(real_setup_ms_max);
    const made = await environment.ready(job, () => {});
    if (made === "expired") throw new Error(`no Python environment within ${real_setup_ms_max / 1000} s`);
    if (looks && look) {
      mkdirSync(looks, { recursive: true });
      writeFileSync(`${look}.${process.pid}`, made.python);
      renameSync(`${look}.${process.pid}`, look);
    }
    return { data, python: made.python };
  } finally {
    environment.close();
    children.stopAll();
  }
}

/** Removes the records of the environments of this run. */
export function forgetLooks(): void {
  const looks = directoryOfLooks();
  if (looks) removeDirectory(looks);
}

/**
 * Has Python compile its side of Verdict, which each of the hundreds of processes that tests start would do by itself. The
 * compiled files count only for the very texts that they were made from.
 */
export async function compileRunner(): Promise<void> {
  const { python } = await privatePython();
  const args = ["-I", "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", resolve("dist/python")];
  // The tests run without it, too, only slower.
  await run(python, args).catch((error: unknown) => console.log(`Python's files were not compiled: ${error}`));
}

const run = promisify(execFile);

/**
 * The Python of a virtual environment with the packages of `requirements.txt` in this directory. It is made once for
 * these requirements and kept in the repository's cache.
 */
export async function pythonWith(directory: string): Promise<string> {
  const requirements = join(directory, "requirements.txt");
  const hash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 16);
  const place = resolve(".cache", `test-${basename(directory)}`, hash);
  const program = process.platform === "win32" ? "Scripts/python.exe" : "bin/python";
  if (existsSync(place)) return join(place, program);
  mkdirSync(dirname(place), { recursive: true });
  const made = `${place}.${process.pid}`;
  const { python } = await privatePython();
  const own = join(made, program);
  // The pip of the private environment installs here, too: one of its own takes four seconds of a processor.
  const has_pip = await run(python, ["-c", "import pip"]).then(
    () => true,
    () => false,
  );
  await run(python, ["-m", "venv", ...(has_pip ? ["--without-pip"] : []), "--clear", made]);
  const packages = await run(own, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')"]);
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-compile"];
  const options = [...quiet, "--require-hashes", "--only-binary", ":all:"];
  const place_of_packages = has_pip ? ["--target", packages.stdout] : [];
  const requested = ["install", ...options, ...place_of_packages, "-r", requirements];
  await run(has_pip ? python : own, ["-m", "pip", ...requested]);
  try {
    renameSync(made, place);
  } catch (thrown) {
    // Another test file made it meanwhile.
    if (!existsSync(place)) throw thrown;
    removeDirectory(made);
  }
  return join(place, program);
}
