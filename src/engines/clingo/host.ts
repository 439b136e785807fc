import type { Deadline } from "../../kernel/deadline.ts";
import type { Child } from "../../kernel/process/child.ts";
import type { Finished } from "../../kernel/process/run.ts";
import { engine_limits } from "../limits.ts";
import { type Identified, KeptProcess } from "../wasm/kept_process.ts";

/** A question to clingo: a program, and the command-line options. */
export interface Question {
  readonly program: string;
  readonly args: readonly string[];
}

/** A message to the process: a question, or a notice that the next question belongs to another call. */
export type Order = ({ readonly kind: "run" } & Question & Identified) | { readonly kind: "next" };

/** The result of a question to a process that may have exited meanwhile. */
export interface Answered extends Finished {
  /** Whether the process ended during the question; the ending is then not clingo's own. */
  readonly is_gone: boolean;
}

/** A process of the embedded clingo. One instance serves all questions of a call; the next call gets a new one. */
export class Host extends KeptProcess {
  constructor(child: Child) {
    super(child, engine_limits.clingo_kept_bytes_max);
  }

  /** Runs a question, as a separate program would; `onLine` gets its output as it arrives. */
  async run(question: Question, deadline: Deadline, onLine: (line: string) => void = () => {}): Promise<Answered> {
    let stdout = "";
    const order: Omit<Order & { kind: "run" }, "id"> = { kind: "run", ...question };
    const { ending, stderr, is_gone } = await this.runJob(order, deadline, (line) => {
      stdout += `${line}\n`;
      onLine(line);
    });
    return { ending, stdout, stderr, is_gone };
  }

  /**
   * Ends the call, and returns whether the process can serve another one. The next call gets a new instance with its
   * own memory.
   */
  renew(): boolean {
    this.rest();
    if (!this.is_fresh) return false;
    this.tell({ kind: "next" } satisfies Order);
    return true;
  }
}
