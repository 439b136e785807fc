import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import type { Price, Term } from "../../kernel/evidence.ts";
import { visibleName } from "../../kernel/text/visible.ts";
import type { CallContext, Guide } from "../../kernel/tool.ts";
import { type Limit, limitReached, type NotShown, type Sat, type Undecided, type Unsat } from "../../kernel/verdict.ts";
import { isChecker } from "./checker/item.ts";
import type { CheckerResult } from "./checker/result.ts";
import type { Changed } from "./items/items.ts";
import type { solve_options } from "./languages/options.ts";
import type { AllAnswer } from "./languages/questions/answer.ts";
import type { Keep } from "./languages/questions/question.ts";
import type { KeptAnswer } from "./plans/changes.ts";
import type { Row } from "./plans/rows.ts";

export type Values = Readonly<Record<string, unknown>>;

/** The values of a solution. */
export interface Witness {
  readonly values: Values;
}

/** The model has a solution. */
export interface Found extends Sat<Witness | NotShown> {
  /** For a model with an objective: its value, and whether that was proved optimal; null if nothing is claimed. */
  readonly best?: {
    readonly value: unknown;
    readonly proved: boolean | null;
    /** The solutions among which this one is the best, if it is not the best of all. */
    readonly among?: string;
    /** Whether the optimality is only an unconfirmed claim by the program's process. */
    readonly is_claimed?: boolean;
  };
  /** A bound on the objective, if the optimum is unknown. */
  readonly objective_bound?: number;
  /** What the values describe, if they apply to all solutions together and need not form a single solution. */
  readonly of_all?: string;
  /** The index names of arrays. */
  readonly index_names?: Record<string, string[][]>;
  /** All requested solutions, if more than one was requested; the last one is the witness. */
  readonly solutions?: readonly Values[];
  /**
   * The number of solutions that the program's own search found. The last one is the witness, and no further solution
   * exists.
   */
  readonly found?: number;
}

/** The conflicting parts. */
export interface Conflict {
  /** The names under which the model itself tracks the conflicting parts. */
  readonly names?: readonly string[];
  /** The positions of the conflicting parts in the items. */
  readonly items?: readonly ItemLine[];
}

/** Values that a program exports along with a verdict without a solution, such as a count or a core. */
interface Stated {
  readonly stated?: Values;
}

/** The model has no solution. */
export interface Impossible extends Unsat<Conflict>, Stated {
  /** The assumption behind this verdict, if it depends on more than the model itself. */
  readonly under?: string;
}

export interface Open extends Undecided, Stated {
  /** The limit that ended the search, if the result is undecided for another reason. */
  readonly cut_by?: Limit | undefined;
  /** The unconfirmed claim of a program's process. */
  readonly claimed?: Impossible;
}

export type SolveVerdict = Found | Impossible | Open;

/** Why a model has no solution, or no better solution: the answer to the option `why`. */
export interface Why {
  readonly about: "unsat" | "optimum";
  /** Places that together exclude a solution, or a better one; empty if the rest of the model already excludes it. */
  readonly core?: readonly ItemLine[];
  /** Whether the core is minimal: none of its places can be left out. */
  readonly core_minimal?: boolean;
  /** Sets of places, smallest first. Leaving out any one of these sets makes a solution, or a better one, possible. */
  readonly drop: readonly {
    readonly items: readonly ItemLine[];
    readonly proved: "smallest" | "minimal" | "enough";
    /**
     * An alternative to leaving the set out: how far to relax each of its comparisons, with the smallest total if that
     * is proved.
     */
    readonly relaxed?: readonly (ItemLine & { readonly by: number })[];
    readonly relaxed_proved?: boolean;
  }[];
  /** Whether every set that helps contains one of the sets in `drop`. */
  readonly drop_complete: boolean;
  /** The questions that were not decided, as sentences. */
  readonly undecided: readonly string[];
}

/** A proof of unsatisfiability in a format that other checkers can read, with the result of our own checker. */
export interface Certificate {
  readonly kind: "drat";
  readonly checked: boolean;
  /** The solver that wrote the proof. */
  readonly by?: string;
  /**
   * The number of clauses that the proof adds to reach the contradiction, and how many of them are not consequences
   * (RAT).
   */
  readonly steps?: number;
  readonly rat_steps?: number;
  /** The base name, without extension, of the files in which the proof is stored. */
  readonly file?: string;
  /** Why the proof was not checked. */
  readonly reason?: string;
  /** Whether the checker rejected the proof. If not, there was no checker or it did not finish. */
  readonly is_refused?: boolean;
}

/** The result of solving a model, in any language. */
export interface Outcome {
  readonly verdict: SolveVerdict;
  /**
   * Whether a process that never ran the model's program confirmed the verdict, and also that all values except the
   * unchecked ones belong to the solution that it checked. Undefined for languages without a program.
   */
  readonly confirmed?: boolean;
  /**
   * The names of values that the program computed and no solver checked, including `objective_value` if the program
   * computed it.
   */
  readonly unchecked?: readonly string[];
  /** The second engines that proved the same result, or why none did; only for languages with a second engine. */
  readonly confirmed_by?: readonly string[];
  readonly unconfirmed?: string;
  readonly why?: Why;
  /** The costs of the objective's summands, shown only if they add up to the objective. */
  readonly objective_terms?: readonly Term[];
  /** The gain from increasing each bound by one unit, in a model over reals. */
  readonly shadow_prices?: readonly Price[];
  /** Suspicious parts of the model, as sentences with their positions. */
  readonly findings?: readonly string[];
  /** A proof that other programs can check; only for an unsatisfiable model. */
  readonly certificate?: Certificate;
  /** The answer to a question about all solutions, if one was asked. */
  readonly all_answer?: AllAnswer;
  /** Whether the values of `why_not` are possible, and what they cost. */
  readonly why_not?: Row;
  /** The results of the `what_if` cases. */
  readonly what_if?: readonly Row[];
  /** The changes to the plan given as `keep`. */
  readonly kept?: KeptAnswer | undefined;
  /** The result of running the model's checker on the values. */
  readonly checker?: CheckerResult;
  readonly statistics: Readonly<Record<string, unknown>>;
  /** The program's output, line by line. */
  readonly output: readonly string[];
  readonly warnings: readonly string[];
  /** The engine, such as "z3 5.1.0 (python)". */
  readonly engine: string;
  /**
   * After a time limit: part of a sentence that suggests another way to decide the same question, if one is often
   * faster.
   */
  readonly or_elsewhere?: string;
}

/** Returns the outcome for a solve that could not start before its deadline. */
export function notBegun(engine: string, warning: string): Outcome {
  return { verdict: limitReached("time"), statistics: {}, output: [], warnings: [warning], engine };
}

/** A line of an item; items are counted from 0, and lines within an item from 1. */
export const ItemLine = z.strictObject({
  item: z.int(),
  line: z.int(),
  text: z.string(),
  /** For a constraint in a loop: the values of the loop variables in each case, or the name that the author gave it. */
  cases: z.array(z.string()).readonly().optional(),
});
export type ItemLine = Readonly<z.output<typeof ItemLine>>;

/** Formats a line as text: `item 0, line 3 (day = 4; day = 5): need(day)`. */
export function lineShown({ item, line, text, cases }: ItemLine): string {
  return `item ${item}, line ${line}${casesShown(cases)}: ${text}`;
}

const cases_shown_max = 8;

/** Formats the first cases in parentheses, after a space; returns an empty text if there are none. */
export function casesShown(cases: readonly string[] = []): string {
  const more = cases.length > cases_shown_max ? `; and ${cases.length - cases_shown_max} more` : "";
  return cases.length > 0 ? ` (${cases.slice(0, cases_shown_max).map(visibleName).join("; ")}${more})` : "";
}

/** The `solve_model` options other than the time limit; each language supports some of them, or none. */
export type AskedOptions = z.output<z.ZodObject<typeof solve_options>>;

/** The options with their plans resolved by `withPlans`. */
export type SolveOptions = Omit<AskedOptions, "keep" | "weights" | "why"> & {
  readonly why?: boolean | undefined;
  /** The values in question: the call asks why they are impossible, or what they would cost. */
  readonly why_not?: Values | undefined;
  /** The names of data kept from an earlier call; names that no longer occur in the model are ignored. */
  readonly data_kept?: readonly string[] | undefined;
  /** The names of data set by a case of `what_if`; without an effect, the case would look like one that costs nothing. */
  readonly case_data?: readonly string[] | undefined;
  /**
   * The values that a solution must have, by name, in the same form as an answer; the solver chooses omitted values.
   */
  readonly plan?: Values | undefined;
  /**
   * Names whose values are wanted in addition to those normally in an answer; for a Python program, names of its
   * variables.
   */
  readonly names?: readonly string[] | undefined;
  /** The plan given as `keep`. */
  readonly kept?: Keep | undefined;
  /** The values of the model's last solution, for engines that start their search with given values. */
  readonly hint?: Values | undefined;
};

/** A better solution found during the search. */
export interface Better {
  /** The objective value, or the costs by priority. */
  readonly objective: number | number[];
  /** The bound on the objective at that time, as reported by the solver. */
  readonly bound?: number | undefined;
  /** How long ago the solution was found, if it was not reported immediately. */
  readonly ago_s?: number | undefined;
  /** Which of the program's searches found it; undefined if there is only one search. */
  readonly search?: number | undefined;
}

/** Describes a better solution. The bound is the solver's claim; only the final answer says whether it is accepted. */
export function betterWords(objective: unknown, seconds: number, bound: number | undefined): string {
  return `objective ${String(objective)} after ${seconds.toFixed(1)} s${bound === undefined ? "" : ` (the solver's bound: ${bound})`}`;
}

export interface SolveContext extends Pick<CallContext, "progress"> {
  /** Reports an event, such as a better solution. */
  readonly news: (message: string, better?: Better) => void;
  readonly deadline: Deadline;
  readonly options: SolveOptions;
}

/** Returns the capabilities that a process needs to solve these items with these options. */
export function needsOf(
  { needs = "model", solver_needs = {} }: Language,
  items: readonly string[],
  { solver }: Pick<SolveOptions, "solver">,
): string {
  const is_named = (name: string) =>
    solver?.split(":")[0] === name || items.some((text) => new RegExp(`["']${name}["':]`).test(text));
  const [, named] = Object.entries(solver_needs).find(([name]) => is_named(name)) ?? [];
  // A checker needs Python. A language that needs more than Python's modelling packages already says so in `needs`.
  return named ?? (needs === "model" && items.some(isChecker) ? "model_python" : needs);
}

/** How to decide a model without Verdict. */
export interface Plain {
  /** The contents of files other than the items and the data, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** The command to run in the files' directory; null if no common program reads such a model. */
  readonly command: string | null;
  /** What must be installed to run the command, or why there is none; it completes a sentence. */
  readonly needs: string;
  /** The versions of the engines that Verdict used, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/** A model whose items are files with these names; an item with an empty name is not part of the program. */
export interface Filed {
  readonly items: readonly string[];
  readonly names: readonly string[];
  readonly options: SolveOptions;
  /** The engine that answered, as named in the answer. */
  readonly engine: string;
}

/**
 * A modelling language: the interface between the model tools and the engines. The tools edit lists of items without
 * interpreting them.
 */
export interface Language {
  readonly id: string;
  /** Other names by which it can be selected. */
  readonly also?: readonly string[];
  /** The capability that a process needs to solve its models, if the embedded engines are not enough. */
  readonly needs?: string;
  /**
   * The capabilities that replace `needs` if a call or an item names a particular solver, by solver name. Not every
   * process with `needs` has these solvers.
   */
  readonly solver_needs?: Readonly<Record<string, string>>;
  /** Computes all values from the atoms that determine them, in a language that has atoms. */
  readonly valuesOfAtoms?: (atoms: readonly string[]) => Values;
  /** The `solve_model` options that this language supports. */
  readonly takes: readonly (keyof AskedOptions)[];
  /**
   * The first place in the items that starts solving, after which items have no effect. Undefined for a language in
   * which order does not matter.
   */
  readonly solvingPlace?: (items: readonly string[]) => { readonly item: number; readonly line: number } | undefined;
  /** A pattern for lines that declare a name, in a language whose declarations restrict values. */
  readonly declares?: (name: string) => RegExp;
  /** A guide to modelling in this language with these tools. */
  readonly guide: Guide;
  /** Notation from other languages that is invalid in this one, and its replacements. */
  readonly slips: readonly { readonly sign: RegExp; readonly cure: string }[];
  /**
   * Checks a model as it would be after a change; `changed` is the index of the new item, "all", or undefined after a
   * deletion. `data` can define names that the items use. Returns warnings; raises `syntax_error`, `forbidden` and
   * `input_rejected` with the item and its line.
   */
  check(
    items: readonly string[],
    changed: Changed,
    deadline: Deadline,
    data?: SolveOptions["data"],
  ): Promise<readonly string[]>;
  /**
   * For languages in which solving includes the check: returns the check's remarks that solving omits, for a model with
   * a verdict.
   */
  remarksBesideSolving?(items: readonly string[]): readonly string[];
  /**
   * Finds suspicious parts of a whole model without solving it, and describes each in one sentence with its position.
   * May raise the same faults as `check`.
   */
  findings?(items: readonly string[], data?: SolveOptions["data"]): readonly string[];
  /** Explains how to decide the same model without Verdict. Raises the same faults as `solve`. */
  plain(model: Filed, deadline: Deadline): Promise<Plain>;
  /**
   * Solves the model. The items may not have passed `check`: it can run at the same time, and its fault then has priority.
   * Raises a fault if the model can't be run; reaching a limit is an outcome, not a fault.
   */
  solve(items: readonly string[], context: SolveContext): Promise<Outcome>;
}
