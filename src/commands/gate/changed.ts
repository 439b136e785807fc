import type { ChangedFunction, Use, Version } from "../../engines/python/checker/changes.ts";
import type { Python } from "../../engines/python/index.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Blob, ChangedFile, Git } from "./git.ts";
import { gate_limits } from "./limits.ts";
import { atOnce } from "./parallel.ts";

/** One version of a changed function. */
export interface Place extends Pick<Version, "text" | "name" | "own_modules"> {
  readonly file: string;
  readonly line: number;
  readonly end_line: number;
}

/** A function that differs between two commits. */
export interface Change {
  readonly kind: "changed" | "moved" | "added" | "removed" | "same_code";
  readonly base: Place | null;
  readonly head: Place | null;
  readonly through: readonly string[];
  /** If all that differs in its module is in functions that it uses: those functions. */
  readonly uses: readonly Use[] | null;
  readonly has_contract: boolean;
  readonly had_contract: boolean;
}

/** A skipped file, and why. */
export interface LeftOut {
  readonly file: string;
  readonly why: string;
  /** Whether the skipped file may contain functions that were not examined. */
  readonly is_unread: boolean;
  /** Whether Python's parser failed or did not finish. A file beside it can cause this, so the gate fails. */
  readonly is_late?: boolean;
}

export interface Changed {
  readonly changes: readonly Change[];
  readonly left_out: readonly LeftOut[];
  readonly files: number;
}

interface Services {
  readonly git: Git;
  readonly python: Python;
  readonly deadline: Deadline;
}

/** A changed function of one file, before moves are detected. */
interface LocatedChange {
  readonly changed: ChangedFunction;
  readonly base: Place | null;
  readonly head: Place | null;
}

/** Lists the functions that differ between two commits. Raises the faults of git and of Python's parser. */
export async function changedFunctions(
  services: Services,
  commits: { readonly base: string; readonly head: string },
  files: readonly ChangedFile[],
): Promise<Changed> {
  const read = files.slice(0, gate_limits.files_max);
  const left_out: LeftOut[] = files
    .slice(gate_limits.files_max)
    .map((file) => ({ file: pathOf(file), why: `more than ${gate_limits.files_max} files changed`, is_unread: true }));
  const modules = new OwnModules(services.git);
  const by_file = await atOnce(gate_limits.reads_at_once, read, async (file) => {
    const result = await functionsOf(services, file, async (blob, side) => modules.of(commits[side], blob.path));
    if ("why" in result) left_out.push({ is_unread: true, ...result, file: pathOf(file) });
    return "why" in result ? [] : result.functions;
  });
  return { changes: withMoved(by_file.flat()), left_out, files: read.length };
}

const pathOf = ({ base, head }: ChangedFile) => (head ?? base)?.path ?? "";

async function functionsOf(
  { git, python, deadline }: Services,
  { base, head }: ChangedFile,
  modulesOf: (blob: Blob, side: "base" | "head") => Promise<readonly string[]>,
): Promise<{ functions: LocatedChange[] } | { why: string; is_unread?: false; is_late?: true }> {
  if (![base, head].some((side) => side?.path.endsWith(".py")))
    return { why: "it is not a Python file", is_unread: false };
  const [old, young] = await Promise.all([base && git.read(base), head && git.read(head)]);
  if (old === undefined || young === undefined)
    return { why: `it could not be read, or is larger than ${gate_limits.file_bytes_max / 1024} KiB` };
  try {
    const { functions, generated, unreadable } = await python.changes(old, young, deadline);
    if (generated) return { why: "its first lines say that it is generated", is_unread: false };
    if (unreadable) {
      const side = unreadable.side === "base" ? "the base" : "this change";
      return { why: `in ${side} it can't be parsed as Python: ${unreadable.message} (line ${unreadable.line})` };
    }
    const own = { base: base && (await modulesOf(base, "base")), head: head && (await modulesOf(head, "head")) };
    const place = (blob: Blob | null, text: string | null, own_modules: readonly string[] | null) =>
      blob && text !== null && own_modules ? { file: blob.path, text, own_modules } : null;
    const sides = { base: place(base, old, own.base), head: place(head, young, own.head) };
    return { functions: functions.map((each) => locatedIn(each, sides)) };
  } catch (error) {
    // If Python's parser can't read a file, or not within the time limit, the other files are still compared.
    if (error instanceof Fault && (error.code === "input_rejected" || error.code === "busy"))
      return { why: error.message, is_late: true };
    throw error;
  }
}

type Source = Omit<Place, "name" | "line" | "end_line">;

function locatedIn(changed: ChangedFunction, sides: { base: Source | null; head: Source | null }): LocatedChange {
  const { name, line, end_line, base_line, change } = changed;
  const base = sides.base && base_line !== null ? { ...sides.base, name, line: base_line, end_line: base_line } : null;
  const head = sides.head && change !== "removed" ? { ...sides.head, name, line, end_line } : null;
  return { changed, base, head };
}

/**
 * A function that disappeared from one place and appeared in another, with the same code or the same name, was moved.
 */
function withMoved(all: readonly LocatedChange[]): Change[] {
  const removed = all.filter(({ changed }) => changed.change === "removed");
  const added = all.filter(({ changed }) => changed.change === "added");
  const moved = new Map<LocatedChange, LocatedChange>();
  const moved_away = new Set<LocatedChange>();
  const match = (alike: (one: ChangedFunction, other: ChangedFunction) => boolean) => {
    for (const one of added) {
      const candidates = removed.filter((each) => !moved_away.has(each) && alike(one.changed, each.changed));
      const rivals = added.filter((each) => !moved.has(each) && alike(each.changed, one.changed));
      const [only] = candidates;
      // If several functions match, the move is ambiguous.
      if (moved.has(one) || only === undefined || candidates.length > 1 || rivals.length > 1) continue;
      moved.set(one, only);
      moved_away.add(only);
    }
  };
  match((one, other) => one.code === other.code && one.name === other.name);
  match((one, other) => one.code === other.code);
  match((one, other) => one.name === other.name);
  return all.flatMap((each): Change[] => {
    if (moved_away.has(each)) return [];
    const { changed, base, head } = each;
    const { through, uses, has_contract, had_contract } = changed;
    const from = moved.get(each);
    if (from === undefined) return [{ kind: changed.change, base, head, through, uses, has_contract, had_contract }];
    const { had_contract: had } = from.changed;
    return [{ kind: "moved", base: from.base, head, through, uses: null, has_contract, had_contract: had }];
  });
}

/** The module names that a file's imports would find in the repository before the standard library. */
class OwnModules {
  readonly #git: Git;
  readonly #known = new Map<string, Promise<readonly string[]>>();

  constructor(git: Git) {
    this.#git = git;
  }

  async of(commit: string, path: string): Promise<readonly string[]> {
    const own = path.split("/").slice(0, -1).join("/");
    const directories = [...new Set(["", "src", "lib", own])];
    const names = await Promise.all(directories.map((directory) => this.#in(commit, directory, directory === own)));
    return [...new Set(names.flat())];
  }

  #in(commit: string, directory: string, is_own: boolean): Promise<readonly string[]> {
    const key = `${commit}:${directory}:${is_own}`;
    const known = this.#known.get(key);
    if (known) return known;
    const names = this.#look(commit, directory, is_own);
    this.#known.set(key, names);
    return names;
  }

  async #look(commit: string, directory: string, is_own: boolean): Promise<readonly string[]> {
    const names = await this.#git.names(commit, directory);
    // A file in a package can import its neighbours only with relative imports.
    if (is_own && directory !== "" && names.includes("__init__.py")) return [];
    return names.flatMap((name) =>
      /\.pyi?$/.test(name) || name.endsWith("/") ? [name.replace(/\.pyi?$|\/$/, "")] : [],
    );
  }
}
