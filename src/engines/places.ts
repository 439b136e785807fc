import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { errorCode } from "../kernel/files/errno.ts";

const on_windows = process.platform === "win32";

/** The file name of a program on this system. */
function executable(name: string): string {
  return on_windows ? `${name}.exe` : name;
}

/** Returns every program with this name on PATH, in the order of PATH. */
export function programsOnPath(config: Config, name: string): string[] {
  return config.path.map((directory) => join(directory, executable(name))).filter(isExecutable);
}

/** The directory of the private Python environments; each is named after the hash of its contents. */
export function environmentsDirectory(config: Config): string {
  return config.environments_directory ?? join(config.data_directory, "python");
}

/** The path of a program in an environment: its interpreter, or an executable that a wheel includes. */
export function programOf(environment: string, name: string): string {
  return join(environment, on_windows ? "Scripts" : "bin", executable(name));
}

/** Returns the programs with this name in complete environments, from the newest environment to the oldest. */
export function programsOfEnvironments(config: Config, name: string): string[] {
  const directory = environmentsDirectory(config);
  return namesIn(directory)
    .filter((entry) => /^[0-9a-f]{12}$/.test(entry))
    .map((entry) => programOf(join(directory, entry), name))
    .filter(isExecutable)
    .sort((a, b) => statSync(b).ctimeMs - statSync(a).ctimeMs);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    // Nothing has been installed yet.
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
