import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeDirectory } from "./directories.ts";

export interface FakeSolvers {
  /** A directory of its own, whose name is in the command line of every fake that runs out of it. */
  readonly directory: string;
  /** The path of a program that misbehaves in this way (see `fixtures/solvers/fake.sh`, `fixtures/python/fake.sh`). */
  path(behaviour: string): string;
  remove(): void;
}

/** Fakes in a directory of their own. */
export function openFakes(kind: "solvers" | "python" = "solvers"): FakeSolvers {
  const fixtures = fileURLToPath(new URL(`../fixtures/${kind}`, import.meta.url));
  const directory = mkdtempSync(join(tmpdir(), "verdict-fakes-"));
  // What a fake waits for that is busy without end.
  if (kind === "solvers" && process.platform !== "win32") execFileSync("mkfifo", [join(directory, "never")]);
  const made = new Set<string>();
  return {
    directory,
    path(behaviour) {
      const link = join(directory, behaviour);
      const own = join(fixtures, `${behaviour}.mjs`);
      if (!made.has(behaviour)) symlinkSync(existsSync(own) ? own : join(fixtures, "fake.sh"), link);
      made.add(behaviour);
      return link;
    },
    // An installation in the background may still take its notes away.
    remove: () => removeDirectory(directory),
  };
}
