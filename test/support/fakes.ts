import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface FakeSolvers {
  /** A directory of its own, whose name is in the command line of every fake that runs out of it. */
  readonly directory: string;
  /** The path of a program that misbehaves in this way (see `fixtures/solvers/fake.mjs`, `fixtures/python/fake.mjs`). */
  path(behaviour: string): string;
  remove(): void;
}

/** Fakes in a directory of their own. */
export function openFakes(kind: "solvers" | "python" = "solvers"): FakeSolvers {
  const fake = fileURLToPath(new URL(`../fixtures/${kind}/fake.mjs`, import.meta.url));
  const directory = mkdtempSync(join(tmpdir(), "verdict-fakes-"));
  const made = new Set<string>();
  return {
    directory,
    path(behaviour) {
      const link = join(directory, behaviour);
      if (!made.has(behaviour)) symlinkSync(fake, link);
      made.add(behaviour);
      return link;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
