import {
  bitsOf,
  type CheckWord,
  isUnsupported,
  type Model,
  readCheck,
  readCore,
  readErrors,
  readModel,
  readObjectives,
  readQuery,
  readReason,
  readValue,
} from "../../engines/smt/read.ts";
import type { Gone, Reply, Session } from "../../engines/smt/session.ts";
import { isDecided, type NotShown, type Sat, type Undecided, type Unsat, undecided } from "../../kernel/verdict.ts";
import { reasonShown } from "../reason_shown.ts";
import { crashed, endedBy, unknownFor } from "./ending.ts";
import type { Confirmation } from "./engines/confirm.ts";
import { rejection, unreadable, unsupported } from "./hints.ts";
import { smtlib_limits } from "./limits.ts";
import type { Claim } from "./optimum/confirm.ts";
import type { Plan, Replay, Step } from "./plan.ts";
import { excerpt } from "./script/script.ts";

/** One command's answer. The check that we added has no line. */
export interface TranscriptEntry {
  readonly line?: number;
  readonly command: string;
  readonly output: string;
}

/** What one command printed; for a check, which one it is. */
export interface Printed {
  readonly text: string;
  readonly check?: { readonly number: number; readonly line: number | undefined; readonly last: boolean };
}

/** What the last check was answered. */
export type SmtVerdict = SmtSat | Unsat<readonly string[]> | Undecided;

interface SmtSat extends Sat<Model | NotShown> {
  readonly objectives?: readonly Claim[];
}

export interface Outcome {
  /** The core of an unsat has its members as Z3 wrote them. */
  readonly verdict: SmtVerdict;
  readonly transcript: readonly TranscriptEntry[];
  /** What the script's commands printed, in order. */
  readonly printed: readonly Printed[];
  readonly warnings: readonly string[];
}

const unknown_option = /unknown parameter|unknown module/;

/** Who runs a plan, and how what it answers is looked into. */
export interface Speaker {
  readonly title: string;
  /** Has Z3 check the model of another solver; undefined for Z3, which evaluates its own. */
  readonly confirm?: (model: string) => Promise<Confirmation>;
}

const by_z3: Speaker = { title: "Z3" };

const not_rechecked =
  "The model could not be re-checked in full: quantifiers, recursion or named parts can't be evaluated.";

const no_further_point =
  "the checks before this one gave all points of the Pareto front, so there is no further one; the assertions do not contradict each other";

function convertedTo(line: number): string {
  return `Z3 answered unsat, but it is known to lose solutions where a Real or Int that is no constant becomes a float (to_fp, line ${line}); use floats or bit-vectors from the start, such as (declare-const x (_ BitVec 64)) and ((_ to_fp 11 53) RNE x), which is exact`;
}

const no_model_asked: SmtSat = { kind: "sat", witness: { not_shown: "(query …) asks for no model" } };

/** Thrown inside of a run when the solver is gone; `Run.outcome` says what that means. */
class SolverGone extends Error {
  readonly gone: Gone;

  constructor(gone: Gone) {
    super("the solver is gone");
    this.gone = gone;
  }
}

/** Runs a plan in a session. Raises `input_rejected`, `engine_failed`, `cancelled`. */
export async function runPlan(session: Session, plan: Plan, speaker = by_z3): Promise<Outcome> {
  const run = new Run(session, plan, speaker);
  try {
    await run.steps();
  } catch (error) {
    if (!(error instanceof SolverGone)) throw error;
    run.ended(error.gone);
  }
  return run.outcome();
}

class Run {
  readonly #session: Session;
  readonly #plan: Plan;
  readonly #speaker: Speaker;
  readonly #transcript: TranscriptEntry[] = [];
  readonly #printed: Printed[] = [];
  #checks = 0;
  readonly #warnings: string[] = [];
  #verdict: SmtVerdict | undefined;
  #latest: { readonly word: CheckWord; readonly line: number | undefined } | undefined;
  /** Whether nothing but questions came since a check that was answered sat. */
  #follows_sat = false;

  constructor(session: Session, plan: Plan, speaker: Speaker) {
    this.#session = session;
    this.#plan = plan;
    this.#speaker = speaker;
  }

  async steps(): Promise<void> {
    if (this.#plan.prologue !== "") await this.#ask(this.#plan.prologue);
    for (const step of this.#plan.steps) {
      if (this.#leavesOut(step)) continue;
      const reply = await this.#ask(step.piece.text);
      if (this.#hasNothingToShow(step, reply) || this.#ignores(step, reply)) continue;
      this.#refuse(step, reply);
      if (step.kind === "silent") this.#silent(reply);
      else if (step.kind === "print") this.#print(step, reply);
      else await this.#check(step, reply);
    }
  }

  outcome(): Outcome {
    const verdict = this.#verdict;
    if (!verdict) throw new Error("a run ends with a verdict");
    this.#compareWithExpectation(verdict);
    return {
      verdict,
      transcript: this.#transcript,
      printed: this.#printed,
      warnings: this.#warnings,
    };
  }

  /** The solver ended early: what was decided stays decided, what was not stays open. */
  ended(gone: Gone): void {
    const ended = endedBy(gone);
    if (this.#verdict)
      this.#warnings.push(
        `${this.#title} stopped after the last check (${ended ? reasonShown(ended) : "it crashed"}), so the output of the later commands is missing.`,
      );
    else if (ended) this.#verdict = ended;
    else throw crashed(gone, this.#title);
  }

  /** The two phases of source 000: the status first, then the model or the core of the same context. */
  async #check(step: Step, reply: Reply): Promise<void> {
    const word = step.head === "query" ? readQuery(reply.text) : readCheck(reply.text);
    if (!word) throw unreadable(reply.text, this.#title);
    const doubt = word === "unsat" ? this.#doubtOnUnsat() : undefined;
    if (doubt) {
      this.#withhold(step, doubt);
      return;
    }
    this.#follows_sat = word === "sat";
    this.#latest = { word, line: step.command?.line };
    this.#record(step, reply.text);
    const check = { number: ++this.#checks, line: step.command?.line, last: step.last };
    this.#printed.push({ text: reply.text, check });
    if (!step.last && word === "sat") await this.#checkEarlier(step, check.number);
    if (!step.last) return;
    if (word === "unknown") await this.#readReason();
    else if (word === "unsat") await this.#readCore(step);
    else if (step.head === "query") this.#verdict = no_model_asked;
    else await this.#readModel(step);
  }

  /** Why unsat does not say here that the assertions contradict each other. */
  #doubtOnUnsat(): Undecided | undefined {
    const { priority, converted_line } = this.#plan;
    if (this.#follows_sat && priority === "pareto") return undecided("incomplete", no_further_point);
    // Another solver than Z3 is not known for it.
    return converted_line === undefined || this.#speaker.confirm
      ? undefined
      : undecided("doubted", convertedTo(converted_line));
  }

  /** Shows an answer that is not believed as undecided. */
  #withhold(step: Step, doubt: Undecided): void {
    const line = step.command?.line;
    this.#latest = { word: "unknown", line };
    this.#record(step, "unknown");
    this.#printed.push({ text: "unknown", check: { number: ++this.#checks, line, last: step.last } });
    if (step.last) this.#verdict = doubt;
    else this.#warnings.push(`The check on line ${line} is unknown: ${doubt.reason}.`);
  }

  /** What Z3 called sat, though its model breaks an assertion, is shown as undecided. */
  async #checkEarlier(step: Step, number: number): Promise<void> {
    const broken = await this.#brokenBy(step.replay ?? []);
    if (broken === undefined || broken === "unclear") return;
    const line = step.command?.line;
    this.#withdraw();
    this.#warnings.push(
      `Check ${number}${line === undefined ? "" : `, line ${line}`}, is unknown: the model that ${this.#title} found does not satisfy ${broken}.`,
    );
  }

  /** The last answer that was recorded turns into unknown. */
  #withdraw(): void {
    this.#follows_sat = false;
    if (this.#latest) this.#latest = { ...this.#latest, word: "unknown" };
    const [entry, shown] = [this.#transcript.at(-1), this.#printed.at(-1)];
    if (entry?.output === "sat") this.#transcript[this.#transcript.length - 1] = { ...entry, output: "unknown" };
    if (shown) this.#printed[this.#printed.length - 1] = { ...shown, text: "unknown" };
  }

  async #readReason(): Promise<void> {
    // Should the solver be gone before it gives its reason, the question stays undecided.
    const no_reason = `${this.#title} gave no reason`;
    this.#verdict = undecided("incomplete", no_reason);
    const asked = await this.#ask("(get-info :reason-unknown)");
    this.#verdict = unknownFor(readReason(asked.text) ?? no_reason);
  }

  async #readModel(step: Step): Promise<void> {
    this.#verdict = { kind: "sat", witness: { not_shown: `${this.#title} ended before it gave a model` } };
    const { confirm } = this.#speaker;
    const asked = this.#ask("(get-model)");
    const looked = confirm ? this.#brokenElsewhere(confirm, asked, step.replay) : this.#brokenBy(step.replay);
    const [{ text }, broken] = await Promise.all([asked, looked]);
    if (broken !== undefined && broken !== "unclear") {
      this.#withdraw();
      this.#verdict = undecided("unconfirmed", `the model that ${this.#title} found does not satisfy ${broken}`);
      return;
    }
    if (broken === "unclear") this.#warnings.push(not_rechecked);
    const model = readModel(text, this.#plan.hidden_names);
    const not_shown = `${this.#title} gave no model: ${text.slice(0, 200)}`;
    if (!model) this.#warnings.push(not_shown);
    const found: SmtSat = { kind: "sat", witness: model ?? { not_shown } };
    this.#verdict = found;
    await this.#warnOfOpenValues();
    if (this.#plan.has_objectives) await this.#readObjectives(found);
  }

  async #readObjectives(found: SmtSat): Promise<void> {
    const { text } = await this.#ask("(get-objectives)");
    const objectives = readObjectives(text);
    if (!objectives) {
      this.#warnings.push("Z3 gave no values of the objectives.");
      return;
    }
    const { goals } = this.#plan;
    const values = await Promise.all((goals ?? []).map(({ term }) => this.#ask(evaluation(term))));
    const claims = objectives.map((each, i) => ({ ...each, reached: values[i]?.text ?? "" }));
    this.#verdict = { ...found, objectives: claims };
    if (!this.#plan.prints_objectives) this.#printed.push({ text });
    for (const { term } of objectives) await this.#warnOfSign(term);
  }

  /** Says where an objective is a bit-vector that is negative as a signed number: Z3 compares unsigned ones. */
  async #warnOfSign(term: string): Promise<void> {
    const bits = bitsOf((await this.#valueOf(term)) ?? "");
    // This is how a signed objective is written.
    const turns_sign = /^\(bvxor\b.*#(b10*|x80*)\)$/s.test(term);
    if (!bits?.startsWith("1") || turns_sign) return;
    const signed = BigInt.asIntN(bits.length, BigInt(`0b${bits}`));
    const flipped = `(bvxor ${term} #b1${"0".repeat(bits.length - 1)})`;
    this.#warnings.push(
      `maximize and minimize compare bit-vectors as unsigned numbers: ${term} is ${BigInt(`0b${bits}`)} here, which is ${signed} as a signed number. For signed numbers flip the sign bit: ${flipped}.`,
    );
  }

  /** Says where the model makes an assertion true by a value that Z3 was free to choose. */
  async #warnOfOpenValues(): Promise<void> {
    const { open_values } = this.#plan;
    if (open_values.length === 0) return;
    const any = await this.#valueOf(`(or false ${open_values.map(({ condition }) => condition).join("\n")})`);
    if (any !== "true") return;
    for (const { condition, text } of open_values) {
      if ((await this.#valueOf(condition)) !== "true") continue;
      this.#warnings.push(text);
      return;
    }
  }

  /** What the model makes false: then it is no model, and nothing is decided. */
  async #brokenBy(replay: readonly Replay[] | undefined): Promise<string | "unclear" | undefined> {
    if (replay?.length === 0) return undefined;
    if (!replay) return "unclear";
    const value = await this.#valueOf(`(and true ${replay.map(({ piece }) => piece.text).join("\n")})`);
    if (value === "true") return undefined;
    return value === "false" ? this.#violated(replay) : "unclear";
  }

  /** The same where another solver has the last word: one can't be believed about its own model. */
  async #brokenElsewhere(
    confirm: (model: string) => Promise<Confirmation>,
    asked: Promise<Reply>,
    replay: readonly Replay[] | undefined,
  ): Promise<string | "unclear" | undefined> {
    const said = await confirm((await asked).text);
    if (said === "holds") return undefined;
    if (said === "fails") return "the script";
    const broken = await this.#brokenBy(replay);
    if (broken === undefined)
      this.#warnings.push(`Only ${this.#title} itself checked its model: Z3 could not evaluate it.`);
    return broken;
  }

  /** What a term is in the model, as the solver prints it. */
  async #valueOf(term: string): Promise<string | undefined> {
    if (!this.#speaker.confirm) return (await this.#ask(evaluation(term))).text;
    return readValue((await this.#ask(`(get-value (${term}))`)).text);
  }

  get #title(): string {
    return this.#speaker.title;
  }

  /** The line of the first assertion that the model makes false. */
  async #violated(replay: readonly Replay[]): Promise<string> {
    for (const { line, piece } of replay) {
      if ((await this.#valueOf(piece.text)) === "false") return `line ${line}`;
    }
    return "all assertions together";
  }

  async #readCore({ head }: Step): Promise<void> {
    this.#verdict = { kind: "unsat" };
    if (head === "query" || !this.#plan.wants_core) return;
    const { text } = await this.#ask("(get-unsat-core)");
    const core = readCore(text);
    if (core) this.#verdict = { kind: "unsat", core };
    else this.#warnings.push(`${this.#title} gave no core: ${text.slice(0, 200)}`);
  }

  /** Models are there after sat, proofs after unsat: what can't be there is not asked for. */
  #leavesOut(step: Step): boolean {
    const needs = needs_answer[step.head];
    const found = this.#latest;
    if (step.kind !== "print" || !needs || !found || found.word === needs || found.word === "unknown") return false;
    this.#explainNothing(step, found.word);
    return true;
  }

  /** After `unknown` there may be a candidate model, or none. */
  #hasNothingToShow(step: Step, reply: Reply): boolean {
    const asks_in_vain = step.kind === "print" && needs_answer[step.head] && this.#latest?.word === "unknown";
    if (!asks_in_vain || !reply.text.includes("not available")) return false;
    this.#explainNothing(step, "unknown");
    return true;
  }

  /** An option or info that Z3 does not know can only be one of another solver: it changes no verdict. */
  #ignores(step: Step, reply: Reply): boolean {
    if (step.head !== "set-option" && step.head !== "set-info") return false;
    const errors = readErrors(reply.text);
    const unknown = errors.length > 0 && errors.every(({ message }) => unknown_option.test(message));
    if (!unknown && !isUnsupported(reply.text)) return false;
    const [, key] = step.command?.node.items ?? [];
    const shown = key ? excerpt(this.#plan.script.text, key) : step.head;
    this.#warnings.push(`Line ${step.command?.line}: ${shown} was left out: Z3 has no such option.`);
    return true;
  }

  #explainNothing(step: Step, word: string): void {
    const check = this.#latest?.line === undefined ? "the check" : `the check on line ${this.#latest.line}`;
    this.#record(step, `not asked: ${check} answered ${word}`);
    this.#warnings.push(
      `Line ${step.command?.line}: (${step.head} …) has nothing to show, because ${check} answered ${word}.`,
    );
  }

  #silent(reply: Reply): void {
    this.#follows_sat = false;
    if (reply.text !== "" && !isUnsupported(reply.text))
      this.#warnings.push(`${this.#title} remarked: ${reply.text.slice(0, 300)}`);
  }

  #print(step: Step, reply: Reply): void {
    const model = step.head === "get-model" ? readModel(reply.text, this.#plan.hidden_names) : undefined;
    const text = model?.text ?? reply.text;
    // The last check has a verdict by then, and its values are confirmed later.
    if (step.head === "get-objectives" && !this.#verdict)
      this.#warnings.push(
        `Line ${step.command?.line}: these values are what Z3's optimiser says. Only those of the last check are checked; send this check in a call of its own.`,
      );
    this.#record(step, text);
    if (text !== "") this.#printed.push({ text });
  }

  #record(step: Step, output: string): void {
    const { command } = step;
    const entry = command
      ? { line: command.line, command: excerpt(this.#plan.script.text, command.node), output }
      : { command: "(check-sat)", output };
    if (this.#transcript.length < smtlib_limits.transcript_entries_max) this.#transcript.push(entry);
    else if (this.#transcript.length === smtlib_limits.transcript_entries_max) {
      this.#transcript.push({
        command: "…",
        output: `cut: only the first ${smtlib_limits.transcript_entries_max} answers are shown`,
      });
    }
  }

  /** An error anywhere voids what follows: Z3 goes on with a weakened script. */
  #refuse(step: Step, reply: Reply): void {
    if (step.head === "echo" && step.echoes === reply.text) return;
    const errors = readErrors(reply.text);
    if (errors.length > 0) throw rejection(this.#plan.script, step.piece, reply.first_line, errors, this.#title);
    if (isUnsupported(reply.text)) throw unsupported(step, this.#plan.script, this.#title);
  }

  async #ask(text: string): Promise<Reply> {
    const reply = await this.#session.ask(text);
    if (reply.kind === "gone") throw new SolverGone(reply);
    return reply;
  }

  #compareWithExpectation(verdict: SmtVerdict): void {
    const { expected } = this.#plan.script;
    if (!expected || expected === "unknown" || !isDecided(verdict) || expected === verdict.kind) return;
    this.#warnings.push(`The script says (set-info :status ${expected}), but ${this.#title} answered ${verdict.kind}.`);
  }
}

/** The answer that must have come before these can print something. */
const needs_answer: Readonly<Record<string, CheckWord | undefined>> = {
  "get-value": "sat",
  "get-model": "sat",
  "get-assignment": "sat",
  eval: "sat",
  "get-proof": "unsat",
  "get-unsat-core": "unsat",
  "get-unsat-assumptions": "unsat",
};

function evaluation(formula: string): string {
  return `(eval ${formula} :completion true)`;
}
