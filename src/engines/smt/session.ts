import { randomBytes } from "node:crypto";
import { Deadline } from "../../kernel/deadline.ts";
import type { Child, Ending } from "../../kernel/process/child.ts";
import { outputMeter } from "../../kernel/process/output_meter.ts";
import type { Expendable } from "../../kernel/process/pool.ts";
import { engine_limits } from "../limits.ts";

/** The solver's output for one piece of input. */
export interface Reply {
  readonly kind: "text";
  readonly text: string;
  /**
   * The line of the solver's input stream on which the piece began; line numbers in its errors are relative to that
   * line.
   */
  readonly first_line: number;
}

/** The solver has exited and will not answer any more. */
export interface Gone {
  readonly kind: "gone";
  readonly ending: Ending;
  readonly stderr: string;
}

interface Waiting {
  readonly marker: string;
  readonly first_line: number;
  readonly resolve: (reply: Reply | Gone) => void;
}

/** The solver's identity. */
export interface Solver {
  readonly name: string;
  readonly kind: "native" | "wasm" | "python";
  /**
   * Whether the solver's process reads orders, one JSON object per line, and restarts the solver when an order says so.
   */
  readonly is_renewable?: boolean;
}

/**
 * An order to a renewable process: commands, or a request for a fresh solver with the word that should end the answer.
 */
export type Order = { readonly text: string } | { readonly next: string };

function newNonce(): string {
  return randomBytes(16).toString("hex");
}

/**
 * A session with one solver process, which reads SMT-LIB on stdin and answers on stdout. After each piece of text, the
 * solver prints an unguessable marker, so all output belongs to exactly one piece, whatever a script prints.
 */
export class Session implements Expendable {
  /** The solver's version, such as "5.1.0"; undefined if the solver never answered. */
  readonly version: Promise<string | undefined>;
  /** The engine's name, such as "z3 5.1.0 (native)"; undefined if the solver never answered. */
  readonly engine: Promise<string | undefined>;
  readonly #child: Child;
  readonly #is_renewable: boolean;
  readonly #waiting: Waiting[] = [];
  #nonce = newNonce();
  #jobs = 0;
  #meter: (piece: string) => void = () => {};
  #buffer = "";
  #sent = 0;
  #line: number;

  constructor(child: Child, { name, kind, is_renewable = false }: Solver) {
    this.#child = child;
    this.#is_renewable = is_renewable;
    this.#line = this.#first_line;
    child.onText = (text) => this.#take(text);
    void child.ended.then(() => this.#flush());
    // The first query warms up a spare process and identifies the solver.
    this.version = this.ask("(get-info :version)").then((reply) =>
      reply.kind === "text" ? /^\(:version "([^"]*)"\)$/.exec(reply.text)?.[1] : undefined,
    );
    this.engine = this.version.then((version) => version && `${name} ${version} (${kind})`);
  }

  /** The number of the first input line; Z3's `wasm_host.ts` sends a line before the first text. */
  get #first_line(): number {
    return this.#is_renewable ? 2 : 1;
  }

  get alive(): boolean {
    return this.#child.usable;
  }

  /** Begins a job in this process; the job's deadline and signal apply from now on. */
  begin(deadline: Deadline): void {
    this.#meter = outputMeter();
    this.#child.arm(deadline);
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /**
   * Ends the current job, and returns whether the process can serve another one. The next job gets a new instance of
   * the solver, which contains nothing from this job.
   */
  async renew(): Promise<boolean> {
    if (!this.#is_renewable || ++this.#jobs >= engine_limits.kept_jobs_max || !this.alive) return false;
    // The answer to an open question would arrive during the next job.
    if (this.#waiting.length > 0 || this.#buffer.trim() !== "") return false;
    this.#child.disarm();
    const word = newNonce();
    const reply = await new Deadline(engine_limits.z3_renew_ms_max).within(this.#send({ next: word }, word));
    this.#nonce = newNonce();
    this.#line = this.#first_line;
    return reply !== "expired" && reply.kind === "text" && reply.text === "fresh" && this.alive;
  }

  /**
   * Sends complete commands and returns their output. It can be called again before the answer arrives, since the
   * solver answers in order.
   */
  ask(text: string): Promise<Reply | Gone> {
    const marker = `${this.#nonce}:${this.#sent++}`;
    return this.#send({ text: `${text}\n(echo "${marker}")\n` }, marker);
  }

  /** Sends an order, whose answer ends with the marker. */
  #send(order: Order, marker: string): Promise<Reply | Gone> {
    const { ending } = this.#child;
    if (ending) return Promise.resolve({ kind: "gone", ending, stderr: this.#child.stderr });
    const first_line = this.#line;
    const piece = "text" in order ? order.text : "";
    this.#line += countLines(piece);
    return new Promise((resolve) => {
      this.#waiting.push({ marker, first_line, resolve });
      this.#child.write(this.#is_renewable ? `${JSON.stringify(order)}\n` : piece);
    });
  }

  #take(text: string): void {
    let from = Math.max(0, this.#buffer.length - 64);
    this.#buffer += text;
    this.#meter(text);
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const at = this.#buffer.indexOf(first.marker, from);
      if (at < 0) return;
      const output = this.#buffer.slice(0, at).trim();
      this.#buffer = this.#buffer.slice(at + first.marker.length);
      from = 0;
      this.#waiting.shift();
      first.resolve({ kind: "text", text: output, first_line: first.first_line });
    }
  }

  #flush(): void {
    const { ending, stderr } = this.#child;
    if (!ending) return;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ kind: "gone", ending, stderr });
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
