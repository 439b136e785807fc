/**
 * Runs proofs in separate threads. Work on terms keeps a thread busy, whatever the code is, and the server has other
 * calls to answer. A thread that does not finish in time is terminated.
 */

import { Worker } from "node:worker_threads";
import type { AskOther } from "../engines/smt/second.ts";
import { Deadline } from "../kernel/deadline.ts";
import { type Expendable, Pool } from "../kernel/process/pool.ts";
import { limitReached } from "../kernel/verdict.ts";
import { prover_limits } from "./ask/limits.ts";
import type { Solves } from "./ask/queries.ts";
import type { FromHost, ToHost } from "./host.ts";
import { confirmed, type Goal, type Proves, type SyntaxTree, type Verdict } from "./index.ts";

/**
 * Proves goals in threads that run a built file, with a Z3 of this process. If another engine is given, it is asked to
 * confirm proofs.
 */
export class ProverThreads implements Proves {
  readonly #z3: Solves;
  readonly #other: AskOther | undefined;
  readonly #threads: Pool<Thread>;

  constructor(file: string, z3: Solves, other?: AskOther) {
    this.#z3 = z3;
    this.#other = other;
    this.#threads = new Pool(() => new Thread(file), { refill_delay_ms: "never" });
  }

  /** Starts a thread in advance for a proof that is likely to be requested soon. */
  prepare(): void {
    this.#threads.prepare();
  }

  async prove(tree: SyntaxTree, goal: Goal, deadline: Deadline): Promise<Verdict> {
    const thread = this.#threads.take();
    try {
      const verdict = await thread.prove(tree, goal, deadline, this.#z3);
      if (verdict.kind !== "proven" || !this.#other) return verdict;
      return { kind: "proven", proof: await confirmed(verdict.proof, this.#other, deadline) };
    } finally {
      this.#threads.putBack(thread, !thread.is_working);
    }
  }
}

class Thread implements Expendable {
  readonly #worker: Worker;
  /** The handler of the thread's messages. */
  #receive: (message: FromHost) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  alive = true;
  is_working = false;

  constructor(file: string) {
    const resourceLimits = { maxOldGenerationSizeMb: prover_limits.thread_mb_max };
    this.#worker = new Worker(file, { env: {}, resourceLimits });
    this.#worker.on("message", (message: FromHost) => this.#receive(message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => {
      this.alive = false;
      this.#fail(new Error("the prover's thread exited"));
    });
    // This must come after the listeners, which keep the thread referenced. The thread must not keep an otherwise idle
    // process alive.
    this.#worker.unref();
  }

  discard(): void {
    this.alive = false;
    void this.#worker.terminate();
  }

  /** Tries to prove a goal. Raises `cancelled`, and whatever `z3` raises. */
  async prove(tree: SyntaxTree, goal: Goal, deadline: Deadline, z3: Solves): Promise<Verdict> {
    this.is_working = true;
    const ended = new AbortController();
    const verdict = new Promise<Verdict>((resolve, reject) => {
      const sessions = new Sessions(
        z3,
        deadline.withSignal(AbortSignal.any([deadline.signal, ended.signal])),
        (message) => this.#worker.postMessage(message),
      );
      this.#fail = (error) => (isOutOfMemory(error) ? resolve(limitReached("memory")) : reject(error));
      this.#receive = (message) => {
        if (message.kind === "failed") reject(new Error(message.error));
        else if (message.kind === "proved") {
          this.is_working = false;
          resolve(message.verdict);
        } else void sessions.hear(message).catch(reject);
      };
    });
    this.#worker.postMessage({ kind: "prove", tree, goal, ms: deadline.left_ms } satisfies ToHost);
    try {
      const answer = await new Deadline(deadline.left_ms + prover_limits.grace_ms, deadline.signal).within(verdict);
      return answer === "expired" ? limitReached("time") : answer;
    } finally {
      ended.abort();
    }
  }
}

/** The solver processes that a thread has opened. */
class Sessions {
  readonly #z3: Solves;
  readonly #deadline: Deadline;
  readonly #send: (message: ToHost) => void;
  readonly #asks = new Map<number, (text: string) => Promise<void>>();
  readonly #releases = new Map<number, () => void>();

  constructor(z3: Solves, deadline: Deadline, send: (message: ToHost) => void) {
    this.#z3 = z3;
    this.#deadline = deadline;
    this.#send = send;
  }

  async hear(message: Exclude<FromHost, { kind: "proved" | "failed" }>): Promise<void> {
    const { id } = message;
    if (message.kind === "ask") await this.#asks.get(id)?.(message.text);
    else if (message.kind === "release") this.#releases.get(id)?.();
    else await this.#open(id, message.ms);
  }

  async #open(id: number, ms: number): Promise<void> {
    const { signal } = this.#deadline;
    const opened = this.#z3.run(this.#deadline.atMost(ms), async (session) => {
      this.#asks.set(id, async (text) => this.#send({ kind: "reply", id, reply: await session.ask(text) }));
      this.#send({ kind: "opened", id, engine: await session.engine });
      await new Promise<void>((resolve) => {
        const release = () => {
          signal.removeEventListener("abort", release);
          resolve();
        };
        this.#releases.set(id, release);
        signal.addEventListener("abort", release, { once: true });
        if (signal.aborted) release();
      });
    });
    if ((await opened) === "expired") this.#send({ kind: "unopened", id });
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
