import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";

/** A module's full name; it is put into a program of ours. */
const ModuleName = z.string().regex(/^[a-z_]\w*(\.[a-z_]\w*)*$/i);

const EnginePackage = z.strictObject({
  /** The key of its version in the note of an environment, and the name of the process that runs its programs. */
  id: z.string(),
  /** What people read in `verdict setup`. */
  title: z.string(),
  /** What `verdict doctor` calls it. */
  report: z.string(),
  module: ModuleName,
  distribution: z.string().regex(/^[\w.-]+$/),
  /** For a package that is not built for every machine: what works without it, and where it is built. */
  optional: z.strictObject({ without: z.string(), how_to_get: z.string() }).optional(),
});
export type EnginePackage = z.output<typeof EnginePackage>;

const Packages = z.strictObject({ engines: z.array(EnginePackage), libraries: z.array(ModuleName) });
export type Packages = z.output<typeof Packages>;

/** What an environment holds that is imported by name: the one list, `python/packages.json`. */
export async function packagesOf(config: Config): Promise<Packages> {
  return Packages.parse(JSON.parse(await readFile(join(config.python_directory, "packages.json"), "utf8")));
}

/** Imports all that no machine goes without. */
export function importsOf({ engines, libraries }: Packages): string {
  const required = engines.filter(({ optional }) => optional === undefined).map(({ module }) => module);
  return `import ${[...required, ...libraries].join(", ")}`;
}

/** Imports everything that is there, and prints the version of each engine as JSON; null where an optional one is not. */
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
