import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { errorCode } from "../kernel/files/errno.ts";

const on_windows = process.platform === "win32";

/** The file name of a program on this system. */
function executable(name: string): string {
  return on_windows ? `${name}.exe` : name;
}

/** Every program of this name on PATH, in its order. */
export function programsOnPath(config: Config, name: string): string[] {
  return config.path.map((directory) => join(directory, executable(name))).filter(isExecutable);
}

/** Where private Python environments lie, each under the hash of what is in it. */
export function environmentsDirectory(config: Config): string {
  return config.environments_directory ?? join(config.data_directory, "python");
}

/** Where an environment keeps a program: its interpreter, and executables that wheels bring along. */
export function programOf(environment: string, name: string): string {
  return join(environment, on_windows ? "Scripts" : "bin", executable(name));
}

/** Programs of this name that finished environments bring along, the newest environment first. */
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
    // Nothing was installed yet.
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
