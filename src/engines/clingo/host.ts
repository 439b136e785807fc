import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import { shortOf } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Child } from "../../kernel/process/child.ts";
import type { Expendable } from "../../kernel/process/pool.ts";
import type { Finished } from "../../kernel/process/run.ts";
import { LineReader } from "../../kernel/text/line_reader.ts";

/** A program, and the options of the question. */
export interface Question {
  readonly program: string;
  readonly args: readonly string[];
}

/** How a run ended: clingo's exit code, and its messages. */
const Reply = z.object({ code: z.number(), stderr: z.string() });
type Reply = z.output<typeof Reply>;

/** Why there is no reply. */
export type Unanswered = undefined | "expired" | "stalled";

/** Begins the line of a reply; no program can bring it into clingo's output. */
const end_of_run = "\u0004";

/** A talk with one process of the embedded clingo, which works questions off one after the other. */
export class Host implements Expendable {
  readonly #child: Child;
  readonly #waiting: ((reply: Reply | undefined) => void)[] = [];
  #onLine: (line: string) => void = () => {};
  /** The child is stopped before a line can be longer. */
  readonly #lines = new LineReader(limits.stdout_bytes_max);

  constructor(child: Child) {
    this.#child = child;
    child.onText = (text) => this.#take(text);
    void child.ended.then(() => {
      for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    });
  }

  get alive(): boolean {
    return this.#child.usable;
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /** Begins the one job of this process: its deadline, its signal and the memory limit hold from now on. */
  begin(deadline: Deadline): void {
    this.#child.arm(deadline);
  }

  /** Runs a question of a running job, as a separate program would; `onLine` gets its output as it arrives. */
  async run(question: Question, onLine: (line: string) => void): Promise<Finished> {
    let stdout = "";
    this.#onLine = (line) => {
      stdout += `${line}\n`;
      onLine(line);
    };
    const reply = await this.#send(question);
    if (reply) return { ending: { kind: "exited", code: reply.code }, stdout, stderr: reply.stderr };
    return { ending: await this.#child.ended, stdout, stderr: this.#child.stderr };
  }

  /**
   * Asks a question whose output is not needed. Returns undefined if the process crashed, "expired" if the time ran
   * out, and "stalled" if the process had been stopped from outside; in each case it is gone. Raises `cancelled`, and
   * `engine_failed` if this machine could not start the process.
   */
  async ask(question: Question, deadline: Deadline): Promise<Reply | Unanswered> {
    const heard = await deadline.within(this.#send(question));
    if (heard === undefined) await this.#expectStart();
    if (heard !== "expired") return heard;
    const { stalled } = this.#child;
    this.discard();
    return stalled ? "stalled" : heard;
  }

  /** A process that the system did not start says nothing about the question. */
  async #expectStart(): Promise<void> {
    if (this.#child.pid !== undefined) return;
    const ending = await this.#child.ended;
    const short = ending.kind === "not_started" ? shortOf("start clingo", ending.detail) : undefined;
    if (short) throw short;
  }

  #send(question: Question): Promise<Reply | undefined> {
    if (!this.alive) return Promise.resolve(undefined);
    this.#child.write(`${JSON.stringify(question)}\n`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** An empty line says that the process is ready. */
  #take(text: string): void {
    for (const line of this.#lines.take(text)) {
      if (line.startsWith(end_of_run)) this.#waiting.shift()?.(Reply.parse(JSON.parse(line.slice(1))));
      else if (line !== "") this.#onLine(line);
    }
  }
}
