import { boundIn } from "../../../../engines/minizinc/read.ts";
import { DOUBT_REASONS, mayHaveFloats } from "../../../../evidence/flatzinc/trust.ts";
import { optimises } from "../../../../evidence/minizinc/asking.ts";
import { type Decision, nameOf, type Solved, type Unsolved } from "../../../../evidence/minizinc/decide.ts";
import type { Accepted } from "../../../../evidence/minizinc/judge.ts";
import type { Reply } from "../../../../evidence/minizinc/question.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { undefinedOnFailure } from "../../../../kernel/fault.ts";
import type { Items } from "../../items/items.ts";
import { type Found, notBegun, type Open, type Outcome } from "../../language.ts";
import { othersThan } from "./choice.ts";
import { findConflict } from "./explain/conflict.ts";
import { partOf, partsOf, type Solving } from "./explain/part.ts";
import { remarkText } from "./faults.ts";
import type { Call } from "./model.ts";
import { additions, ignoredGoals, placeOfDoubt, readModel } from "./model.ts";
import { doubtNote, limitNote, nextStep, no_conflict_note, shownStatistics } from "./remarks.ts";
import { indexNames } from "./source/index_names.ts";
import { plainValues } from "./values.ts";

/** Builds the outcome for a finding, including the conflicting items if the model is unsatisfiable. */
export async function outcomeOf(
  call: Call,
  { reply, decision, notes, by }: Accepted,
  solving: (part: Call) => Pick<Solving, "claimed" | "decided">,
): Promise<Outcome> {
  const common = { ...commonOf(call, reply, decision), ...(by && { engine: `minizinc ${call.build.version}, z3` }) };
  const warnings = [...notes, ...common.warnings];
  if (decision.kind === "sat")
    return {
      ...common,
      verdict: foundOf(call, decision, reply),
      warnings: [...warnings, ...remarksOn(call, decision, reply)],
    };
  if (decision.kind === "undecided")
    return { ...common, verdict: openOf(decision), warnings: [...warnings, ...whyOpen(call, decision, reply)] };
  if (by) return { ...common, verdict: { kind: "unsat" }, warnings: [...warnings, no_conflict_note] };
  call.context.progress("looking for the constraints that conflict");
  const { solver, data } = reply.question;
  const { deadline } = call.context;
  const part = (items: Items, until: Deadline) =>
    solving(partOf({ ...call, data }, readModel(items), until, { solver }));
  const { items, warnings: open } = await findConflict(call.model, {
    claimed: async (items, time_ms) =>
      (await part(items, deadline.atMost(time_ms)).claimed().catch(undefinedOnFailure)) ?? "open",
    confirmed: async (items) => (await part(items, deadline).decided().catch(undefinedOnFailure)) === "unsat",
    left_ms: () => deadline.left_ms,
    casesOf: (statements) => partsOf(statements, { ...call, data, deadline }),
  });
  return {
    ...common,
    verdict: { kind: "unsat", ...(items && { core: { items } }) },
    warnings: [...warnings.filter((each) => !items || !each.endsWith(known_conflict)), ...open],
  };
}

/** The end of MiniZinc's warning about a line that is unsatisfiable, which adds nothing to a list of conflicting lines. */
const known_conflict = "model inconsistency detected";

function commonOf(
  call: Call,
  { answer, question, also_ran = [] }: Reply,
  { kind }: Decision,
): Pick<Outcome, "statistics" | "output" | "warnings" | "engine"> {
  // A rejected solution's text is omitted, since it could be mistaken for accepted values.
  const text = kind === "sat" ? (answer.solutions.at(-1)?.text ?? "") : "";
  return {
    statistics: { ...shownStatistics(answer.statistics), ...(also_ran.length > 0 && { also_ran }) },
    output: [...answer.traces, text].flatMap((part) => (part === "" ? [] : part.replace(/\n$/, "").split("\n"))),
    warnings: [
      ...additions(call.model),
      ...ignoredGoals(call.model),
      ...answer.warnings.map((warning) => remarkText(warning, call.model.lines)),
    ],
    engine: `minizinc ${call.build.version}, ${nameOf(question.solver)}${workerWords(answer.workers)} (${call.build.kind})`,
  };
}

function workerWords(workers: number | undefined): string {
  if (workers === undefined) return "";
  return workers === 1 ? " with one worker" : ` with ${workers} workers`;
}

function foundOf(call: Call, { witness, proved, doubt }: Solved, { answer, question }: Reply): Found {
  const { solutions, statistics } = answer;
  // For a linear programme, HiGHS reports 0 as the bound.
  const bound = proved || doubt.length > 0 ? undefined : boundIn(statistics);
  const values = plainValues(witness.values);
  const index_names = indexNames(call.model.statements, call.context.options.data, values);
  return {
    kind: "sat",
    witness: { values },
    ...(Object.keys(index_names).length > 0 && { index_names }),
    ...(optimises(call.model) && { best: { value: witness.objective ?? null, proved } }),
    ...(optimises(call.model) && bound !== undefined && { objective_bound: bound }),
    ...(question.solutions_max !== undefined && { solutions: solutions.map(({ values }) => plainValues(values)) }),
  };
}

/** Explains why there is no verdict, and suggests next steps. */
function whyOpen(call: Call, { why, doubt, cause, cut_by }: Unsolved, reply: Reply): string[] {
  const { question } = reply;
  const reach = doubt.filter((each) => each.reason === DOUBT_REASONS.reach).map(({ what }) => what);
  const position = reach.length > 0 ? placeOfDoubt(call.model, reach, question.solver) : undefined;
  const others = othersThan(reply, call.build);
  const is_cut = cause === "time" || cut_by === "time";
  const next = cause === "unconfirmed" && others.length > 0 ? [`Use another solver: ${others.join(", ")}.`] : [];
  return [
    ...why,
    ...next,
    ...(is_cut ? [nextStep(others, mayHaveFloats(question.source))] : []),
    ...(doubt.length > 0 ? [doubtNote(doubt, nameOf(question.solver), others, position)] : []),
  ];
}

/** Returns remarks that a reader needs in addition to the values. */
function remarksOn(call: Call, { proved, limit, doubt }: Solved, reply: Reply): string[] {
  const { question, solutions_seen } = reply;
  const { all_solutions, max_solutions } = call.context.options;
  const many = question.solutions_max !== undefined;
  const others = othersThan(reply, call.build);
  return [
    // If any solution will do, a single solution is a complete answer, however the run ended.
    ...(limit !== undefined && (many || optimises(call.model))
      ? [limitNote(limit, optimises(call.model), nextStep(others, mayHaveFloats(question.source)))]
      : []),
    ...(doubt.length > 0 && (optimises(call.model) || many)
      ? [`Only these values were found; nothing more is proved. ${doubtNote(doubt, nameOf(question.solver), others)}`]
      : []),
    ...(many && proved ? [`These are all solutions: ${solutions_seen}.`] : []),
    ...(many && !proved && limit === undefined ? [`There may be more than these ${solutions_seen} solutions.`] : []),
    ...((all_solutions || max_solutions !== undefined) && optimises(call.model)
      ? ["The model has an objective, so only its best solution is returned. For all solutions, use `solve satisfy`."]
      : []),
  ];
}

/** Keeps only the fields that all languages share. */
function openOf({ kind, cause, reason, cut_by }: Unsolved): Open {
  return { kind, cause, reason, cut_by };
}

/** Returns the outcome if time ran out before a process was free and ready. */
export function neverBegun(): Outcome {
  return notBegun("minizinc", "No process became free within the time limit; solving was not started.");
}
