import type { Python } from "../../engines/python/index.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { unfence } from "../../kernel/text/unfence.ts";
import type { ToolContext } from "../../kernel/tool.ts";
import { limitReached, type Proven, type Refuted, type Undecided, undecided } from "../../kernel/verdict.ts";
import type { ProverThreads } from "../../prover/threads.ts";
import type { Question } from "./arguments.ts";
import { Examiner } from "./examiner.ts";
import { obligationSteps } from "./obligations.ts";
import { proverSource } from "./prover_source.ts";
import type { Inspected } from "./replies.ts";
import { type Candidate, type Proof, reserveOf, type Searched, search } from "./search.ts";

/** What to search for, and how to recognise it. */
export interface Goal<Witness> {
  confirm(
    examiner: Examiner,
    candidate: Candidate,
    deadline: Deadline,
  ): Promise<Witness | "not confirmed" | "not replayed">;
  keyOf(witness: Witness): string;
  shows?(witness: Witness, examiner: Examiner): readonly string[];
  contradicts(witness: Witness): boolean;
  questions(candidate: Candidate): boolean;
  enough(
    witnesses: readonly Witness[],
    open: readonly Candidate[],
    inspected: Inspected,
    examiner: Examiner,
  ): "no" | "soon" | "yes";
}

/** Everything that is known about a question at the end. */
export interface Examined<Witness> extends Searched<Witness> {
  readonly inspected: Inspected;
  readonly examiner: Examiner;
  readonly notes: readonly string[];
  readonly time_seconds: number;
  /** Whether the search stopped because it ran out of time, rather than because all sources were exhausted. */
  readonly ran_out: boolean;
}

/** The processes that answer questions about code. */
export interface Services {
  readonly python: Python;
  readonly prover: ProverThreads;
  /** Receives each proof that decides a question. */
  readonly onProof?: ((proof: Proof) => void) | undefined;
}

/**
 * Answers a question about Python code. Reads the code, then tries boundary values, explores the paths and searches for
 * a proof in parallel, and replays the candidates. Raises the fault for rejected code, `engine_missing`, `busy` and
 * `cancelled`.
 */
export async function examine<Witness>(
  { python, prover, onProof }: Services,
  asked: Question,
  goal: Goal<Witness>,
  timeout_s: number,
  { deadline, progress }: ToolContext,
): Promise<Examined<Witness>> {
  const start = performance.now();
  const { text, notes: about_text } = unfence(asked.code, "code");
  const question = { ...asked, code: text };
  progress("exploring the paths of the code");
  const examined = await python.turn(deadline, progress, async (run) => {
    const examiner = new Examiner(run, question);
    const inspected = await examiner.inspect(deadline);
    if (inspected === "expired") return inspected;
    const aim = {
      confirm: (candidate: Candidate, bounded: Deadline) => goal.confirm(examiner, candidate, bounded),
      keyOf: goal.keyOf,
      shows: (witness: Witness, { keys }: Candidate) => goal.shows?.(witness, examiner) ?? keys,
      contradicts: goal.contradicts,
      questions: goal.questions,
      enough: (witnesses: readonly Witness[], open: readonly Candidate[]) =>
        goal.enough(witnesses, open, inspected, examiner),
    };
    const prove = proverSource(prover, python, { question, inspected, examiner });
    const searched = await search([examiner.prober, examiner.exhauster, examiner.explorer, prove], aim, deadline);
    const notes = [...about_text, ...inspected.notes, ...examiner.notes, ...remarks(searched)];
    const took_ms = performance.now() - start;
    // Sources do not use the reserved time, which is for replays.
    const ran_out = searched.expired || took_ms >= timeout_s * 1000 - reserveOf(timeout_s * 1000) - ending_ms;
    return { ...searched, inspected, examiner, notes, time_seconds: Math.round(took_ms) / 1000, ran_out };
  });
  if (examined === "expired") throw notBegun(timeout_s);
  if (examined.proof) onProof?.(examined.proof);
  return examined;
}

/** The maximum time by which a source that uses all of its time ends early. */
const ending_ms = 500;

/** The result of an undecided question, with notes. */
export interface LeftUndecided extends Undecided {
  readonly notes: readonly string[];
  readonly suggestion: string;
}

/** The result of a question: the inputs that refute a claim, its proof, or neither. */
export type Judged<Witness> = Proven<Proof> | Refuted<readonly [Witness, ...Witness[]]> | LeftUndecided;

/**
 * Decides between witnesses and a proof. Replayed inputs that contradict a claim override a proof; other inputs count
 * only if there is no proof.
 */
export function judged<Witness>(
  examined: Examined<Witness>,
  contradicts: (witness: Witness) => boolean,
): Judged<Witness> {
  const { witnesses, proof } = examined;
  const against = witnesses.filter(contradicts);
  const [first, ...others] = against.length > 0 || proof ? against : witnesses;
  if (first) return { kind: "refuted", counterexample: [first, ...others] };
  return proof ? { kind: "proven", proof } : leftUndecided(examined);
}

/** Returns the status of an undecided question: `timeout` only if more time could help. */
export function undecidedStatus({ cause }: Undecided): "timeout" | "undecided" {
  return cause === "time" ? "timeout" : "undecided";
}

/** Returns remarks on witnesses that were found without exploring a path, and on candidates that are not shown. */
function remarks({ found_by, dropped, unreplayed, needless, proof }: Searched<unknown>): string[] {
  const failed = unreplayed.length - needless;
  // If witnesses are shown together with a proof, they did not refute the claim.
  const by_probe = !proof && found_by.size === 1 && found_by.has("probe");
  return [
    ...(by_probe ? ["found by trying boundary values"] : []),
    ...(dropped > 0
      ? [
          `${counted(dropped, "candidate")} could not be reproduced in a clean Python and ${dropped === 1 ? "was" : "were"} discarded.`,
        ]
      : []),
    ...(failed > 0
      ? [
          `${counted(failed, "candidate")} could not be run to completion in a clean Python; nothing is concluded about ${failed === 1 ? "it" : "them"}.`,
        ]
      : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function notBegun(timeout_s: number): Fault {
  return new Fault("busy", `No process became free within ${timeout_s} s; the code was not examined.`, [
    "send the call again",
    "give it a larger timeout_seconds",
  ]);
}

/** Explains why nothing was decided, and suggests next steps. */
export function leftUndecided({ examiner, ran_out }: Examined<unknown>): LeftUndecided {
  const { explored, prover_note, obligations } = examiner;
  // Open obligations already give the prover's reasons, as does a complete exploration.
  const is_said =
    obligations || prover_note === undefined || (explored?.exhausted && explored.why_not.includes(prover_note));
  const unproved = is_said ? [] : [`The prover did not decide it: ${prover_note.replace(/\.$/, "")}.`];
  const late = ran_out ? limitReached("time") : undefined;
  if (explored?.exhausted)
    return {
      ...(late ?? undecided("doubted", "all paths were explored, which is not a proof here")),
      notes: ["All paths were explored, which is not a proof here:", ...explored.why_not, ...unproved],
      suggestion:
        "Restate the important part with int, bool and str parameters and without floats, or test it on more inputs.",
    };
  if (examiner.exploration_lost !== undefined)
    return {
      ...(late ?? undecided("incomplete", "the exploration crashed")),
      notes: [`The exploration crashed: its process exited twice (${examiner.exploration_lost}).`, ...unproved],
      suggestion: "Send the call again: the cause is this machine, not the code.",
    };
  const out_of_memory = explored?.stopped === "memory" ? limitReached("memory") : undefined;
  return {
    ...(late ?? out_of_memory ?? undecided("incomplete", "not all paths were explored")),
    notes: [stopWords(explored?.stopped), ...unproved],
    suggestion: obligations
      ? obligationSteps(obligations)
      : "Bound the inputs with preconditions (such as len(xs) <= 3), split the function, or pass a larger timeout_seconds.",
  };
}

/** Says what ended an exploration early. */
function stopWords(stopped: string | undefined): string {
  if (stopped === "memory") return "The exploration reached its memory limit before all paths were explored.";
  if (stopped === "missing") return "CrossHair is not available on this machine: only boundary values were tried.";
  if (stopped === "given up") return "CrossHair gave up on this code before all paths were explored.";
  return "Timed out before all paths were explored.";
}
