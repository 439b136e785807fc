import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";

/** A module's full name, which is inserted into one of Verdict's own programs. */
const ModuleName = z.string().regex(/^[a-z_]\w*(\.[a-z_]\w*)*$/i);

const EnginePackage = z.strictObject({
  /** The key of the engine's version in an environment's record, and the name of the process that runs its programs. */
  id: z.string(),
  /** The engine's name in the output of `verdict setup`. */
  title: z.string(),
  /** The engine's name in the output of `verdict doctor`. */
  report: z.string(),
  module: ModuleName,
  distribution: z.string().regex(/^[\w.-]+$/),
  /** For a package that is not built for every machine: what works without it, and where it is available. */
  optional: z.strictObject({ without: z.string(), how_to_get: z.string() }).optional(),
});
export type EnginePackage = z.output<typeof EnginePackage>;

const Packages = z.strictObject({
  /** The purpose of the packages, which begins a sentence about their installation. */
  purpose: z.string(),
  /** The size of the download and the size on disk. */
  download_mb: z.int(),
  disk_mb: z.int(),
  engines: z.array(EnginePackage),
  libraries: z.array(ModuleName).default([]),
  /** Other processes that use these packages, in addition to those named after an engine. */
  programs: z.array(z.string()).default([]),
  /**
   * Other environments whose packages the programs can import after their own, if installed: groups by name, and
   * "common" for the packages that every Python engine needs.
   */
  also: z.array(z.string()).default([]),
  /**
   * Whether only `verdict setup` installs these packages; other packages are installed by the first call that needs
   * them.
   */
  by_setup_only: z.boolean().default(false),
});
export type Packages = z.output<typeof Packages>;

const AllPackages = Packages.extend({ groups: z.record(z.string(), Packages) });

/**
 * The name of a package group, which is installed in a separate environment when it is first used; undefined stands for
 * the packages that every Python engine needs.
 */
export type Group = string | undefined;

/** Reads an environment's packages that are imported by name, from the only list of them, `python/packages.json`. */
export async function packagesOf(config: Config, group?: Group): Promise<Packages> {
  const { groups, ...base } = await allPackages(config);
  const packages = group === undefined ? base : groups[group];
  if (packages) return packages;
  throw new Fault("invalid_argument", `There is no package group named "${group}".`, [
    `use one of: ${Object.keys(groups).join(", ")}`,
    "or omit it, for the packages that every Python engine needs",
  ]);
}

/** The names of all groups. */
export async function groupsOf(config: Config): Promise<string[]> {
  return Object.keys((await allPackages(config)).groups);
}

/** Returns the group that contains the packages for the process with this name. */
export async function groupOf(config: Config, program: string): Promise<Group> {
  const { groups } = await allPackages(config);
  const entries = Object.entries(groups);
  return entries.find(
    ([, { engines, programs }]) => programs.includes(program) || engines.some(({ id }) => id === program),
  )?.[0];
}

/** The directory with the files that define a group's environment. */
export function groupDirectory(config: Config, group: Group): string {
  return group === undefined ? config.python_directory : join(config.python_directory, "groups", group);
}

async function allPackages(config: Config): Promise<z.output<typeof AllPackages>> {
  return AllPackages.parse(JSON.parse(await readFile(join(config.python_directory, "packages.json"), "utf8")));
}

/** A Python program that imports all packages that exist for every machine. */
export function importsOf({ engines, libraries }: Pick<Packages, "engines" | "libraries">): string {
  const required = engines.filter(({ optional }) => optional === undefined).map(({ module }) => module);
  return `import ${[...required, ...libraries].join(", ")}`;
}

/**
 * A Python program that imports all installed packages and prints each engine's version as JSON; null for an optional
 * engine that is missing.
 */
export function versionsOf(packages: Packages): string {
  const optional = packages.engines.filter((each) => each.optional !== undefined).map(({ module }) => module);
  const distributions = packages.engines.map(({ id, module, distribution }) => [id, module, distribution]);
  return `
import importlib, json
${importsOf(packages)}
from importlib.metadata import version
from importlib.util import find_spec
missing = [name for name in ${JSON.stringify(optional)} if find_spec(name.partition(".")[0]) is None]
for name in ${JSON.stringify(optional)}:
    if name not in missing: importlib.import_module(name)
print(json.dumps({id: None if name in missing else version(package) for id, name, package in ${JSON.stringify(distributions)}}))
`;
}
