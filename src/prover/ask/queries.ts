/** Asks Z3 questions about terms. A proof uses one process, which is reset before each question. */

import { type CheckWord, readCheck, readErrors } from "../../engines/smt/read.ts";
import type { Session } from "../../engines/smt/session.ts";
import { readAll } from "../../engines/smt/sexpr.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { limitReached, type NotShown, type Undecided, undecided, type Verdict } from "../../kernel/verdict.ts";
import { assertions } from "../logic/smtlib.ts";
import { FLOAT, inOrder, isOfRows, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Canaries, Theory } from "./canaries.ts";
import { rewriter } from "./equations.ts";
import { prover_limits } from "./limits.ts";
import { TimeBudget } from "./time_budget.ts";

/** A solver process, as a proof uses it. */
export type Asked = Pick<Session, "ask" | "engine" | "alive">;

/** A solver that runs each job in its own process. Returns "expired" if no process is available in time. */
export interface Solves {
  run<Result>(deadline: Deadline, work: (session: Asked) => Promise<Result>): Promise<Result | "expired">;
}

const no_values: NotShown = { not_shown: "no values were asked for" };

/** Asks one Z3 process at a time. Must be closed when the proof is finished. */
export class Queries {
  readonly #z3: Solves;
  readonly #canaries: Canaries;
  readonly #signal: AbortSignal;
  readonly budget: TimeBudget;
  #session: Asked | undefined;
  #release: () => void = () => {};
  /** Every question whose answer `unsat` was used, so that anyone can recheck these answers. */
  unsat: string[] = [];
  engine = "";
  asked = 0;

  constructor(z3: Solves, deadline: Deadline, canaries: Canaries) {
    this.#z3 = z3;
    this.#canaries = canaries;
    this.#signal = deadline.signal;
    this.budget = new TimeBudget(deadline);
  }

  get left_ms(): number {
    return this.budget.left_ms;
  }

  get over(): boolean {
    return this.budget.over;
  }

  /**
   * The time limit of one question. A question that is undecided by then is rarely decided later. The limit is longer
   * if more time is left, since the machine may be busy.
   */
  get question_ms(): number {
    return Math.max(prover_limits.query_ms_min, this.left_ms * prover_limits.query_share);
  }

  close(): void {
    this.#release();
    this.#release = () => {};
    this.#session = undefined;
  }

  /** Whether all these terms can be true together. */
  async check(asserted: readonly Term[], ms: number = this.question_ms): Promise<Verdict<NotShown, never>> {
    this.budget.check();
    const { text } = assertions(asserted);
    const output = await this.#ask(`${text}\n(check-sat)`, asserted, ms);
    return typeof output === "string" ? this.#verdictOf(readCheck(output), text, no_values) : output;
  }

  #verdictOf<Witness extends object>(
    word: CheckWord | undefined,
    question: string,
    witness: Witness,
  ): Verdict<Witness, never> {
    if (word === "sat") return { kind: "sat", witness };
    if (word !== "unsat") return undecided("incomplete", "Z3 answered unknown");
    this.unsat.push(question);
    return { kind: "unsat" };
  }

  /** Returns the values of terms in some state that satisfies all assertions, as Z3 writes them. */
  async values(
    asserted: readonly Term[],
    terms: readonly Term[],
    ms: number = this.question_ms,
  ): Promise<Verdict<readonly string[], never>> {
    this.budget.check();
    const { text, names } = assertions(asserted, terms);
    const request = names.length > 0 ? `(get-value (${names.join(" ")}))` : "";
    const output = await this.#ask(`${text}\n(check-sat)\n${request}`, [...asserted, ...terms], ms, true);
    if (typeof output !== "string") return output;
    const [first = "", ...rest] = output.split("\n");
    const word = readCheck(first.trim());
    return this.#verdictOf(word, text, word === "sat" ? readPairs(rest.join("\n")) : []);
  }

  /**
   * Returns, for each goal, whether it follows from the hypotheses. All goals are asked at once. Each counterexample
   * removes the goals that it violates, until all remaining goals follow. A goal whose answer stays unknown counts as
   * not following.
   */
  async following(t: Terms, hypotheses: readonly Term[], goals: readonly Term[]): Promise<boolean[]> {
    const rewritten = rewriter(t, hypotheses);
    let open = goals.flatMap((goal, i) => (goal === t.yes || rewritten(goal) === t.yes ? [] : [i]));
    const follows = goals.map(() => true);
    const drop = (i: number) => {
      follows[i] = false;
      open = open.filter((each) => each !== i);
    };
    while (open.length > 0) {
      if (this.over) {
        for (const i of [...open]) drop(i);
        break;
      }
      const broken = open.map((i) => t.not(goals[i] ?? t.no));
      const verdict = await this.values([...hypotheses, t.or(...broken)], broken);
      if (verdict.kind === "unsat") break;
      const failed = verdict.kind === "sat" ? open.filter((_, at) => verdict.witness[at] === "true") : [];
      for (const i of failed) drop(i);
      if (failed.length > 0) continue;
      await this.#oneByOne(t, hypotheses, goals, [...open], drop);
      break;
    }
    return follows;
  }

  async #oneByOne(
    t: Terms,
    hypotheses: readonly Term[],
    goals: readonly Term[],
    open: readonly number[],
    drop: (i: number) => void,
  ): Promise<void> {
    for (const i of open) {
      const verdict = this.over
        ? limitReached("time")
        : await this.check(
            [...hypotheses, t.not(goals[i] ?? t.no)],
            this.question_ms * prover_limits.single_query_share,
          );
      if (verdict.kind !== "unsat") drop(i);
    }
  }

  /** Asks Z3 and returns its output, or the reason why it did not answer. */
  async #ask(text: string, asserted: readonly Term[], ms: number, valued = false): Promise<string | Undecided> {
    const allowed = Math.min(ms, this.left_ms);
    if (allowed <= 0 || this.#signal.aborted) return limitReached("time");
    const theories = theoriesOf(asserted);
    for (const theory of theories)
      if (!(await this.#isTrusted(theory))) return undecided("doubted", `Z3 did not pass the tests of ${theory}`);
    // Z3's answers about floats have been observed to depend on earlier questions.
    if (theories.has("floats")) this.close();
    const session = await this.#current();
    if (!session) return limitReached("time");
    this.asked++;
    const question = `(reset)\n(set-option :timeout ${Math.ceil(allowed)})\n${text}`;
    const hard = new Deadline(allowed + prover_limits.grace_ms, this.#signal);
    const reply = await hard.within(session.ask(question));
    if (reply === "expired" || reply.kind === "gone") {
      this.close();
      return reply === "expired" ? limitReached("time") : undecided("incomplete", "Z3 exited before it answered");
    }
    const errors = readErrors(reply.text);
    // Asking for values after `unsat` causes an expected error. Any other error means that Z3 could not parse the
    // question.
    const expected =
      valued &&
      !reply.text.startsWith("sat") &&
      errors.length === 1 &&
      /model is not available/.test(errors[0]?.message ?? "");
    if (errors.length > 0 && !expected) return undecided("unsupported", "Z3 rejected the question");
    return reply.text;
  }

  async #isTrusted(theory: Theory): Promise<boolean> {
    const session = await this.#current();
    if (!session) return false;
    return this.#canaries.trusts(theory, session, this.budget.deadline);
  }

  /** Returns the open process or a new one; undefined if none starts in time. */
  async #current(): Promise<Asked | undefined> {
    if (!this.#session?.alive) this.#session = await this.#open();
    return this.#session;
  }

  async #open(): Promise<Asked | undefined> {
    this.close();
    const session = await new Promise<Asked | undefined>((resolve, reject) => {
      const held = this.#z3.run(this.budget.deadline, (opened) => {
        resolve(opened);
        return new Promise<void>((done) => {
          this.#release = done;
        });
      });
      held.then(() => resolve(undefined), reject);
    });
    this.engine = (await session?.engine) ?? this.engine;
    return session;
  }
}

function theoriesOf(asserted: readonly Term[]): Set<Theory> {
  const theory = ({ op, sort }: Term): Theory =>
    isOfRows(op) || op === "forall" ? "rows" : sort === FLOAT ? "floats" : sort.item ? "arrays" : "integers";
  return new Set(inOrder(asserted).map(theory));
}

/** Reads the values in `((term value) …)`, in order. */
function readPairs(output: string): string[] {
  const [list] = readAll(output, "loose");
  if (list?.kind !== "list") return [];
  return list.items.map((pair) => {
    const value = pair.kind === "list" ? pair.items[1] : undefined;
    return value ? output.slice(value.start, value.end) : "";
  });
}
