import { existsSync, readdirSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { UserPlaces } from "../../config.ts";

/** What the search for clients knows of a machine: its rules for paths, and which paths exist. */
export interface Machine extends UserPlaces {
  exists(path: string): boolean;
  /** The names in a directory; none if there is no such directory. */
  names(directory: string): readonly string[];
}

export function thisMachine(places: UserPlaces): Machine {
  return {
    ...places,
    exists: existsSync,
    names: (directory) => (existsSync(directory) ? readdirSync(directory) : []),
  };
}

export function joined(machine: Machine, ...parts: readonly string[]): string {
  return (machine.platform === "win32" ? win32 : posix).join(...parts);
}

/** A path in the user's home. */
export function inHome(machine: Machine, ...parts: readonly string[]): string {
  return joined(machine, machine.home, ...parts);
}

/** Where programs keep the settings of a user on Linux and the like, also on other systems. */
export function inConfig(machine: Machine, ...parts: readonly string[]): string {
  return joined(machine, machine.variables.XDG_CONFIG_HOME ?? inHome(machine, ".config"), ...parts);
}

/** Where desktop programs keep the settings of a user. */
export function inSettings(machine: Machine, ...parts: readonly string[]): string {
  switch (machine.platform) {
    case "darwin":
      return inHome(machine, "Library", "Application Support", ...parts);
    case "win32":
      return joined(machine, machine.variables.APPDATA ?? inHome(machine, "AppData", "Roaming"), ...parts);
    default:
      return inConfig(machine, ...parts);
  }
}

/** The path as people write it. */
export function shortened(machine: Machine, path: string): string {
  return path.startsWith(machine.home) ? `~${path.slice(machine.home.length)}` : path;
}
