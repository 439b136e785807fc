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

type Of<Answer, Kind> = Extract<Answer, { readonly kind: Kind }>;
type Decided<Answer> = Of<Answer, "sat"> | Of<Answer, "unsat">;

/** Two answers to one question, side by side. */
export type Comparison<A, B> =
  | { readonly kind: "agree"; readonly first: Decided<A>; readonly second: Decided<B> }
  /** One of the two engines is wrong. */
  | { readonly kind: "contradict"; readonly sat: Of<A | B, "sat">; readonly unsat: Of<A | B, "unsat"> }
  | { readonly kind: "one"; readonly decided: Decided<A | B>; readonly undecided: Of<A | B, "undecided"> }
  | { readonly kind: "neither"; readonly first: Of<A, "undecided">; readonly second: Of<B, "undecided"> };

/** Compares the answers of two engines to one question. */
export function compare<A extends Verdict<object>, B extends Verdict<object>>(first: A, second: B): Comparison<A, B> {
  if (isSat(first) && isUnsat(second)) return { kind: "contradict", sat: first, unsat: second };
  if (isUnsat(first) && isSat(second)) return { kind: "contradict", sat: second, unsat: first };
  if (isUndecided(first) && isUndecided(second)) return { kind: "neither", first, second };
  if (isUndecided(first) && isDecided(second)) return { kind: "one", decided: second, undecided: first };
  if (isDecided(first) && isUndecided(second)) return { kind: "one", decided: first, undecided: second };
  if (isDecided(first) && isDecided(second)) return { kind: "agree", first, second };
  throw new Error("two answers can always be compared");
}

type AnyVerdict = Verdict<object>;

function isSat<Answer extends AnyVerdict>(answer: Answer): answer is Of<Answer, "sat"> {
  return answer.kind === "sat";
}

function isUnsat<Answer extends AnyVerdict>(answer: Answer): answer is Of<Answer, "unsat"> {
  return answer.kind === "unsat";
}

/** Whether an answer is decisive: `sat` or `unsat`. */
export function isDecided<Answer extends AnyVerdict>(answer: Answer): answer is Decided<Answer> {
  return answer.kind !== "undecided";
}

function isUndecided<Answer extends AnyVerdict>(answer: Answer): answer is Of<Answer, "undecided"> {
  return answer.kind === "undecided";
}
