import * as z from "zod/v4";
import { type Model, modelText } from "../../engines/smt/read.ts";
import { SlowNote } from "../../engines/wasm/slow_note.ts";
import { type Claim, no_number, type Optimum, shownValue } from "../../evidence/smtlib/optimum.ts";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { cut, cutAll } from "../../kernel/text/cut.ts";
import { cutNote, fitListing, fitSolution, isZero, type Room, roomFor } from "../../kernel/text/fit.ts";
import { visibleLine } from "../../kernel/text/visible.ts";
import { timeout_ms } from "../../kernel/timeout.ts";
import { annotated, defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import { limitReached } from "../../kernel/verdict.ts";
import { reasonShown } from "../reason_shown.ts";
import { solveAlone } from "./engines/alone.ts";
import { type Checked, crossCheck } from "./engines/cross_check.ts";
import { race } from "./engines/race.ts";
import type { Question, Solved, Team } from "./engines/solve.ts";
import { orInMinizinc } from "./engines/theories.ts";
import { smtlib_limits } from "./limits.ts";
import { type Core, plainName } from "./minimise.ts";
import { type Plan, planRun } from "./plan.ts";
import type { Outcome, Printed, SmtVerdict } from "./run.ts";
import { excerpt } from "./script/commands.ts";
import { missing_script, readScript } from "./script/script.ts";

/** Creates the input schema; `names` lists the solvers besides Z3. */
function inputOf(names: readonly string[]) {
  const engines = ["auto", "z3", ...names, "all"];
  return z.strictObject({
    smtlib: z
      .string({ error: missing_script })
      .refine((text) => text.length <= smtlib_limits.script_chars_max, {
        error: `Parameter "smtlib" is longer than ${smtlib_limits.script_chars_max} characters. Make the script smaller.`,
        abort: true,
      })
      .refine((text) => text.trim() !== "", { error: missing_script })
      .describe("SMT-LIB 2 script: declarations, assertions, (check-sat)."),
    timeout_ms,
    explain_unsat: z
      .boolean({ error: 'Parameter "explain_unsat" must be true or false.' })
      .default(false)
      .describe("On unsat: name all assertions by line and minimise the core."),
    engine: z
      .enum(engines, { error: `Parameter "engine" must be one of: ${engines.join(", ")}.` })
      .default("auto")
      .describe("auto: Z3, others join when it is slow. all: cross-check."),
  });
}

const output = z.object({
  status: z.enum(["sat", "unsat", "unknown"]).describe("Answer to the last check."),
  output: z.string().describe("`; status`, then what Z3 printed."),
  reason: z.string().optional().describe("Why unknown; `timeout` is not a verdict."),
  transcript: z.array(z.object({ line: z.int().optional(), command: z.string(), output: z.string() })),
  objectives: z.array(z.object({ term: z.string(), value: z.string() })).optional(),
  optimal: z.boolean().optional().describe("True: proved best."),
  unsat_core: z.array(z.object({ name: z.string(), line: z.int().optional(), text: z.string() })).optional(),
  model: z.record(z.string(), z.string()).optional(),
  warnings: z.array(z.string()),
  engine: z.string(),
  confirmed_by: z.array(z.string()).optional(),
  unconfirmed: z.string().optional(),
  time_ms: z.int(),
});

type Answer = z.output<typeof output>;

/** `solve_smtlib`: runs all commands in a script, and reports the verdict of its last check. */
export function solveSmtlib(team: Team): Tool {
  const slow = new SlowNote();
  return defineTool({
    name: "solve_smtlib",
    description:
      "Decide an SMT-LIB 2 script with Z3: sat with a model, unsat with a core, or unknown with the reason. Assertions, push/pop, get-value, minimize/maximize and assert-soft work. Prove P: (assert (not P)) is unsat. More: verdict://guide/smtlib.",
    annotations: annotated("Solve SMT-LIB", "reads"),
    input: inputOf(team.others.map(({ name }) => name)),
    output,
    listed_output: ["status", "model"],
    limit_ms: ({ timeout_ms }) => timeout_ms,
    needs: ({ engine }) => (engine === "auto" || engine === "z3" ? "smtlib" : "smtlib_more"),
    async run({ smtlib, timeout_ms, explain_unsat: explain, engine }, context) {
      const { deadline, progress } = context;
      const start = performance.now();
      const { solved, ...checked } = await faultsOnOneLine(() => {
        const question = { plan: planRun(readScript(smtlib), explain), explain, deadline };
        return decide(team, engine, question, progress);
      });
      const time_ms = Math.round(performance.now() - start);
      const answer =
        solved === "expired"
          ? expired(engine, timeout_ms, time_ms)
          : answerOf(solved, timeout_ms, time_ms, roomFor(context));
      const warnings = [...answer.warnings, ...slow.about(answer.engine, time_ms)];
      return { ...answer, ...checked, warnings };
    },
    render,
    remark_sign: "; ",
  });
}

/** Escapes the line ends of names in faults, so that a name can't look like a line of an answer. */
async function faultsOnOneLine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown.onOneLine() : thrown;
  }
}

async function decide(
  team: Team,
  engine: string,
  question: Question,
  progress: (message: string) => void,
): Promise<Checked> {
  if (engine === "all") {
    progress("all engines are solving");
    return crossCheck(team, question, progress);
  }
  progress(`${engine === "auto" || engine === "z3" ? "Z3" : engine} is solving`);
  if (engine === "auto") return { solved: await race(team, question) };
  return { solved: await solveAlone(team, engine, question, progress) };
}

const timeout = reasonShown(limitReached("time"));

/** Returns the answer if the time ran out before a solver was free and ready. */
function expired(solver: string, timeout_ms: number, time_ms: number): Answer {
  const engine = solver === "auto" || solver === "all" ? "z3" : solver;
  const waited = "No solver became free within the time limit; this script was not started.";
  return {
    status: "unknown",
    output: `; unknown\n${timeoutLine(engine, timeout_ms)}`,
    reason: timeout,
    transcript: [],
    warnings: [waited],
    engine,
    time_ms,
  };
}

/** Returns, as a comment, the timeout message that clients of earlier servers know. */
function timeoutLine(engine: string, timeout_ms: number): string {
  const solver = engine.startsWith("z3") ? "Z3" : engine.split(" ")[0];
  return `; ${solver} solver timed out after ${timeout_ms}ms. Try: (1) simplify constraints, (2) reduce variables, or (3) increase timeout_ms parameter.`;
}

function answerOf(solved: Solved, timeout_ms: number, time_ms: number, room: Room): Answer {
  const { plan, outcome, core, lacks_core, optimum, engine } = solved;
  const chars_max = room(limits.answer_chars_max);
  const { status, lines, reason, short = [], ...fields } = rendered(outcome, plan, core, room);
  const checks = plan.steps.filter(({ kind }) => kind === "check");
  const text = [
    `; ${status}${checks.length > 1 ? ` (check ${checks.length} of ${checks.length}, line ${checks.at(-1)?.command?.line})` : ""}`,
    ...(reason === timeout ? [timeoutLine(engine, timeout_ms)] : []),
    ...(checks.length > 1 ? inOrder(outcome.printed, lines) : [...lines, ...ofOneCheck(outcome.printed)]),
  ].map(withVisibleNames);
  const answers = cutAll(
    outcome.transcript.map(({ output }) => withVisibleNames(output)),
    chars_max,
  );
  return {
    status,
    output: cut(text.join("\n").trim(), chars_max),
    ...(reason !== undefined && { reason }),
    transcript: outcome.transcript.map((entry, i) => ({ ...entry, output: answers[i] ?? "" })),
    ...fields,
    ...(optimum && { optimal: isBest(outcome.verdict, optimum) }),
    warnings: [
      ...plan.script.warnings,
      ...plan.warnings,
      ...outcome.warnings,
      ...short,
      ...remarks(outcome, core, lacks_core),
      ...(outcome.verdict.kind === "unsat" ? remarkOnNoNames(plan) : []),
      ...(optimum ? remarksOnOptimum(plan, outcome.verdict, optimum) : []),
    ],
    engine,
    time_ms,
  };
}

/** Escapes line ends and control characters in quoted names, so that a name can't look like a line of the answer. */
function withVisibleNames(text: string): string {
  return text.replaceAll(/;[^\n]*|"[^"]*"|\|[^|]*\|/g, (word) => (word.startsWith("|") ? visibleLine(word) : word));
}

/** A verdict in the wire format, and the lines that show its model or core. */
interface Rendered extends Pick<Answer, "status" | "reason" | "objectives" | "unsat_core" | "model"> {
  readonly lines: readonly string[];
  /** What is omitted from the model. */
  readonly short?: readonly string[];
}

function rendered({ verdict, asked }: Outcome, plan: Plan, smaller: Core | undefined, room: Room): Rendered {
  switch (verdict.kind) {
    case "sat": {
      const { witness, objectives } = verdict;
      const model = "not_shown" in witness || !plan.shows_model ? undefined : witness;
      const values = { ...model?.values, ...Object.fromEntries(asked) };
      return {
        status: "sat",
        lines: model ? [modelShown(model)] : [],
        ...(objectives && {
          objectives: objectives.map((each) => ({ term: each.term, value: shownValue(each, plan.priority) })),
        }),
        ...(model || asked.size > 0 ? fittedModel(values, room(limits.answer_values_chars_max)) : {}),
      };
    }
    case "unsat": {
      const members = smaller?.members ?? verdict.core;
      if (!members) return { status: "unsat", lines: [] };
      const unsat_core = members.map((member) => coreMember(plan, member));
      return { status: "unsat", lines: [`(${members.join(" ")})`], unsat_core };
    }
    case "undecided":
      return { status: "unknown", lines: [], reason: reasonShown(verdict) };
    default:
      return verdict satisfies never;
  }
}

/**
 * Lists everything that a script with one check printed, except the check's answer, which is shown first, followed by
 * its model.
 */
function ofOneCheck(printed: readonly Printed[]): string[] {
  return printed.flatMap(({ text, check }) => (check ? [] : [text]));
}

/** Lists what a script with several checks printed: each answer in its place, the last one with its model or core. */
function inOrder(printed: readonly Printed[], shown: readonly string[]): string[] {
  return printed.flatMap(({ text, check }) =>
    check ? [`; ${nameOfCheck(check.number, check.line)}`, text, ...(check.last ? shown : [])] : [text],
  );
}

function nameOfCheck(number: number, line: number | undefined): string {
  return `check ${number}${line === undefined ? "" : `, line ${line}`}`;
}

/** Formats a model as the solver prints it; for a large model, shows the definitions whose value is not 0 or false. */
function modelShown({ definitions, values }: Model): string {
  const all = Object.values(values);
  const { shown, left_out } = fitListing(definitions, all.length === definitions.length ? all.map(isZero) : []);
  return modelText(left_out === undefined ? shown : [...shown, `  ; not shown: ${left_out}; ${rest_of_model}`]);
}

const rest_of_model = "(get-value (a b)) after (check-sat) shows those that you name";

function fittedModel(values: Readonly<Record<string, string>>, chars_max: number): Pick<Rendered, "model" | "short"> {
  const fitted = fitSolution(values, chars_max);
  const model = Object.fromEntries(Object.entries(fitted.values).map(([name, value]) => [name, String(value)]));
  return { model, short: cutNote(fitted, chars_max, rest_of_model) };
}

function coreMember(plan: Plan, member: string): { name: string; line?: number; text: string } {
  const name = plainName(member);
  const command = plan.assertions.find((assertion) => assertion.name === name)?.command;
  return command ? { name, line: command.line, text: excerpt(plan.script.text, command.node) } : { name, text: member };
}

/** Returns what a reader of the answer should know in addition to the verdict. */
function remarks({ verdict }: Outcome, core: Core | undefined, lacks_core: boolean): string[] {
  switch (verdict.kind) {
    case "sat":
      return [];
    case "unsat":
      return remarksOnCore(verdict.core, core, lacks_core);
    case "undecided":
      return verdict.cause === "time" ? [] : ["unknown is not a verdict: neither sat nor unsat was proved."];
    default:
      return verdict satisfies never;
  }
}

/** Returns a remark if a core is requested although no assertion has a name; a core consists of named assertions. */
function remarkOnNoNames({ wants_core, script }: Plan): string[] {
  if (wants_core || script.commands.every(({ head }) => head !== "get-unsat-core")) return [];
  return ["No core: no assertion has a name. Set explain_unsat to name them all."];
}

function isBest(verdict: SmtVerdict, optimum: Optimum): boolean {
  const values = verdict.kind === "sat" ? (verdict.objectives ?? []) : [];
  return optimum.kind === "best" && !values.some(({ value }) => no_number.test(value));
}

function remarksOnOptimum(plan: Plan, verdict: SmtVerdict, optimum: Optimum): string[] {
  const claims = verdict.kind === "sat" ? (verdict.objectives ?? []) : [];
  const is_proved = optimum.kind === "best";
  return [
    ...claims.flatMap((claim) => remarkOnValue(claim, is_proved)),
    ...remarksOnConfirmation(plan, claims, optimum),
  ];
}

/**
 * Returns a remark on an unusual objective value. Without a proof, an infinite value only means that Z3 found no bound;
 * Z3 reports one even where the optimum is the root of 2.
 */
function remarkOnValue({ term, value }: Claim, is_proved: boolean): string[] {
  if (value.startsWith("(interval"))
    return [`The objective ${term} was not fully optimised: its best value is in ${value}.`];
  if (/\boo\b/.test(value))
    return [
      is_proved
        ? `The objective ${term} is unbounded: for every model there is a better one.`
        : `Z3's optimiser found no bound for the objective ${term}; there may be one.`,
    ];
  if (/epsilon/.test(value))
    return [
      is_proved
        ? `The objective ${term} has no best value: it approaches ${value} without reaching it.`
        : `Z3's optimiser returned no number for the objective ${term}, but ${value}; there may be a best value.`,
    ];
  return [];
}

function remarksOnConfirmation(plan: Plan, claims: readonly Claim[], optimum: Optimum): string[] {
  if (optimum.kind === "best") return [];
  if (optimum.kind === "undecided")
    return [
      "The reported objective values are not proved: Z3's optimiser is not complete for such constraints, and a check without it was undecided. Bound the objective with an assertion and solve again, or allow the call more time.",
    ];
  if (optimum.kind === "best_found")
    return [
      `${claims.length > 0 ? "The values of the objectives are the best that were found, and not proved best" : "The objectives have no part in it, since one has a name inside or can't be written as a term: this is any model of the assertions"}. Raise timeout_ms${orInMinizinc(plan.script.contents)}.`,
    ];
  const better = claims.map(({ term }, i) => `${term} = ${optimum.values[i]}`).join(", ");
  const only = claims.length === 1 ? optimum.values[0] : undefined;
  const order = plan.goals?.[0]?.largest ? ">=" : "<=";
  const way = only ? `assert (${order} ${claims[0]?.term} ${only})` : "assert these values";
  return [
    `The objectives are not optimal: Z3's optimiser stopped early, and a check without it found ${better}${optimum.is_best ? ", which is proved best" : ", which may not be the best either"}. To see that model, ${way} and remove the objectives.`,
  ];
}

function remarksOnCore(
  core_reported: readonly string[] | undefined,
  core: Core | undefined,
  lacks_core: boolean,
): string[] {
  if (lacks_core) return ["No core: Z3 decided unsat only without tracking the assertions. The verdict holds."];
  if (core) return core.minimal ? [] : ["The core might not be minimal: the check of a smaller core timed out."];
  return core_reported?.length === 0
    ? [
        "The core is empty: the assertions without a name already contradict each other. Set explain_unsat to name them all.",
      ]
    : [];
}

function render(answer: Answer): Rendering {
  const notes = [
    ...(answer.reason ? [`reason: ${answer.reason}`] : []),
    ...(answer.optimal ? ["optimal: proved best"] : []),
    ...(answer.confirmed_by ? [`confirmed by ${answer.confirmed_by.join(", ")}`] : []),
    ...(answer.unconfirmed !== undefined ? [`unconfirmed: ${answer.unconfirmed}`] : []),
    ...(answer.unsat_core ?? []).flatMap(({ name, line, text }) =>
      line === undefined ? [] : [`core: ${name} is line ${line}: ${text}`],
    ),
    ...answer.warnings.map((warning) => `note: ${warning}`),
  ];
  return notes.length > 0 ? [answer.output, notes.map((note) => `; ${visibleLine(note)}`).join("\n")] : [answer.output];
}
