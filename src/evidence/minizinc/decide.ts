import type { Solution, Status } from "../../engines/minizinc/read.ts";
import type { TaskEnd } from "../../engines/minizinc/task.ts";
import { cancelled } from "../../kernel/fault.ts";
import { linesOf } from "../../kernel/text/lines.ts";
import { type Limit, limitReached, type Sat, type Undecided, type Unsat, undecided } from "../../kernel/verdict.ts";
import { type Claim, claimOn } from "../flatzinc/claim.ts";
import type { FlatZinc } from "../flatzinc/parse.ts";
import {
  DOUBT_REASONS,
  type Doubt,
  doubtsOn,
  hasFloats,
  kindOf,
  looseTruths,
  namesFloats,
  namesLarge,
} from "../flatzinc/trust.ts";
import { namesWithValue } from "./declarations.ts";
import { defectsIn, losesOwnValues } from "./defects.ts";
import { type Compiled, type Reply, readable } from "./question.ts";
import { statementsOf } from "./statements.ts";

/** The accepted part of a run's result. */
export type Decision = Solved | Unsat<never> | Unsolved;

/** The decision if solutions were found; the last one is the best. */
export interface Solved extends Sat<Solution> {
  /** Whether the solution is proved optimal, or the list of solutions is proved complete. */
  readonly proved: boolean;
  /** The limit that ended the search. */
  readonly limit: Limit | undefined;
  /** Why the solver's claim about the values, such as their optimality, is not accepted. */
  readonly doubt: readonly Doubt[];
}

export interface Unsolved extends Undecided {
  /** The limit that ended the search, if the result is undecided for another reason. */
  readonly cut_by?: Limit | undefined;
  readonly why: readonly string[];
  /** Why the solver's claim is not accepted. */
  readonly doubt: readonly Doubt[];
}

/** Returns the reasons to reject a solver's answer; empty if the answer is accepted. */
export function doubtOf(decision: Decision): readonly Doubt[] {
  return decision.kind === "unsat" ? [] : decision.doubt;
}

/** A run that ended without an answer. */
export interface Crash {
  readonly kind: "crashed";
  readonly how: string;
  /** What the solver printed. */
  readonly text: string;
  /** The numbers of the model that are outside the solver's range, a possible cause. */
  readonly reach: readonly string[];
}

/**
 * Reads a run's verdict. `proved` means that the solution is optimal, or that the list of solutions is complete. Only a
 * run that ended normally proves anything. MiniZinc's errors are handled earlier. Raises `cancelled`.
 */
export function decide(reply: Reply): Decision | Crash {
  const { answer, solutions_seen, end } = reply;
  const { ending } = end;
  if (isCancelled(reply)) throw cancelled();
  const limit = limitOf(reply);
  const ended_well = ending.kind === "exited" && ending.code === 0;
  const doubt = doubtsOf(reply);
  const is_contradiction = solutions_seen > 0 && answer.status === "UNSATISFIABLE";
  if ((!ended_well && limit === undefined) || (ended_well && answer.status === "ERROR") || is_contradiction) {
    const how = is_contradiction
      ? "it reported a solution and then that there is none"
      : ended_well
        ? "it reported an error"
        : howItEnded(end);
    const reach = doubt.filter(({ reason }) => reason === DOUBT_REASONS.reach).map(({ what }) => what);
    return { kind: "crashed", how, text: errorText(reply), reach };
  }
  const witness = answer.solutions.at(-1);
  if (witness) {
    const proved = ended_well && (answer.status === "OPTIMAL_SOLUTION" || answer.status === "ALL_SOLUTIONS");
    return { kind: "sat", witness, proved: proved && doubt.length === 0, limit, doubt };
  }
  if (!ended_well || answer.status !== "UNSATISFIABLE") return unsolved(reply, limit);
  const [first] = doubt;
  return first ? { ...undecided("doubted", first.reason), why: [], doubt } : { kind: "unsat" };
}

function isCancelled({ end: { ending } }: Reply): boolean {
  return ending.kind === "stopped" && (ending.why === "cancelled" || ending.why === "closed");
}

/** The decision of a run; undefined if it crashed or was cancelled. */
export function decisionOf(reply: Reply): Decision | undefined {
  const decision = isCancelled(reply) ? undefined : decide(reply);
  return decision?.kind === "crashed" ? undefined : decision;
}

/** Describes how a run's process ended. */
export function howItEnded({ ending }: TaskEnd): string {
  if (ending.kind === "exited") return `exit code ${ending.code}`;
  if (ending.kind === "not_started") return `it could not be started: ${ending.detail}`;
  return ending.kind === "signalled" ? `signal ${ending.signal}` : ending.kind;
}

/** Solvers' messages about constraints that they do not support, or about variables that need bounds. */
const inability =
  /cannot handle|Constraint \w+ not found|Aborted|not supported|Unable to create linear|unable to linearize|needs? finite (?:upper |lower )?bounds?|unbounded|infinite|cannot be linearized|out of limits/i;

/** Gecode's remarks on unbounded variables, which it prints even if it can continue. */
const remark = /^.*Warning: Unbounded variable.*$/gm;

/**
 * Whether another solver may succeed after this one failed: this one does not support the model, or it crashed without
 * a message, as the embedded Chuffed does on powers.
 */
export function isUnable({ answer, end, solutions_seen }: Reply): boolean {
  if (solutions_seen > 0 || end.ending.kind !== "exited") return false;
  if (answer.errors.length > 0)
    return inability.test([end.stderr, ...answer.errors.map(({ message }) => message)].join(" "));
  return end.ending.code < 0 || (end.ending.code !== 0 && inability.test(end.stderr.replaceAll(remark, "")));
}

/** The limit that ended the run, if one did. */
function limitOf({ end, ms, answer, question }: Reply): Limit | undefined {
  const { ending } = end;
  if (ending.kind === "stopped") return ending.why === "memory" || ending.why === "output" ? ending.why : "time";
  if (/\bOOM\b|out of memory|bad_alloc|enlarge memory|memory access out of bounds/i.test(end.stderr)) return "memory";
  const settled = answer.status !== undefined && answer.status !== "UNKNOWN";
  return ending.kind === "exited" && ending.code === 0 && !settled && ms >= question.time_ms ? "time" : undefined;
}

function unsolved({ answer }: Reply, limit: Limit | undefined): Unsolved {
  if (limit !== undefined) return { ...limitReached(limit), why: remedies[limit], doubt: [] };
  const [cause, reason, why] = (answer.status && open_ends[answer.status]) ?? no_verdict;
  return { ...undecided(cause, reason), why: [why], doubt: [] };
}

type OpenEnd = readonly [cause: "unbounded" | "incomplete", reason: string, step: string];

const no_verdict: OpenEnd = [
  "incomplete",
  "the solver gave no verdict",
  "Try another solver, or bound the variables more tightly.",
];

/** The meaning of other statuses without a verdict. */
const open_ends: Readonly<Partial<Record<Status, OpenEnd>>> = {
  UNBOUNDED: [
    "unbounded",
    "unbounded",
    "The objective is unbounded: it can always be improved. Bound the variables in it.",
  ],
  UNSAT_OR_UNBOUNDED: [
    "unbounded",
    "unsatisfiable or unbounded",
    "Bound the variables of the objective, and solve again to see which.",
  ],
};

/** The suggested step for each limit; the answer itself suggests a step for the time limit. */
const remedies: Readonly<Record<Limit, readonly string[]>> = {
  time: [],
  memory: [
    "Compiling or solving the model reached the memory limit: make arrays, index sets and domains smaller, or replace nested loops with one global constraint.",
  ],
  output: ["The solver's output reached its limit: ask for fewer solutions, or print less with output and trace."],
};

/**
 * Finds the reasons not to accept a verdict; see defects.ts and trust.ts. A killed run may have left no compiled model.
 */
function doubtsOf(reply: Reply): Doubt[] {
  return [
    ...defectsIn(reply.question, reply.answer),
    ...[lostByLibrary, wronglyLinked, doubtsOfRun].flatMap((find) => find(reply)),
  ];
}

/**
 * Finds constraints that a linear solver's library made false. The library tabulates all powers of two domains, and if
 * one of these powers is undefined, the whole constraint becomes false. A warning is the only sign of this.
 */
function lostByLibrary({ answer }: Reply): Doubt[] {
  return losesOwnValues(answer)
    ? [{ reason: DOUBT_REASONS.library, what: "an undefined value of its own made a constraint false" }]
    : [];
}

/**
 * Finds displayed truth values that are not linked to the solver's numbers. Linear solvers receive numbers instead of
 * truth values, and MiniZinc can lose the constraint that links such a number to the displayed variable.
 */
function wronglyLinked({ question, compiled }: Reply): Doubt[] {
  const model = readable(compiled);
  if (kindOf(question.solver) !== "linear" || !model) return [];
  const names = looseTruths(model, namesWithValue(statementsOf([question.source])));
  return names.map((name) => ({ reason: DOUBT_REASONS.misstated, what: `${name}, whose value it does not get` }));
}

function doubtsOfRun(reply: Reply): Doubt[] {
  const { compiled, question, answer, solutions_seen } = reply;
  const { solver, source, data } = question;
  if (compiled === "unreadable") return [{ reason: DOUBT_REASONS.reach, what: "the compiled model can't be read" }];
  const is_decided = !reply.is_clear && isDecidedByCompiler(reply);
  if (compiled && !isFoundWhileCompiling(compiled)) {
    const best = answer.status === "OPTIMAL_SOLUTION" ? answer.solutions.at(-1)?.objective : undefined;
    const compiler = is_decided ? [{ reason: DOUBT_REASONS.compiler, what: "its decimals are parameters" }] : [];
    return [...doubtsOn(compiled, solver, best), ...compiler];
  }
  // The model was found infeasible during compilation, which is exact for integers, so no solver ran. For CP-SAT, the
  // compiled model is missing in this case.
  if (answer.doubts === undefined && solutions_seen === 0 && answer.status === "UNSATISFIABLE")
    return is_decided ? [{ reason: DOUBT_REASONS.compiler, what: "it found the model unsatisfiable" }] : [];
  // A killed run leaves no compiled model either, but may have left values.
  const texts = [source, ...data];
  return [
    ...(answer.doubts ?? []).map((what) => ({ reason: DOUBT_REASONS.engine, what })),
    ...(texts.some(namesFloats) ? [{ reason: DOUBT_REASONS.float, what: "the model has floats" }] : []),
    ...(texts.some((text) => namesLarge(text, solver))
      ? [{ reason: DOUBT_REASONS.reach, what: "it has very large numbers" }]
      : []),
  ];
}

/**
 * Whether the model contains floats but the solver received none, so that the compiler decided all constraints on
 * floats.
 */
export function isDecidedByCompiler({ compiled, question }: Pick<Reply, "compiled" | "question">): boolean {
  const model = readable(compiled);
  const is_left = model && !isFoundWhileCompiling(model) && hasFloats(model);
  return !is_left && [question.source, ...question.data].some(namesFloats);
}

/** Whether this is the compiled form of a model that the compiler found infeasible. */
export function isFoundWhileCompiling(compiled: Compiled): boolean {
  const { variables, constraints: [first] = [] } = readable(compiled) ?? {};
  const values = first?.args.map((arg) => arg.kind === "bool" && arg.value);
  return variables?.size === 0 && first?.name === "bool_eq" && values?.[0] !== values?.[1];
}

function errorText({ end }: Reply): string {
  return linesOf(end.stderr)
    .filter(
      (line) =>
        !/^(\s*at |MiniZinc has encountered|Please file|The internal error|RuntimeError|.*Warning: Unbounded variable)/.test(
          line,
        ),
    )
    .join(" ");
}

/** The short name of a solver: "gecode" for "org.gecode.gecode". */
export function nameOf(solver: string): string {
  return solver.replace(/^.*\./, "");
}

/** Returns the claim that was not accepted; undefined if the run claims nothing, or if its claim can't be stated. */
export function claimOf(
  { answer, solutions_seen, question }: Reply,
  decision: Decision,
  model: FlatZinc,
): Claim | undefined {
  if (decision.kind === "unsat") return { kind: "unsat" };
  if (decision.kind === "undecided") {
    const says_none = solutions_seen === 0 && answer.status === "UNSATISFIABLE";
    return says_none || decision.cause === "unconfirmed" ? { kind: "unsat" } : undefined;
  }
  const { solutions, status } = answer;
  if (status === "OPTIMAL_SOLUTION") return claimOn(model, "best", solutions);
  const lists_all = question.solutions_max !== undefined && status === "ALL_SOLUTIONS";
  return lists_all && solutions.length === solutions_seen ? claimOn(model, "all", solutions) : undefined;
}
