/** The program of a prover thread (`threads.ts`). It receives goals, and asks its process's solver. */

import { parentPort } from "node:worker_threads";
import type { Gone, Reply } from "../engines/smt/session.ts";
import { Deadline } from "../kernel/deadline.ts";
import { undecided } from "../kernel/verdict.ts";
import type { Asked, Solves } from "./ask/queries.ts";
import { type Goal, Prover, type SyntaxTree, type Verdict } from "./index.ts";

/** The messages to a prover thread: a goal with its time limit, and the solver's answers. */
export type ToHost =
  | { readonly kind: "prove"; readonly tree: SyntaxTree; readonly goal: Goal; readonly ms: number }
  | { readonly kind: "opened"; readonly id: number; readonly engine: string | undefined }
  | { readonly kind: "unopened"; readonly id: number }
  | { readonly kind: "reply"; readonly id: number; readonly reply: Reply | Gone };

/**
 * The messages from a prover thread: it opens a solver, asks it questions and releases it; finally, it reports how the
 * proof ended.
 */
export type FromHost =
  | { readonly kind: "open"; readonly id: number; readonly ms: number }
  | { readonly kind: "ask"; readonly id: number; readonly text: string }
  | { readonly kind: "release"; readonly id: number }
  | { readonly kind: "proved"; readonly verdict: Verdict }
  | { readonly kind: "failed"; readonly error: string };

const send = (message: FromHost) => parentPort?.postMessage(message);
/** For each solver, the function that waits for its answer. A proof asks one question at a time. */
const waiting = new Map<number, (message: ToHost) => void>();
let solvers = 0;

function answerTo(id: number, message: FromHost): Promise<ToHost> {
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send(message);
  });
}

class RemoteSession implements Asked {
  readonly #id: number;
  readonly engine: Promise<string | undefined>;
  alive = true;

  constructor(id: number, engine: string | undefined) {
    this.#id = id;
    this.engine = Promise.resolve(engine);
  }

  async ask(text: string): Promise<Reply | Gone> {
    const answer = await answerTo(this.#id, { kind: "ask", id: this.#id, text });
    if (answer.kind !== "reply") throw new Error(`${answer.kind} is not a reply`);
    this.alive &&= answer.reply.kind === "text";
    return answer.reply;
  }
}

const remote: Solves = {
  async run(deadline, work) {
    const id = ++solvers;
    const answer = await answerTo(id, { kind: "open", id, ms: deadline.left_ms });
    if (answer.kind !== "opened") return "expired";
    try {
      return await work(new RemoteSession(id, answer.engine));
    } finally {
      send({ kind: "release", id });
    }
  },
};

/**
 * Makes the message for a failed proof. Deeply nested code can overflow the stack, and numbers can exceed their maximum
 * size.
 */
function failed(error: unknown): FromHost {
  if (error instanceof RangeError)
    return {
      kind: "proved",
      verdict: undecided("incomplete", "the code is nested too deeply, or its numbers are too large"),
    };
  return { kind: "failed", error: error instanceof Error ? `${error.stack}` : String(error) };
}

const prover = new Prover(remote);

parentPort?.on("message", (message: ToHost) => {
  if (message.kind !== "prove") return waiting.get(message.id)?.(message);
  const { tree, goal, ms } = message;
  prover.prove(tree, goal, new Deadline(ms)).then(
    (verdict) => send({ kind: "proved", verdict }),
    (error: unknown) => send(failed(error)),
  );
});
