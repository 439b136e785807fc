import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import * as z from "zod/v4";
import { Report } from "../../src/commands/gate/report.ts";
import { type CommandRun, command } from "./command_line.ts";
import { removeDirectory } from "./directories.ts";
import { privatePython } from "./python.ts";

const settings = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];

/** A real repository in a directory of its own. */
export class Repository {
  readonly directory = mkdtempSync(join(tmpdir(), "verdict-gate-"));

  constructor() {
    this.git("init", "-q");
  }

  git(...args: string[]): string {
    return execFileSync("git", [...settings, ...args], { cwd: this.directory, encoding: "utf8" });
  }

  /** Writes files, removes those that are null, and makes a commit of it. */
  commit(files: Readonly<Record<string, string | null>>): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.directory, name);
      mkdirSync(dirname(path), { recursive: true });
      if (text === null) rmSync(path);
      else writeFileSync(path, text);
    }
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "a commit", "--allow-empty");
  }

  /** A commit on `main`, and one on `work` after it. */
  change(base: Readonly<Record<string, string | null>>, head: Readonly<Record<string, string | null>>): this {
    this.commit(base);
    this.git("checkout", "-q", "-b", "work");
    this.commit(head);
    return this;
  }

  /** Runs `verdict gate` in it. */
  gate(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<CommandRun> {
    return command(["gate", "--base", "main", ...args], { directory: this.directory, env });
  }

  /** The report of a run, as JSON. */
  async report(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Report> {
    const { stdout, stderr } = await this.gate(["--format", "json", ...args], env);
    try {
      return Report.parse(JSON.parse(stdout));
    } catch (error) {
      throw new Error(`no report: ${stderr || stdout}`, { cause: error });
    }
  }

  remove(): void {
    removeDirectory(this.directory);
  }
}

/** The status of the comparison of each function, or what changed of it where there was none. */
export function statuses({ results }: Report): Record<string, string> {
  return Object.fromEntries(
    results.map(({ change, head, base, comparison }) => [(head ?? base)?.function ?? "", comparison?.status ?? change]),
  );
}

const Composed = z.object({ paired: z.int(), merged: z.int(), mistakes: z.array(z.string()) });

/** Runs random modules in two versions (test/fixtures/gate/composition.py). */
export async function composed(cases: number, seed: number) {
  const program = resolve("test/fixtures/gate/composition.py");
  const { stdout } = await promisify(execFile)(
    (await privatePython()).python,
    ["-B", "-W", "ignore", program, `${cases}`, `${seed}`],
    { env: { ...process.env, PYTHONPATH: resolve("python") }, maxBuffer: 16 * 1024 * 1024 },
  );
  return Composed.parse(JSON.parse(stdout));
}
