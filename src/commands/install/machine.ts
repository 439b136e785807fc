import { existsSync, readdirSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { UserPlaces } from "../../config.ts";

/** The machine as seen by the search for clients: its path rules, and which paths exist. */
export interface Machine extends UserPlaces {
  exists(path: string): boolean;
  /** The names in a directory; empty if it does not exist. */
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

/** A path in the user's home directory. */
export function inHome(machine: Machine, ...parts: readonly string[]): string {
  return joined(machine, machine.home, ...parts);
}

/** The directory for user settings on Linux and similar systems; some programs use it on other systems, too. */
export function inConfig(machine: Machine, ...parts: readonly string[]): string {
  return joined(machine, machine.variables.XDG_CONFIG_HOME ?? inHome(machine, ".config"), ...parts);
}

/** The directory where desktop programs store user settings. */
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

/** Shortens a path: `~` replaces the home directory. */
export function shortened(machine: Machine, path: string): string {
  return path.startsWith(machine.home) ? `~${path.slice(machine.home.length)}` : path;
}
