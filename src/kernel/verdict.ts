/**
 * The result of a question, as one closed union for all engines and toolsets. A satisfiable question has a witness, a
 * proof has a method, a refutation has a counterexample, and an undecided question has a reason. A toolset with more
 * data extends a member. The status words of the protocol (`unknown`, `timeout`…) are chosen where answers are
 * rendered.
 */

/** A limit of the call or of the machine. */
export type Limit = "time" | "memory" | "output";

/** Why a question is undecided. The list is closed, so that code can switch over it. */
export type Cause =
  | Limit
  /** A limit that the question itself sets. */
  | "interrupted"
  /** The method has nothing left to try, or stopped early. */
  | "incomplete"
  /** The engine can't read the question. */
  | "unsupported"
  /** The objective has no best value. */
  | "unbounded"
  /** The engine has an answer, but its answers to questions of this kind are not trusted. */
  | "doubted"
  /** The engine's result failed its check, or was not checked. */
  | "unconfirmed";

/** The question was answered neither yes nor no. */
export interface Undecided {
  readonly kind: "undecided";
  readonly cause: Cause;
  /** The cause in words: the engine's own words if it gives any. */
  readonly reason: string;
}

/** There is a solution. */
export interface Sat<Witness extends object> {
  readonly kind: "sat";
  readonly witness: Witness;
}

/** There is no solution. */
export interface Unsat<Core = unknown> {
  readonly kind: "unsat";
  /** The conflicting parts, if they were determined. */
  readonly core?: Core;
}

/** The answer to "is there a solution?". */
export type Verdict<Witness extends object, Core = unknown> = Sat<Witness> | Unsat<Core> | Undecided;

/** The claim holds in all cases. */
export interface Proven<Proof extends object> {
  readonly kind: "proven";
  readonly proof: Proof;
}

/** The claim does not hold. */
export interface Refuted<Counterexample extends object> {
  readonly kind: "refuted";
  readonly counterexample: Counterexample;
}

/** The answer to "does this always hold?". */
export type Judgement<Proof extends object, Counterexample extends object> =
  | Proven<Proof>
  | Refuted<Counterexample>
  | Undecided;

/** Takes the place of a witness that exists but can't be shown. Gives the reason. */
export interface NotShown {
  readonly not_shown: string;
}

const limit_sentences: Readonly<Record<Limit, string>> = {
  time: "the time ran out",
  memory: "the memory limit was reached",
  output: "the output limit was reached",
};

/** Makes the verdict of an undecided question, with the reason. */
export function undecided<Why extends Exclude<Cause, Limit>>(
  cause: Why,
  reason: string,
): Undecided & { readonly cause: Why } {
  return { kind: "undecided", cause, reason };
}

/** Makes the verdict of a question that is undecided because a limit was reached. */
export function limitReached<Reached extends Limit>(limit: Reached): Undecided & { readonly cause: Reached } {
  return { kind: "undecided", cause: limit, reason: limit_sentences[limit] };
}

/** Whether an answer is decisive: `sat` or `unsat`. */
export function isDecided<Answer extends Verdict<object>>(answer: Answer): answer is Exclude<Answer, Undecided> {
  return answer.kind !== "undecided";
}
