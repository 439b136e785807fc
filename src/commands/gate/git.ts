import type { Config } from "../../config.ts";
import { programsOnPath } from "../../engines/places.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { Children } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import { linesOf } from "../../kernel/text/lines.ts";
import { gate_limits } from "./limits.ts";
import { atOnce } from "./parallel.ts";

/**
 * Settings that prevent git from running programs specified by a repository: hooks, file system monitors, transports.
 * Only commands that read objects are used; they neither check out nor convert files.
 */
const harmless = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"],
  ...["-c", "core.alternateRefsCommand=", "-c", "diff.external=", "-c", "core.quotePath=false"],
  ...["--no-pager", "--no-optional-locks", "--no-replace-objects"],
];
/** The character that replaces bytes that are not valid UTF-8; Python's parser rejects a text that contains it. */
const unreadable = "\ufffd";
const environment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_OPTIONAL_LOCKS: "0",
  LC_ALL: "C",
};

/** A file that differs between two commits. A side is `null` if the file does not exist there. */
export interface ChangedFile {
  readonly base: Blob | null;
  readonly head: Blob | null;
}

export interface Blob {
  readonly path: string;
  readonly object: string;
}

/** The exit status and output of a git command. */
interface GitEnd {
  readonly code: number;
  readonly text: string;
  readonly errors: string;
}

/** Reads a git repository. Runs nothing in it, and writes nothing. */
export class Git {
  readonly #program: string;
  readonly #directory: string;
  readonly #children: Children;
  readonly #signal: AbortSignal;
  /**
   * Caches commands' output by their arguments: many functions use the same modules, and each command starts a process.
   */
  readonly #known = new Map<string, Promise<GitEnd>>();
  #known_chars = 0;

  /** Raises `engine_missing` if git is not on PATH. */
  constructor(config: Config, directory: string, signal: AbortSignal) {
    const [program] = programsOnPath(config, "git");
    if (program === undefined) throw noGit();
    this.#program = program;
    this.#directory = directory;
    this.#signal = signal;
    const { child_environment, git_environment, child_directory } = config;
    this.#children = new Children({ ...child_environment, ...git_environment, ...environment }, child_directory);
  }

  close(): void {
    this.#children.stopAll();
  }

  /** Resolves a name to a commit. Raises `invalid_argument`. */
  async commit(ref: string): Promise<string> {
    // Some git commands would read a name that begins with a dash as an option.
    if (ref === "" || ref.startsWith("-") || /\p{Cc}/u.test(ref)) throw noSuchCommit(ref);
    const { code, text, errors } = await this.#run([
      ...["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
    ]);
    if (code === 128 && /not a git repository|dubious ownership/.test(errors)) throw noRepository(errors);
    const object = text.trim();
    if (code !== 0 || !/^[0-9a-f]{40,64}$/.test(object)) throw noSuchCommit(ref);
    return object;
  }

  /** The merge base of two commits, as used by pull requests. Raises `invalid_argument`. */
  async mergeBase(one: string, other: string): Promise<string> {
    const { code, text } = await this.#run(["merge-base", one, other]);
    const object = linesOf(text.trim())[0] ?? "";
    if (code !== 0 || object === "") throw noMergeBase();
    return object;
  }

  /** The Python files that differ between two commits; a renamed file counts as one. */
  async changedFiles(base: string, head: string, pathspecs: readonly string[]): Promise<ChangedFile[]> {
    const options = [
      "-r",
      "-z",
      "--raw",
      "--no-abbrev",
      "-M",
      "-l1000",
      "--no-relative",
      "--no-ext-diff",
      "--no-textconv",
    ];
    const text = await this.#text(["diff-tree", ...options, "--diff-filter=AMDRT", base, head, "--", ...pathspecs]);
    return readRaw(text);
  }

  /** The text of a file; undefined if it is too large. Bytes that are not UTF-8 become U+FFFD. */
  async read({ object }: Blob): Promise<string | undefined> {
    const { code, text } = await this.#once(["cat-file", "blob", object], gate_limits.file_bytes_max);
    return code === 0 ? text : undefined;
  }

  /** The names in a directory of a commit, directories with a trailing `/`; empty if the directory does not exist. */
  async names(commit: string, directory: string): Promise<string[]> {
    const at = directory === "" ? commit : `${commit}:${directory}`;
    const { code, text } = await this.#once(["ls-tree", "-z", "--full-tree", at]);
    if (code !== 0) return [];
    return text.split("\0").flatMap((entry) => {
      const [mode = "", name] = entry.split("\t");
      return name === undefined ? [] : [mode.includes(" tree ") ? `${name}/` : name];
    });
  }

  /**
   * The texts of files in a commit, by path; null if a file does not exist. A file that is too large is replaced by a
   * character that the parser rejects.
   */
  async texts(commit: string, paths: readonly string[]): Promise<Record<string, string | null>> {
    const command = ["ls-tree", "-z", "--full-tree", commit, "--", ...paths];
    const { code, text: output, errors } = await this.#once(command);
    if (code !== 0) throw failed("ls-tree", errors);
    const blobs = new Map<string, string>();
    for (const entry of output.split("\0")) {
      const [, mode = "", object = "", path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
      if (path !== undefined && isFile(mode)) blobs.set(path, object);
    }
    const read = await atOnce(gate_limits.reads_at_once, paths, async (path) => {
      const object = blobs.get(path);
      return [path, object === undefined ? null : ((await this.read({ path, object })) ?? unreadable)] as const;
    });
    return Object.fromEntries(read);
  }

  async #text(args: readonly string[]): Promise<string> {
    const { code, text, errors } = await this.#run(args);
    if (code !== 0) throw failed(args[0] ?? "", errors);
    return text;
  }

  /**
   * Runs a command that reads objects. Since objects are immutable, the output is cached, up to a total number of
   * characters.
   */
  #once(args: readonly string[], stdout_bytes_max?: number): Promise<GitEnd> {
    const key = args.join("\0");
    const known = this.#known.get(key);
    if (known) return known;
    const run = this.#run(args, stdout_bytes_max);
    if (this.#known_chars > gate_limits.git_kept_chars_max) return run;
    this.#known.set(key, run);
    run.then(
      ({ text }) => {
        this.#known_chars += text.length;
      },
      () => this.#known.delete(key),
    );
    return run;
  }

  async #run(args: readonly string[], stdout_bytes_max: number = gate_limits.git_list_bytes_max): Promise<GitEnd> {
    const program = { command: this.#program, args: ["-C", this.#directory, ...harmless, ...args] };
    const deadline = new Deadline(gate_limits.git_ms_max, this.#signal);
    const child = this.#children.start(program, { stdout_bytes_max });
    const { ending, stdout, stderr } = await runToEnd(child, deadline);
    if (this.#signal.aborted) throw cancelled();
    if (ending.kind === "not_started") throw noGit();
    if (ending.kind === "stopped" && ending.why === "deadline") throw failed(args[0] ?? "", "it took too long");
    return { code: ending.kind === "exited" ? ending.code : -1, text: stdout, errors: stderr };
  }
}

/** Parses the entries of `--raw -z`: `:mode mode object object LETTER`, then one path, or two for a renamed file. */
function readRaw(text: string): ChangedFile[] {
  const parts = text.split("\0");
  const files: ChangedFile[] = [];
  for (let i = 0; i < parts.length; ) {
    const entry = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(parts[i] ?? "");
    if (!entry) break;
    const [, base_mode = "", head_mode = "", base_object = "", head_object = "", letter] = entry;
    const paths = letter === "R" || letter === "C" ? 2 : 1;
    const base_path = parts[i + 1] ?? "";
    const head_path = parts[i + paths] ?? "";
    i += 1 + paths;
    files.push({
      base: isFile(base_mode) ? { path: base_path, object: base_object } : null,
      head: isFile(head_mode) ? { path: head_path, object: head_object } : null,
    });
  }
  return files.filter(({ base, head }) => base !== null || head !== null);
}

/** Symbolic links and submodules are not sources. */
const isFile = (mode: string) => mode.startsWith("100");

function noGit(): Fault {
  return new Fault("engine_missing", "git was not found on PATH.", [
    "install git",
    "or run this on a machine that has git",
  ]);
}

function noRepository(errors: string): Fault {
  const owned_by_another = errors.includes("dubious ownership");
  return new Fault(
    "invalid_argument",
    owned_by_another
      ? "git refuses this repository: it belongs to another user."
      : "This directory is not in a git repository.",
    owned_by_another
      ? ["run `git config --global --add safe.directory PATH` with the path of the repository"]
      : ["run this inside the repository", "or name its directory with --repository"],
  );
}

function noSuchCommit(ref: string): Fault {
  return new Fault("invalid_argument", `There is no commit ${JSON.stringify(ref)} in this repository.`, [
    "name a branch, a tag or a commit, such as --base origin/main",
    "in a workflow, check out with fetch-depth: 0, or fetch the base first",
    "`git branch --all` lists the branches",
  ]);
}

function noMergeBase(): Fault {
  return new Fault("invalid_argument", "The two commits have no common ancestor here.", [
    "fetch the whole history: `git fetch --unshallow`, or fetch-depth: 0 in a workflow",
    "check that --base names a branch of the same project",
  ]);
}

function failed(command: string, errors: string): Fault {
  const why = linesOf(errors.trim())[0] ?? "";
  return new Fault("engine_failed", `git ${command} failed${why ? `: ${why.slice(0, 200)}` : ""}.`, [
    "run `git fsck` to see whether the repository is intact",
    "in a workflow, check out with fetch-depth: 0",
  ]);
}
