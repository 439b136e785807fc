import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";
import type { Child, Ending } from "../../kernel/process/child.ts";
import { outputMeter } from "../../kernel/process/output_meter.ts";
import type { Expendable } from "../../kernel/process/pool.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { LineReader } from "../../kernel/text/line_reader.ts";
import { engine_limits } from "../limits.ts";
import { jobOf, type OnResult, type ProgramJob } from "./fork_server.ts";
import { GarbledFrame, type JobEnd, type JobReply, Listener, Ready, stalled_end } from "./talk.ts";

/**
 * A process that has finished its imports and waits for its only job. It replaces a fork server on systems that can't
 * fork.
 */
export class FreshProcess implements Expendable {
  /** The process's greeting, sent when it is ready; undefined if it never becomes ready. */
  readonly ready: Promise<Ready | undefined>;
  readonly #child: Child;
  readonly #lines = new LineReader(engine_limits.python_frame_chars_max);
  #listener = new Listener();
  #meter: (piece: string) => void = () => {};
  #greet: (ready: Ready | undefined) => void = () => {};
  #answer: (reply: JobReply) => void = () => {};

  constructor(child: Child) {
    this.#child = child;
    this.ready = new Promise((resolve) => {
      this.#greet = resolve;
    });
    child.onText = (text) => this.#take(text);
    void child.ended.then(() => this.#greet(undefined));
  }

  get alive(): boolean {
    return this.#child.usable;
  }

  /** The process's output on stderr, for the log. */
  get stderr(): string {
    return this.#child.stderr;
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /** Runs a program to its end, its deadline or its cancellation; the process then ends, too. Raises `cancelled`. */
  async run(program: ProgramJob, deadline: Deadline, onResult?: OnResult): Promise<JobReply> {
    this.#listener = new Listener(onResult);
    const answered = new Promise<JobReply>((resolve) => {
      this.#answer = resolve;
    });
    this.#meter = outputMeter();
    this.#child.arm(deadline);
    this.#child.write(`${JSON.stringify({ job: jobOf(program, deadline) })}\n`);
    const ended = this.#child.ended.then((ending) => this.#listener.close(endOf(ending)));
    try {
      return await Promise.race([answered, ended]);
    } finally {
      this.discard();
    }
  }

  #take(text: string): void {
    for (const line of this.#lines.take(text)) {
      const value = jsonOf(line);
      const greeting = Ready.safeParse(value);
      if (greeting.success) this.#greet(greeting.data);
      else this.#receive(line);
    }
  }

  #receive(line: string): void {
    this.#meter(line);
    try {
      const reply = this.#listener.take(line);
      if (reply) this.#answer(reply);
    } catch (error) {
      if (!(error instanceof GarbledFrame)) throw error;
      this.#child.stop("output");
    }
  }
}

function endOf(ending: Ending): JobEnd {
  switch (ending.kind) {
    case "stopped":
      if (ending.why === "cancelled" || ending.why === "closed") throw cancelled();
      return { kind: ending.why };
    case "signalled":
      if (ending.signal === "SIGSTOP") return stalled_end;
      return {
        kind: "died",
        how: `it was stopped by ${ending.signal}`,
        ...(ending.signal === "SIGKILL" && { from_outside: "killed" }),
      };
    case "exited":
      return { kind: "died", how: `it exited with code ${ending.code} before it had answered` };
    case "not_started":
      return { kind: "died", how: "it could not be started" };
  }
}
