import { existsSync } from "node:fs";
import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Child } from "../../kernel/process/child.ts";
import { cut } from "../../kernel/text/cut.ts";
import { lastLineOf } from "../../kernel/text/lines.ts";
import type { Engine, EngineReport, ProcessServices } from "../engine.ts";
import { engine_limits } from "../limits.ts";
import { programsOnPath } from "../places.ts";
import { type Reply, ReplyReader } from "./read.ts";

/** A Lean that tries tactics: the community's REPL, in the user's own Lake project. */
export class LeanRepl implements Engine {
  readonly name = "lean_repl";
  readonly #services: ProcessServices;

  constructor(services: ProcessServices) {
    this.#services = services;
  }

  /** Reports without starting anything; whether the project has the REPL only becomes clear when a search uses it. */
  async probe(): Promise<readonly EngineReport[]> {
    const place = this.#place();
    const is_there = typeof place !== "string";
    return [
      {
        name: "lean repl",
        found: is_there,
        kind: is_there ? "native" : "none",
        version: null,
        why: is_there ? "lake is on PATH, and VERDICT_LEAN_PROJECT names a project" : place,
        how_to_get:
          "Only for searches in which the server tries tactics itself. Install Lean 4 (elan), build the REPL (leanprover-community/repl) in a Lake project, and name the project in VERDICT_LEAN_PROJECT.",
        isolation: "a separate process; the client's Lean code runs with the user's rights",
      },
    ];
  }

  /** Sessions end with the calls that opened them. */
  close(): void {}

  /** Starts a process. Raises `engine_missing`. */
  open(): ReplSession {
    const { config, children } = this.#services;
    const { lean_environment } = config;
    const place = this.#place();
    if (typeof place === "string") throw noLean(place);
    const { lake, lean_project } = place;
    if (!existsSync(lean_project)) throw noProject(lean_project);
    const program = { command: lake, args: ["--dir", lean_project, "env", "repl"], environment: lean_environment };
    // The reader limits each reply; this limit applies to the total output of one process.
    const stdout_bytes_max = engine_limits.lean_repl_reply_chars_max * engine_limits.lean_repl_requests_max;
    return new ReplSession(children.start(program, { stdout_bytes_max }));
  }

  /**
   * Returns where Lean is, or the reason why it can't be found; the reason contains no paths, since a model may read
   * it.
   */
  #place(): { readonly lake: string; readonly lean_project: string } | string {
    const { config } = this.#services;
    const { lean_project } = config;
    const [lake] = programsOnPath(config, "lake");
    if (lean_project === undefined) return "VERDICT_LEAN_PROJECT names no Lake project";
    return lake === undefined ? "lake is not on PATH" : { lake, lean_project };
  }
}

/** A session with one REPL process, which handles one request at a time, in order. */
export class ReplSession {
  readonly #child: Child;
  readonly #reader = new ReplyReader();
  #waiting: ((reply: Reply | undefined) => void) | undefined;
  #requests = 0;

  constructor(child: Child) {
    this.#child = child;
    child.onText = (text) => this.#take(text);
    void child.ended.then(() => this.#answer(undefined));
  }

  /** Whether the process must be replaced: it never frees a proof state, and it exits after a broken request. */
  get spent(): boolean {
    return this.#child.ending !== undefined || this.#requests >= engine_limits.lean_repl_requests_max;
  }

  /**
   * Sends a request. If time runs out, the process is killed, because it has no time limit of its own. Raises `cancelled`, and
   * `engine_failed` if the process crashes.
   */
  async ask(request: object, deadline: Deadline): Promise<Reply | "expired"> {
    if (this.#child.ending) throw ended(this.#child);
    this.#requests++;
    const reply = new Promise<Reply | undefined>((resolve) => {
      this.#waiting = resolve;
    });
    // One empty line ends the request; a second one would end the process.
    this.#child.write(`${JSON.stringify(request)}\n\n`);
    const heard = await deadline.within(reply).catch((error: unknown) => {
      this.close();
      throw error;
    });
    if (heard === "expired") this.close();
    if (heard === undefined) throw deadline.signal.aborted ? cancelled() : ended(this.#child);
    return heard;
  }

  close(): void {
    this.#child.stop("closed");
  }

  #take(text: string): void {
    try {
      for (const reply of this.#reader.take(text)) {
        // An unexpected reply would be read as the answer to the next question.
        if (!this.#waiting) throw new Error("a reply without a request");
        this.#answer(reply);
      }
    } catch {
      // After an invalid reply, the session can't continue.
      this.close();
    }
  }

  #answer(reply: Reply | undefined): void {
    this.#waiting?.(reply);
    this.#waiting = undefined;
  }
}

function noLean(why: string): Fault {
  return new Fault("engine_missing", `The server does not have its own Lean: ${why}.`, [
    "omit theorem: begin with proof_state, and try the snippets with lean_multi_attempt",
    "or ask the user for a Lake project with the REPL (leanprover-community/repl) in VERDICT_LEAN_PROJECT",
  ]);
}

function noProject(path: string): Fault {
  return new Fault("engine_missing", `VERDICT_LEAN_PROJECT is ${path}, which does not exist.`, [
    "ask the user to set it to the directory of a Lake project with the REPL (leanprover-community/repl)",
    "or omit theorem: begin with proof_state, and try the snippets with lean_multi_attempt",
  ]);
}

function ended(child: Child): Fault {
  const words = cut(lastLineOf(child.stderr), limits.fault_quote_chars_max);
  return new Fault("engine_failed", `Lean's REPL ended${words ? `: ${words}` : ""}.`, [
    "ask the user to run `lake env repl` in that project: the REPL has to be built for its Lean version",
    "or omit theorem, and try the snippets with lean_multi_attempt",
  ]);
}
