import type { PairAnswer } from "../../engines/python/checker/changes.ts";
import type { Python } from "../../engines/python/index.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { answerOr, type OwnAnswers, tookTime } from "./affected.ts";
import type { Change, Place } from "./changed.ts";
import type { Git } from "./git.ts";
import { gate_limits } from "./limits.ts";
import type { Questions } from "./questions.ts";
import type { Comparison, ContractCheck, Result } from "./report.ts";

export interface Examining {
  readonly git: Git;
  /** The commits being compared. */
  readonly commits: { readonly base: string; readonly head: string };
  readonly python: Python;
  readonly questions: Questions;
  /** The answers about functions whose own code changed. */
  readonly own: OwnAnswers;
  /** Whether a function must not change, so that it is asked even if all that it uses is the same. */
  readonly isPromised: (change: Change) => boolean;
  /** The deadline for the whole run. */
  readonly deadline: Deadline;
  /** The time limit for one question. */
  readonly function_s: number;
  /** The functions already sent to the tools, and their maximum number. */
  readonly asked: Set<Change>;
  readonly functions_max: number;
}

const none = { notes: [], cached: false, time_seconds: 0 };

/** Compares both versions of a function, and checks its contract. Raises `cancelled` if the user interrupts. */
export async function examine(change: Change, examining: Examining): Promise<Omit<Result, "failures">> {
  const { kind, base, head, through } = change;
  const comparison = await comparisonOf(change, examining);
  const contract = await contractOf(change, comparison, examining);
  // Code rejected by the tools costs no time.
  if ([comparison, contract].every((each) => !each || !tookTime(each))) examining.asked.delete(change);
  return { change: kind, base: show(base), head: show(head), through: [...through], comparison, contract };
}

/** The result of a function that is not examined, with the reason. */
export function notExamined(change: Change, why: string, own: OwnAnswers): Omit<Result, "failures"> {
  const { kind, base, head, through } = change;
  const left: Comparison = { status: "not_checked", why, ...none };
  return {
    change: kind,
    base: show(base),
    head: show(head),
    through: [...through],
    comparison: base && head && kind !== "same_code" ? (own.affected(head.file, change.uses) ?? left) : null,
    contract: head && change.has_contract ? { ...left, status: "not_checked" } : null,
  };
}

function show(place: Place | null) {
  return place && { file: place.file, function: place.name, line: place.line, end_line: place.end_line };
}

async function comparisonOf(change: Change, examining: Examining): Promise<Comparison | null> {
  const { kind, base, head } = change;
  if (!base || !head) return null;
  if (kind === "same_code")
    return { status: "same_code", why: "nothing that a call can run changed in its module", ...none };
  const pairing = await together(base, head, examining);
  const uses = "pair" in pairing ? pairing.pair.uses : change.uses;
  const affected = change.through.length > 0 ? examining.own.affected(head.file, uses) : undefined;
  if ("why" in pairing) return affected ? answerOr(affected, { ...pairing, ...none }) : { ...pairing, ...none };
  if (affected?.are_same && !examining.isPromised(change)) return affected;
  const asked = await withTime<Comparison>(change, examining, (seconds) =>
    examining.questions.compare(pairing.pair, seconds),
  );
  return affected ? answerOr(affected, asked) : asked;
}

/** Checks the newer version's contract and, if it is broken, whether the older version already broke it. */
async function contractOf(
  change: Change,
  comparison: Comparison | null,
  examining: Examining,
): Promise<ContractCheck | null> {
  const { kind, base, head, has_contract, had_contract } = change;
  if (!head || !has_contract) return null;
  const check = async (place: Place): Promise<ContractCheck> => {
    const pairing = await together(null, place, examining);
    if ("why" in pairing) return { ...pairing, status: pairing.status === "error" ? "error" : "not_checked", ...none };
    return withTime(change, examining, (seconds) => examining.questions.check(pairing.pair, seconds));
  };
  const now = await check(head);
  if (now.status !== "counterexample" || !base || !had_contract) return now;
  // If neither the code nor the contract changed, code that violates the contract now also violated it before.
  if (comparison?.status === "same_code" && kind !== "same_code") return { ...now, in_base: "broken" };
  const before = await check(base);
  return { ...now, in_base: before.status === "counterexample" ? "broken" : "not_known_broken" };
}

type Together =
  | { readonly pair: NonNullable<PairAnswer["pair"]> }
  | { readonly status: "same_code" | "not_checked" | "error"; readonly why: string };

/** Combines both versions, or a single one, with the code that they use from other modules in the repository. */
async function together(base: Place | null, head: Place, examining: Examining): Promise<Together> {
  const { deadline } = examining;
  try {
    const { pair, apart } = await withModules(base, head, examining);
    for (const place of pair ? [...(base ? [base] : []), head] : []) {
      const why = await examining.questions.unloadable(place.text, examining.python, deadline);
      if (why) return { status: "not_checked", why: `its module ${place.file} can't be loaded: ${why}` };
    }
    if (pair) return { pair };
    return { status: apart?.same_code ? "same_code" : "not_checked", why: apart?.why ?? "it could not be read" };
  } catch (error) {
    if (!(error instanceof Fault) || deadline.signal.aborted) throw error;
    if (deadline.is_over) return { status: "not_checked", why: out_of_time };
    const of_code = error.code === "input_rejected" || error.code === "busy";
    return { status: of_code ? "not_checked" : "error", why: error.message };
  }
}

/** Builds a pair. Reads the repository files that each version needs from that version's commit. */
async function withModules(
  base: Place | null,
  head: Place,
  { python, deadline, git, commits }: Examining,
): Promise<Pick<PairAnswer, "pair" | "apart">> {
  const sides = { base: sent(base ?? head), head: sent(head) };
  for (;;) {
    const { wanted, pair, apart } = await python.pair(base && sides.base, sides.head, deadline);
    if (!wanted) return { pair, apart };
    for (const side of ["base", "head"] as const)
      if (wanted[side].length > 0) Object.assign(sides[side].files, await git.texts(commits[side], wanted[side]));
    if (isTooMuch(sides.base.files) || isTooMuch(sides.head.files))
      return { apart: { why: "it uses too many modules of this repository to include them", same_code: false } };
  }
}

function isTooMuch(files: Readonly<Record<string, string | null>>): boolean {
  const texts = Object.values(files).flatMap((text) => text ?? []);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  return texts.length > gate_limits.taken_files_max || chars > gate_limits.taken_chars_max;
}

/** The data sent for one version; files are added when they are requested. */
function sent({ text, name, own_modules, file }: Place) {
  const files: Record<string, string | null> = {};
  return { text, name, own_modules, path: file, files };
}

/** Asks with the remaining time as the limit. The tools count in whole seconds. */
async function withTime<Answer extends Comparison | ContractCheck>(
  change: Change,
  { deadline, function_s, asked, functions_max }: Examining,
  ask: (seconds: number) => Promise<Answer>,
): Promise<Answer | (typeof none & { status: "not_checked"; why: string })> {
  const seconds = Math.min(function_s, Math.floor(deadline.left_ms / 1000));
  if (seconds < 1) return { status: "not_checked", why: out_of_time, ...none };
  if (!asked.has(change) && asked.size >= functions_max)
    return { status: "not_checked", why: overBudget(functions_max), ...none };
  asked.add(change);
  return ask(seconds);
}

/** The reason for skipping a function that could have been checked. */
export function overBudget(functions_max: number): string {
  return `more than ${functions_max} functions could be checked (--max-functions)`;
}

export const out_of_time = "the time for all functions ran out";
