import * as z from "zod/v4";
import type { ProgramReply, Python, RunProgram } from "../../../../engines/python/index.ts";
import type { JobEnd, ProgramError } from "../../../../engines/python/talk.ts";
import { asking } from "../../../../engines/smt/second.ts";
import { evidence_limits } from "../../../../evidence/limits.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { after_a_kill, Fault, type Position } from "../../../../kernel/fault.ts";
import { again, type Step } from "../../../../kernel/step.ts";
import { fitPrinted } from "../../../../kernel/text/fit.ts";
import { type Limit, limitReached } from "../../../../kernel/verdict.ts";
import {
  betterWords,
  type Language,
  notBegun,
  type Outcome,
  type SolveContext,
  type SolveOptions,
  type Values,
} from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { Weights, weightsIn } from "../../plans/paths.ts";
import { type AllAnswer, noAnswer, readAnswer } from "../questions/answer.ts";
import { withAnswer } from "../questions/ask.ts";
import { type Question, questionOf } from "../questions/question.ts";
import { type Claim, readClaim } from "./claim.ts";
import { certificateOf } from "./confirm/certificate.ts";
import { lostBy, type Others, type Rechecked, rechecked } from "./confirm/recheck.ts";
import { explainedBy } from "./explain/why.ts";
import { type Hint, hintsFor } from "./hints.ts";
import { plainForm } from "./plain.ts";

/** The properties of a language whose items are Python, besides its module in the runner. */
export interface PythonLanguage extends Pick<Language, "id" | "also" | "slips" | "needs" | "solver_needs"> {
  /** The language's usual name. */
  readonly name: string;
  /** What identifies the language's programs: an import of its package, or calls to it. */
  readonly sign: RegExp;
  readonly title: string;
  readonly guide: string;
  /** Steps for exceptions in the language's programs, besides those for Python itself. */
  readonly hints: readonly Hint[];
  /** The `solve_model` options that the language's runner supports; none by default. */
  readonly takes?: Language["takes"];
  /** The engine outside Python that can read the language's problems, for calls that ask for a second opinion. */
  readonly second?: "z3" | "cvc5";
  /** Whether the language's second process writes proofs (DRAT) that clauses are unsatisfiable. */
  readonly has_proofs?: true;
  /**
   * Returns part of a sentence that suggests another way to decide what these items state; empty if no other way is
   * often faster.
   */
  readonly orElsewhere?: (items: readonly string[]) => string;
}

/** Creates a modelling language whose items are Python code, which runs in the sandbox. */
export function pythonLanguage(
  python: Python,
  others: Others,
  { id, also, slips, needs = "model_python", solver_needs, ...language }: PythonLanguage,
): Language {
  const { title, guide, hints, takes: own = [], second, has_proofs, orElsewhere = () => "" } = language;
  const takes = [...own, "data", "data_files"] as const;
  return {
    id,
    ...(also && { also }),
    slips,
    needs,
    ...(solver_needs && { solver_needs }),
    takes,
    guide: { name: id, title, text: guide },
    solvingPlace,
    declares,
    async check(items, _changed, deadline, data) {
      const model = { language: id, items, has_data: data !== undefined };
      const { fault, warnings } = await python.check(model, deadline);
      if (fault) throw refusal(fault, fault);
      // A client that builds a model will solve it, so the process for solving is warmed up.
      python.prepare(id);
      return warnings;
    },
    plain: (filed) => plainForm(python, id, filed),
    async solve(items, context: SolveContext) {
      const { deadline, progress, news, options } = context;
      progress(`solving the ${id} model`);
      const question = questionOf(options);
      return python
        .turn(
          deadline,
          progress,
          async (run) => {
            const { plan, keep: _, ...asked } = question ?? {};
            const request = { ...requestOf(options), ...(question && { question: asked }) };
            const program = {
              items,
              ...(own.length > 0 && { request }),
              ...(options.data && { data: options.data }),
              ...(options.reproducible && { workers: 1 }),
            };
            const first = plan ? deadline.atMost(deadline.left_ms * model_limits.plan_first_share) : deadline;
            const reply = await run(id, program, first, (result) => tellIncumbent(result, news));
            return reply === "expired"
              ? reply
              : outcomeOf(id, hints, reply, {
                  recheck: (claim) =>
                    rechecked(run, id, claim, plan || (question && options.check) ? shareOf(deadline) : deadline, {
                      check: options.check === true,
                      ...(second && { ask: asking(others[second], progress) }),
                      ...(has_proofs && { certify: certificateOf.bind(undefined, others.drat) }),
                    }),
                  explain: (outcome, { why_question }) => explainedBy(run, id, { outcome, why_question, context }),
                  answer: async (outcome, { space, why_question }) => {
                    if (!question) return outcome;
                    const answered = await withAnswer(outcome, question, () =>
                      answerOf(run, id, { ...question, ...(plan && shownOf(outcome, question)) }, space, deadline),
                    );
                    const is_broken = plan && outcome.verdict.kind === "sat" && answered.verdict.kind === "unsat";
                    if (!is_broken) return answered;
                    const asked = { outcome: answered, why_question, context, planned: { plan, space } };
                    const explained = await explainedBy(run, id, asked);
                    // If the verdict is not unsat, the search for violated lines found a solution with the plan's
                    // values.
                    return explained.verdict.kind === "unsat"
                      ? explained
                      : { ...explained, all_answer: noAnswer(question, contradicted) };
                  },
                });
          },
          id,
        )
        .then((outcome) => (outcome === "expired" ? notBegun(`${id} (python)`, never_begun) : outcome))
        .then((outcome) => ({ ...outcome, or_elsewhere: orElsewhere(items) }));
    },
  };
}

/** Finds the first top-level statement that contains a call to solve or export, possibly in the body of a function. */
function solvingPlace(items: readonly string[]): { readonly item: number; readonly line: number } | undefined {
  const item = items.findIndex((text) => text.split("\n").some(solvesIn));
  if (item < 0) return undefined;
  const lines = (items[item] ?? "").split("\n");
  const begins = (line: string) => /^[^\s#)\]}]/.test(line) && !/^(?:else|elif|except|finally)\b/.test(line);
  return { item, line: 1 + Math.max(0, lines.slice(0, 1 + lines.findIndex(solvesIn)).findLastIndex(begins)) };
}

/** Assignments, including those to several names, and names that the program gives to solver variables. */
function declares(name: string): RegExp {
  return new RegExp(`^(?:\\w+\\s*,\\s*)*${name}\\s*(?:\\[[^\\]]*\\]\\s*)*(?:,[\\w\\s,]*)?=(?!=)|["']${name}["'[_({]`);
}

function solvesIn(line: string): boolean {
  return solves.test(line.replace(/#.*/, ""));
}

const solves =
  /(?:\b\w*(?:solve(?!r)|check|export_solution|compute|_models|search|prove|consequences)\w*|\.(?:enumerate|optimi[sz]e))\s*\(/i;

/** Returns the values in the model's own answer that have the same names as a plan's values. */
function shownOf({ verdict }: Outcome, { plan, keep }: Question): { readonly shown: Values } {
  const values = verdict.kind === "sat" && "values" in verdict.witness ? verdict.witness.values : {};
  const asked = { ...keep?.values, ...plan };
  return { shown: Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(asked, name))) };
}

const contradicted = "one search found no solution with these values, but another one found some";

/** Limits the time for a second engine if another question has to be answered after it. */
function shareOf(deadline: Deadline): Deadline {
  return deadline.atMost(deadline.left_ms * evidence_limits.check_share);
}

const Asker = z.object({ by: z.enum(["z3", "pysat"]).optional(), form: z.string().optional() });

/** Answers a question about all solutions of a problem that the program's process handed over. */
async function answerOf(
  run: RunProgram,
  id: string,
  question: Question,
  space: unknown,
  deadline: Deadline,
): Promise<AllAnswer> {
  // The question may have to be decided by another language with the same packages.
  const { by: named, form } = Asker.safeParse(space).data ?? {};
  const { keep } = question;
  const by = named ?? (keep && form !== undefined ? "cpmpy" : id);
  const asked = keep && { keep: { ...keep, weights: weightsIn(keep.values, new Weights(keep.weights)) } };
  let so_far: Record<string, unknown> | undefined;
  const reply = await run(
    by,
    { items: [], request: { question: { ...question, ...asked }, space } },
    deadline,
    (result) => {
      so_far = SoFar.safeParse(result).data?.so_far ?? so_far;
    },
  );
  const lost = (reason: string) => (so_far ? readAnswer(question, { ...so_far, reason }) : noAnswer(question, reason));
  if (reply === "expired") return lost("the time ran out");
  const { end } = reply;
  if (end.kind === "result") return readAnswer(question, end.result);
  if (end.kind === "error" && end.error.kind === "refused") throw programFault(end.error, [], []);
  if (end.kind === "error" && end.error.log) console.error(end.error.log);
  return lost(end.kind === "deadline" ? "the time ran out" : `the process that answers it failed${lostBy(end)}`);
}

/** The part of an answer that a process sends before it ends: `Teller` in `questions/ask.py`. */
const SoFar = z.object({ so_far: z.looseObject({ over: z.array(z.string()) }) });

/** Converts the options to the runner's form. */
function requestOf({
  solver,
  all_solutions,
  max_solutions,
  why,
  names,
  hint,
  case_data,
}: SolveOptions): Record<string, unknown> {
  const solutions = max_solutions ?? (all_solutions ? model_limits.solutions_max : undefined);
  return {
    ...(solver !== undefined && { solver }),
    ...(solutions !== undefined && { solutions }),
    ...(why && { why }),
    ...(names && { names }),
    ...(hint && { hint }),
    ...(case_data && { case_data }),
  };
}

/** A process's report about a better solution: `News` in `languages/news.py`. */
const Incumbent = z.object({
  incumbent: z.number(),
  search: z.int(),
  seconds: z.number(),
  bound: z.number().optional(),
  ago_seconds: z.number().optional(),
});

/** Passes on a better solution that was found during the search. */
function tellIncumbent(result: unknown, news: SolveContext["news"]): void {
  const read = Incumbent.safeParse(result);
  if (!read.success) return;
  const { incumbent: objective, search, seconds, bound, ago_seconds: ago_s } = read.data;
  news(betterWords(objective, seconds, bound), { objective, bound, ago_s, search });
}

const never_begun =
  "Solving was not started: no process was free and ready within the time limit. The first call loads its language's packages, and may have installed them; the next one is faster.";

/** How a claim is processed after the program has run, by processes that never ran it. */
interface AfterRun {
  readonly recheck: (claim: Claim) => Promise<Rechecked>;
  readonly explain: (outcome: Outcome, claim: Claim) => Promise<Outcome>;
  readonly answer: (outcome: Outcome, claim: Claim) => Promise<Outcome>;
}

async function outcomeOf(
  id: string,
  hints: readonly Hint[],
  reply: ProgramReply,
  { recheck, explain, answer }: AfterRun,
): Promise<Outcome> {
  const version = reply.versions[id];
  const common = {
    output: outputOf(reply),
    engine: `${id}${version === undefined ? "" : ` ${version}`} (python)`,
  };
  const { end } = reply;
  if (end.kind === "error" && end.error.kind !== "memory") throw programFault(end.error, hints, common.output);
  if (end.kind === "died") throw died(end);
  if (end.kind !== "result") return { verdict: limitReached(limitOf(end)), statistics: {}, warnings: [], ...common };
  const claim = readClaim(end.result);
  const engine = claim.engine === undefined ? common.engine : `${claim.engine} by ${common.engine}`;
  const outcome = { ...(await recheck(claim)), ...common, engine };
  return answer(await explain(outcome, claim), claim);
}

function limitOf({ kind }: Exclude<JobEnd, { kind: "result" | "died" }>): Limit {
  if (kind === "deadline") return "time";
  return kind === "output" ? "output" : "memory";
}

function outputOf({ printed }: ProgramReply): string[] {
  return printed === "" ? [] : printed.replace(/\n$/, "").split("\n");
}

/**
 * Creates the fault for a program's error, with its position, how to correct it, and what was known and printed before
 * it.
 */
function programFault(error: ProgramError, hints: readonly Hint[], output: readonly string[]): Fault {
  if (error.log) console.error(error.log);
  if (error.kind === "internal" || error.kind === "unprintable") {
    return new Fault(
      "engine_failed",
      `The engine failed on this model (${error.type ?? error.kind}: ${error.message}).`,
      ["simplify the most recently added item", "export only numbers, strings, and lists and dictionaries of these"],
    );
  }
  const before = beforeFault(error, output);
  if (error.kind === "refused")
    return refusal({ ...error, code: error.code ?? "input_rejected" }, positionOf(error), before);
  const code = error.type === "PermissionError" ? "forbidden" : "input_rejected";
  const steps = hintsFor(error, hints);
  return refusal(
    { code, message: `${error.type}: ${error.message || "no message"}`, steps },
    positionOf(error),
    before,
  );
}

/** How far a program had got when an exception ended it. */
interface Before {
  readonly last_verdict?: string;
  /** The last lines of the program's output. */
  readonly output?: readonly string[];
}

function beforeFault({ last_verdict }: ProgramError, printed: readonly string[]): Before {
  const output = fitPrinted(printed, model_limits.fault_output_chars_max);
  return { ...(last_verdict !== undefined && { last_verdict }), ...(output.length > 0 && { output }) };
}

function beforeWords({ last_verdict, output }: Before): string {
  const solved = last_verdict === undefined ? "" : ` The program's answer before it was ${last_verdict}.`;
  const printed = output ? ` The program printed:\n${output.map((line) => `| ${line}`).join("\n")}` : "";
  return `${solved}${printed}`;
}

interface Refusal {
  readonly code: "syntax_error" | "forbidden" | "input_rejected" | "invalid_argument";
  readonly message: string;
  readonly steps: readonly Step[];
}

function refusal({ code, message, steps }: Refusal, position: Position | undefined, before: Before = {}): Fault {
  const where = position?.item === undefined ? "" : `Item ${position.item}, line ${position.line}: `;
  const place =
    position && position.item !== undefined
      ? { item: position.item, line: position.line, column: position.column }
      : undefined;
  return new Fault(code, { where, what: `${message}${beforeWords(before)}` }, steps, place, { ...before });
}

function positionOf({ item, line }: ProgramError): Position | undefined {
  return item === undefined ? undefined : { item, line: line ?? 1, column: 1 };
}

function died({ how, from_outside }: Extract<JobEnd, { kind: "died" }>): Fault {
  const of_a_crash = [
    "make the model or its numbers smaller",
    "state the same constraints differently, or try another solver",
    again("send the call again: the cause may be temporary"),
  ];
  return new Fault(
    "engine_failed",
    `The process that ran the model exited without an answer: ${how}. Nothing was decided.`,
    from_outside === "suspended"
      ? [again("send the call again: the model is not the cause")]
      : from_outside === "killed"
        ? after_a_kill
        : of_a_crash,
  );
}
