import {
  type CheckWord,
  isUnsupported,
  type Model,
  modelText,
  readCheck,
  readCore,
  readErrors,
  readModel,
  readObjectives,
  readQuery,
  readReason,
  readValues,
} from "../../engines/smt/read.ts";
import type { Gone, Reply, Session } from "../../engines/smt/session.ts";
import { Evaluator, evaluation } from "../../evidence/smtlib/evaluator.ts";
import { type Answering, Judge } from "../../evidence/smtlib/judge.ts";
import { type Claim, claimOf, type Optimum } from "../../evidence/smtlib/optimum.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { isDecided, type NotShown, type Sat, type Undecided, type Unsat, undecided } from "../../kernel/verdict.ts";
import { reasonShown } from "../reason_shown.ts";
import { type Again, objectivesShown, of_model, solveAgain } from "./again.ts";
import { crashed, endedBy, replyOf, SolverGone, unknownFor } from "./ending.ts";
import { orInMinizinc } from "./engines/theories.ts";
import { noteOnSign } from "./goals.ts";
import { rejection, unreadable, unsupported } from "./hints.ts";
import { smtlib_limits } from "./limits.ts";
import { noteOnOpenValues } from "./open_values.ts";
import type { Plan, Step } from "./plan.ts";
import { excerpt } from "./script/commands.ts";

/** The answer to one command; a check that Verdict added has no line. */
export interface TranscriptEntry {
  readonly line?: number;
  readonly command: string;
  readonly output: string;
}

/** What one command printed and, for a check, which check it is. */
export interface Printed {
  readonly text: string;
  readonly check?: { readonly number: number; readonly line: number | undefined; readonly last: boolean };
}

/** The verdict of the last check. */
export type SmtVerdict = SmtSat | Unsat<readonly string[]> | Undecided;

interface SmtSat extends Sat<Model | NotShown> {
  readonly objectives?: readonly Claim[];
}

export interface Outcome {
  /** The verdict; the members of an unsat core are as Z3 wrote them. */
  readonly verdict: SmtVerdict;
  /** What is known about the objectives, if they were solved without the optimiser. */
  readonly optimum: Optimum | undefined;
  readonly transcript: readonly TranscriptEntry[];
  /** The values that the script itself requests after its last check, by term. */
  readonly asked: ReadonlyMap<string, string>;
  /** What the script's commands printed, in order. */
  readonly printed: readonly Printed[];
  readonly warnings: readonly string[];
}

const unknown_option = /unknown parameter|unknown module/;

/** The solver that runs a plan, and how its models are checked. */
type Solver = Pick<Answering, "title" | "confirm">;

const by_z3: Solver = { title: "Z3" };

const no_longer_held =
  "the check was solved again without the optimiser, and there are other commands in between; put this one directly after the check";

const no_further_point =
  "the previous checks returned all points of the Pareto front, so there is no further point; this does not mean that the assertions are unsatisfiable";

const no_model_asked: SmtSat = { kind: "sat", witness: { not_shown: "(query …) asks for no model" } };

/** Runs a plan in a session. Raises `input_rejected`, `engine_failed`, `cancelled`. */
export async function runPlan(session: Session, plan: Plan, deadline: Deadline, solver = by_z3): Promise<Outcome> {
  const run = new Run(session, plan, deadline, solver);
  try {
    await run.steps();
  } catch (error) {
    if (!(error instanceof SolverGone)) throw error;
    run.ended(error.gone);
  }
  return run.outcome();
}

/** The latest answer to a check. */
interface Latest {
  readonly word: CheckWord;
  readonly line: number | undefined;
  /** Whether the answer was withdrawn, while the solver still holds its model or proof. */
  readonly is_withdrawn?: boolean;
}

class Run {
  readonly #session: Session;
  readonly #plan: Plan;
  readonly #deadline: Deadline;
  readonly #solver: Solver;
  readonly #evaluator: Evaluator;
  readonly #judge: Judge;
  readonly #transcript: TranscriptEntry[] = [];
  readonly #printed: Printed[] = [];
  readonly #asked = new Map<string, string>();
  #checks = 0;
  readonly #warnings: string[] = [];
  #verdict: SmtVerdict | undefined;
  #latest: Latest | undefined;
  /** The result of solving the last check again, if that found a model. */
  #again: Extract<Again, { kind: "sat" }> | undefined;
  /** Whether only requests for output have followed a check that was answered sat. */
  #follows_sat = false;

  constructor(session: Session, plan: Plan, deadline: Deadline, solver: Solver) {
    this.#session = session;
    this.#plan = plan;
    this.#deadline = deadline;
    this.#solver = solver;
    this.#evaluator = new Evaluator(async (text) => (await this.#ask(text)).text, solver.confirm === undefined);
    this.#judge = new Judge({ ...solver, defects: plan.defects, lines: plan.script.lines }, this.#evaluator);
  }

  async steps(): Promise<void> {
    if (this.#plan.prologue !== "") await this.#ask(this.#plan.prologue);
    for (const step of this.#plan.steps) {
      if (this.#leavesOut(step)) continue;
      const reply = this.#again?.replies.get(step) ?? (await this.#ask(step.piece.text));
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
      optimum: this.#again?.optimum,
      transcript: this.#transcript,
      asked: this.#asked,
      printed: this.#printed,
      warnings: this.#warnings,
    };
  }

  /** Handles a solver that ended early: what was decided stays decided, and the rest stays undecided. */
  ended(gone: Gone): void {
    const ended = endedBy(gone);
    if (this.#verdict)
      this.#warnings.push(
        `${this.#title} stopped after the last check (${ended ? reasonShown(ended) : "it crashed"}), so the output of the later commands is missing.`,
      );
    else if (ended) this.#verdict = ended;
    else throw crashed(gone, this.#title);
  }

  /** Processes a check in two phases: first the status, then the model or the core from the same context. */
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

  /**
   * Returns a reason to doubt that an unsat shows a contradiction between the assertions; undefined if there is none.
   */
  #doubtOnUnsat(): Undecided | undefined {
    if (this.#follows_sat && this.#plan.priority === "pareto") return undecided("incomplete", no_further_point);
    const why = this.#judge.doubtOnUnsat();
    return why === undefined ? undefined : undecided("doubted", why);
  }

  /** Reports an answer that is not accepted as undecided. */
  #withhold(step: Step, doubt: Undecided): void {
    const line = step.command?.line;
    this.#latest = { word: "unknown", line, is_withdrawn: true };
    this.#record(step, "unknown");
    this.#printed.push({ text: "unknown", check: { number: ++this.#checks, line, last: step.last } });
    if (step.last) this.#verdict = doubt;
    else this.#warnings.push(`The check on line ${line} is unknown: ${doubt.reason}.`);
  }

  /** Reports an earlier check as undecided if Z3 answered sat although its model violates an assertion. */
  async #checkEarlier(step: Step, number: number): Promise<void> {
    const { finding, doubt } = await this.#judge.model(step.replay);
    if (finding.verdict !== "refuted" && doubt === undefined) return;
    const line = step.command?.line;
    this.#correct("unknown");
    const way = this.#plan.has_objectives
      ? " Send this check in a separate call: there, it is solved again without the optimiser."
      : "";
    const why = doubt ?? `the model that ${this.#title} found does not satisfy ${finding.reason}`;
    this.#warnings.push(
      `Check ${number}${line === undefined ? "" : `, line ${line}`}, is unknown: ${why}.${doubt ? "" : way}`,
    );
  }

  /** Replaces the last recorded answer; what the solver still holds for that answer is no longer shown. */
  #correct(word: CheckWord): void {
    this.#follows_sat = false;
    this.#latest = { word, line: this.#latest?.line, is_withdrawn: word !== "unsat" };
    const [entry, shown] = [this.#transcript.at(-1), this.#printed.at(-1)];
    if (entry && readCheck(entry.output)) this.#transcript[this.#transcript.length - 1] = { ...entry, output: word };
    if (shown) this.#printed[this.#printed.length - 1] = { ...shown, text: word };
  }

  async #readReason(): Promise<void> {
    // If the solver ends before it gives its reason, the question stays undecided.
    const no_reason = `${this.#title} gave no reason`;
    this.#verdict = undecided("incomplete", no_reason);
    const reply = await this.#ask("(get-info :reason-unknown)");
    this.#verdict = unknownFor(readReason(reply.text) ?? no_reason);
  }

  async #readModel(step: Step): Promise<void> {
    this.#verdict = { kind: "sat", witness: { not_shown: `${this.#title} exited before it returned a model` } };
    const model_text = this.#ask("(get-model)").then((reply) => reply.text);
    const [text, { finding, doubt, warning }] = await Promise.all([
      model_text,
      this.#judge.model(step.replay, model_text),
    ]);
    if (finding.verdict === "refuted") {
      const { reason = "" } = finding;
      if (this.#plan.has_objectives && !this.#solver.confirm) await this.#solveAgain(step, reason);
      else this.#reject(reason);
      return;
    }
    if (doubt !== undefined) {
      this.#correct("unknown");
      this.#verdict = undecided("doubted", doubt);
      return;
    }
    if (warning !== undefined) this.#warnings.push(warning);
    const model = readModel(text, this.#plan.hidden_names);
    const not_shown = `${this.#title} gave no model: ${text.slice(0, 200)}`;
    if (!model) this.#warnings.push(not_shown);
    const sat: SmtSat = { kind: "sat", witness: model ?? { not_shown } };
    this.#verdict = sat;
    const note = await noteOnOpenValues(this.#evaluator, this.#plan.open_values);
    if (note !== undefined) this.#warnings.push(note);
    if (this.#plan.has_objectives) await this.#readObjectives(sat);
  }

  #reject(broken: string, rest = ""): void {
    this.#correct("unknown");
    this.#verdict = undecided("unconfirmed", `the model that ${this.#title} found does not satisfy ${broken}${rest}`);
  }

  /**
   * Solves the last check again without the optimiser, whose sat and values are worthless once its model violates an
   * assertion.
   */
  async #solveAgain(step: Step, broken: string): Promise<void> {
    this.#reject(broken, ", and none was found without its optimiser");
    const again = await solveAgain(this.#session, this.#plan, this.#deadline);
    if (again.kind === "undecided") {
      const bounded = "remove the objectives and bound them with assertions";
      this.#warnings.push(`Raise timeout_ms, or ${bounded}${orInMinizinc(this.#plan.script.contents)}.`);
      return;
    }
    this.#warnings.push(
      `The model of Z3's optimiser does not satisfy ${broken}, so the script was solved again without the optimiser, step by step.`,
    );
    this.#correct(again.kind);
    if (again.kind === "unsat") {
      await this.#readCore(step);
      return;
    }
    this.#again = again;
    const { model, claims, note } = again;
    const witness = model ?? { not_shown: "Z3 gave no model" };
    this.#verdict = { kind: "sat", witness, ...(claims.length > 0 && { objectives: claims }) };
    if (claims.length > 0 && !this.#plan.prints_objectives) this.#printed.push({ text: objectivesShown(claims) });
    const notes = [note, ...claims.map(({ term, reached }) => noteOnSign(term, reached))];
    this.#warnings.push(...notes.filter((each) => each !== undefined));
  }

  async #readObjectives(verdict: SmtSat): Promise<void> {
    const { text } = await this.#ask("(get-objectives)");
    const objectives = readObjectives(text);
    if (!objectives) {
      this.#warnings.push("Z3 returned no values for the objectives.");
      return;
    }
    const { goals } = this.#plan;
    const values = await Promise.all((goals ?? []).map(({ term }) => this.#ask(evaluation(term))));
    const claims = objectives.map((each, i) => claimOf(each, goals?.[i], values[i]?.text ?? ""));
    this.#verdict = { ...verdict, objectives: claims };
    if (!this.#plan.prints_objectives) this.#printed.push({ text: this.#objectivesIn(text) });
    for (const { term } of objectives) {
      const note = noteOnSign(term, (await this.#evaluator.valueOf(term)) ?? "");
      if (note !== undefined) this.#warnings.push(note);
    }
  }

  /** Returns what (get-objectives) printed, without impossible values. */
  #objectivesIn(text: string): string {
    const claims = this.#verdict?.kind === "sat" ? (this.#verdict.objectives ?? []) : [];
    return claims.some(({ is_replaced }) => is_replaced) ? objectivesShown(claims) : text;
  }

  get #title(): string {
    return this.#solver.title;
  }

  async #readCore({ head }: Step): Promise<void> {
    this.#verdict = { kind: "unsat" };
    if (head === "query" || !this.#plan.wants_core) return;
    const { text } = await this.#ask("(get-unsat-core)");
    const core = readCore(text);
    const assumed = await this.#assumedInCore();
    if (core && assumed) this.#verdict = { kind: "unsat", core: [...assumed, ...core] };
    else this.#warnings.push(`${this.#title} gave no core: ${text.slice(0, 200)}`);
  }

  /**
   * Returns a core's assumptions, unless they are in the core itself: an SMT-LIB core has only names, while Z3's has
   * both.
   */
  async #assumedInCore(): Promise<readonly string[] | undefined> {
    const has_own = this.#solver.confirm !== undefined && this.#plan.assumptions.length > 0;
    return has_own ? readCore((await this.#ask("(get-unsat-assumptions)")).text) : [];
  }

  /**
   * Whether to skip a command because its output can't exist: models exist only after sat, and proofs only after unsat.
   */
  #leavesOut(step: Step): boolean {
    const needs = needs_answer[step.head];
    const latest = this.#latest;
    if (step.kind !== "print" || !latest || this.#again?.replies.has(step)) return false;
    const shows_withdrawn = latest.is_withdrawn && (needs !== undefined || of_model.has(step.head));
    if (shows_withdrawn && latest.word === "sat") this.#explainNothing(step, no_longer_held);
    else if (shows_withdrawn || (needs && latest.word !== needs && latest.word !== "unknown"))
      this.#explainNothing(step, `${this.#nameOfLatest} answered ${latest.word}`);
    else return false;
    return true;
  }

  /** Whether a command has nothing to print; after `unknown`, there may or may not be a candidate model. */
  #hasNothingToShow(step: Step, reply: Reply): boolean {
    const asks_in_vain = step.kind === "print" && needs_answer[step.head] && this.#latest?.word === "unknown";
    if (!asks_in_vain || !reply.text.includes("not available")) return false;
    this.#explainNothing(step, `${this.#nameOfLatest} answered unknown`);
    return true;
  }

  /**
   * Whether to ignore an option or info that Z3 does not know: it must be meant for another solver, and changes no
   * verdict.
   */
  #ignores(step: Step, reply: Reply): boolean {
    if (step.head !== "set-option" && step.head !== "set-info") return false;
    const errors = readErrors(reply.text);
    const unknown = errors.length > 0 && errors.every(({ message }) => unknown_option.test(message));
    if (!unknown && !isUnsupported(reply.text)) return false;
    const [, key] = step.command?.node.items ?? [];
    const shown = key ? excerpt(this.#plan.script.text, key) : step.head;
    this.#warnings.push(`Line ${step.command?.line}: ${shown} was omitted: Z3 has no such option.`);
    return true;
  }

  get #nameOfLatest(): string {
    return this.#latest?.line === undefined ? "the check" : `the check on line ${this.#latest.line}`;
  }

  #explainNothing(step: Step, why: string): void {
    this.#record(step, `not asked: ${why}`);
    this.#warnings.push(`Line ${step.command?.line}: (${step.head} …) has nothing to show, because ${why}.`);
  }

  #silent(reply: Reply): void {
    this.#follows_sat = false;
    if (reply.text !== "" && !isUnsupported(reply.text))
      this.#warnings.push(`${this.#title} remarked: ${reply.text.slice(0, 300)}`);
  }

  #print(step: Step, reply: Reply): void {
    const model = step.head === "get-model" ? readModel(reply.text, this.#plan.hidden_names) : undefined;
    const shown = model ? modelText(model.definitions) : reply.text;
    const text = step.head === "get-objectives" ? this.#objectivesIn(reply.text) : shown;
    if (step.head === "get-value" && this.#verdict)
      for (const [term, value] of Object.entries(readValues(reply.text))) this.#asked.set(term, value);
    // After the last check, there is a verdict, and its values are confirmed later.
    if (step.head === "get-objectives" && !this.#verdict)
      this.#warnings.push(
        `Line ${step.command?.line}: these values are those reported by Z3's optimiser. Only those of the last check are checked; send this check in a separate call.`,
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

  /** Raises a fault for an error anywhere, since Z3 would continue with a weakened script. */
  #refuse(step: Step, reply: Reply): void {
    if (step.head === "echo" && step.echoes === reply.text) return;
    const errors = readErrors(reply.text);
    if (errors.length > 0) throw rejection(this.#plan.script, step.piece, reply.first_line, errors, this.#title);
    if (isUnsupported(reply.text)) throw unsupported(step, this.#plan.script, this.#title);
  }

  #ask(text: string): Promise<Reply> {
    return replyOf(this.#session, text);
  }

  #compareWithExpectation(verdict: SmtVerdict): void {
    const { expected } = this.#plan.script;
    if (!expected || expected === "unknown" || !isDecided(verdict) || expected === verdict.kind) return;
    this.#warnings.push(`The script says (set-info :status ${expected}), but ${this.#title} answered ${verdict.kind}.`);
  }
}

/** The check answer that each of these commands requires before it can print something. */
const needs_answer: Readonly<Record<string, CheckWord | undefined>> = {
  "get-value": "sat",
  "get-model": "sat",
  "get-assignment": "sat",
  eval: "sat",
  "get-proof": "unsat",
  "get-unsat-core": "unsat",
  "get-unsat-assumptions": "unsat",
};
