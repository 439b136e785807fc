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
  /** For a model with an objective: its value, and whether it was proved optimal; null if nothing is claimed. */
  readonly best?: {
    readonly value: unknown;
    readonly proved: boolean | null;
    /** Among which solutions it is the best one, if not among all. */
    readonly among?: string;
    /** Whether a program's process claims that it is optimal, and nobody confirmed that. */
    readonly is_claimed?: boolean;
  };
  /** A bound on the objective, if it is known and the optimum is not. */
  readonly objective_bound?: number;
  /** What the values are, if they describe all solutions together and need not be one solution. */
  readonly of_all?: string;
  /** The names of the indices of arrays. */
  readonly index_names?: Record<string, string[][]>;
  /** All requested solutions, if more than one was requested; the witness is the last one. */
  readonly solutions?: readonly Values[];
  /** How many solutions the program's own search found; the witness is the last one, and no other is left. */
  readonly found?: number;
}

/** The conflicting parts. */
export interface Conflict {
  /** Names under which the model itself tracked it. */
  readonly names?: readonly string[];
  /** Positions in the items. */
  readonly items?: readonly ItemLine[];
}

/** In addition to a verdict without a solution a program can export values, such as a count or a core. */
interface Stated {
  readonly stated?: Values;
}

/** The model has no solution. */
export interface Impossible extends Unsat<Conflict>, Stated {
  /** The condition of this verdict, if it is about more than the model itself. */
  readonly under?: string;
}

export interface Open extends Undecided, Stated {
  /** The limit that ended the search, where something else leaves its result undecided. */
  readonly cut_by?: Limit | undefined;
  /** What a program's process claims, and nobody confirmed. */
  readonly claimed?: Impossible;
}

export type SolveVerdict = Found | Impossible | Open;

/** Why a model has no solution, or no better one: the answer to the option `why`. */
export interface Why {
  readonly about: "unsat" | "optimum";
  /** Places that together exclude a solution, or a better one; empty where the rest of the model does by itself. */
  readonly core?: readonly ItemLine[];
  /** Whether none of them can be left out. */
  readonly core_minimal?: boolean;
  /** Sets of places; without those of one set there is a solution, or a better one. The smallest first. */
  readonly drop: readonly {
    readonly items: readonly ItemLine[];
    readonly proved: "smallest" | "minimal" | "enough";
    /** In place of leaving the set out: by how much its comparisons must give, with the least sum if that is proved. */
    readonly relaxed?: readonly (ItemLine & { readonly by: number })[];
    readonly relaxed_proved?: boolean;
  }[];
  /** Whether each set that helps contains one of these. */
  readonly drop_complete: boolean;
  /** What was not decided, as sentences. */
  readonly undecided: readonly string[];
}

/** A proof of an unsat, in a format that other checkers read, and what our own checker says of it. */
export interface Certificate {
  readonly kind: "drat";
  readonly checked: boolean;
  /** The solver that wrote it. */
  readonly by?: string;
  /** How many clauses were added until the contradiction was there, and how many of them are not consequences (RAT). */
  readonly steps?: number;
  readonly rat_steps?: number;
  /** The name of the files in which it is kept, without their endings. */
  readonly file?: string;
  /** Why it is not checked. */
  readonly reason?: string;
  /** Whether the checker found it wrong; else it had none, or did not come to its end. */
  readonly is_refused?: boolean;
}

/** The result of solving a model, in any language. */
export interface Outcome {
  readonly verdict: SolveVerdict;
  /**
   * Whether a process that never ran the model's program confirmed the verdict, and that all values except the
   * unchecked ones belong to the solution that it checked; undefined for languages without a program.
   */
  readonly confirmed?: boolean;
  /**
   * The names of values that the program computed, so that no solver checked them; with `objective_value` if the
   * program computed that.
   */
  readonly unchecked?: readonly string[];
  /** Second engines that proved the same, and why none did; only where the language has a second one. */
  readonly confirmed_by?: readonly string[];
  readonly unconfirmed?: string;
  readonly why?: Why;
  /** What the summands of the objective cost; shown if they add up to it. */
  readonly objective_terms?: readonly Term[];
  /** What a unit more of each bound is worth, in a model over reals. */
  readonly shadow_prices?: readonly Price[];
  /** What looks wrong in the model, as sentences with their places. */
  readonly findings?: readonly string[];
  /** A proof that other programs can check; only for an unsat. */
  readonly certificate?: Certificate;
  /** The answer to a question about all solutions, if one was asked. */
  readonly all_answer?: AllAnswer;
  /** Whether the values of `why_not` are possible, and what they cost. */
  readonly why_not?: Row;
  /** What the cases of `what_if` come to. */
  readonly what_if?: readonly Row[];
  /** What changed of a plan that was to be kept. */
  readonly kept?: KeptAnswer | undefined;
  /** What the model's checker says of the values. */
  readonly checker?: CheckerResult;
  readonly statistics: Readonly<Record<string, unknown>>;
  /** The output of the program, line by line. */
  readonly output: readonly string[];
  readonly warnings: readonly string[];
  /** "z3 5.1.0 (python)" */
  readonly engine: string;
  /** After a time limit: a clause with another way to decide the same, if there is one that is often quicker. */
  readonly or_elsewhere?: string;
}

/** The outcome of a solve that was not begun within the whole time. */
export function notBegun(engine: string, warning: string): Outcome {
  return { verdict: limitReached("time"), statistics: {}, output: [], warnings: [warning], engine };
}

/** A line of an item: the item counted from 0, the line in it from 1. */
export const ItemLine = z.strictObject({
  item: z.int(),
  line: z.int(),
  text: z.string(),
  /** Of a constraint in a loop: the values of the loop variables in each case, or the name that its author gave. */
  cases: z.array(z.string()).readonly().optional(),
});
export type ItemLine = Readonly<z.output<typeof ItemLine>>;

/** A line as text: `item 0, line 3 (day = 4; day = 5): need(day)`. */
export function lineShown({ item, line, text, cases }: ItemLine): string {
  return `item ${item}, line ${line}${casesShown(cases)}: ${text}`;
}

const cases_shown_max = 8;

/** The first cases in parentheses, after a space; empty where there are none. */
export function casesShown(cases: readonly string[] = []): string {
  const more = cases.length > cases_shown_max ? `; and ${cases.length - cases_shown_max} more` : "";
  return cases.length > 0 ? ` (${cases.slice(0, cases_shown_max).map(visibleName).join("; ")}${more})` : "";
}

/** The options of `solve_model` besides the time limit; each language takes some of them, or none. */
export type AskedOptions = z.output<z.ZodObject<typeof solve_options>>;

/** The same with the plans that they name: as `withPlans` makes them. */
export type SolveOptions = Omit<AskedOptions, "keep" | "weights" | "why"> & {
  readonly why?: boolean | undefined;
  /** Values of which is asked why they are not possible, or what they cost. */
  readonly why_not?: Values | undefined;
  /** The names of data that come from an earlier call: those that the model no longer has are ignored. */
  readonly data_kept?: readonly string[] | undefined;
  /** Values by name that a solution is to have, in the form of an answer: what they leave out is chosen. */
  readonly plan?: Values | undefined;
  /** Names whose values are wanted besides those of an answer: of a program in Python, those of its variables. */
  readonly names?: readonly string[] | undefined;
  /** The plan of `keep`. */
  readonly kept?: Keep | undefined;
};

/** A better solution that was found on the way. */
export interface Better {
  /** The objective, or costs by priority. */
  readonly objective: number | number[];
  /** The bound on the objective, as the solver reported it then. */
  readonly bound?: number | undefined;
  /** How long ago it was found, if it is not reported at once. */
  readonly ago_s?: number | undefined;
  /** Counts the searches of a program; without it there is one. */
  readonly search?: number | undefined;
}

/** A better solution in words. The bound is the solver's claim: only the final answer says whether it is accepted. */
export function betterWords(objective: unknown, seconds: number, bound: number | undefined): string {
  return `objective ${String(objective)} after ${seconds.toFixed(1)} s${bound === undefined ? "" : ` (the solver's bound: ${bound})`}`;
}

export interface SolveContext extends Pick<CallContext, "progress"> {
  /** Reports an event: a better solution. */
  readonly news: (message: string, better?: Better) => void;
  readonly deadline: Deadline;
  readonly options: SolveOptions;
}

/** What a process must have to solve these items with these options. */
export function needsOf(
  { needs = "model", solver_needs = {} }: Language,
  items: readonly string[],
  { solver }: Pick<SolveOptions, "solver">,
): string {
  const is_named = (name: string) =>
    solver?.split(":")[0] === name || items.some((text) => new RegExp(`["']${name}["':]`).test(text));
  const [, named] = Object.entries(solver_needs).find(([name]) => is_named(name)) ?? [];
  // A checker runs in Python; what knows more of Python than its packages for models is named already.
  return named ?? (needs === "model" && items.some(isChecker) ? "model_python" : needs);
}

/** How an installation without Verdict decides a model. */
export interface Plain {
  /** Texts by the names of their files, besides the items and the data. */
  readonly files: Readonly<Record<string, string>>;
  /** The command in the directory of the files; null if no usual program reads such a model. */
  readonly command: string | null;
  /** What must be installed for it, or why there is none: the rest of a sentence. */
  readonly needs: string;
  /** The versions of the engines here, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/** A model whose items are files with these names; an empty name is not a part of the program. */
export interface Filed {
  readonly items: readonly string[];
  readonly names: readonly string[];
  readonly options: SolveOptions;
  /** The engine that answered, as the answer names it. */
  readonly engine: string;
}

/**
 * A modelling language: the interface between the model tools and the engines. The tools edit lists of items and know
 * nothing of their contents.
 */
export interface Language {
  readonly id: string;
  /** Other names by which it can be selected. */
  readonly also?: readonly string[];
  /** What a process must have to solve its models, where that is more than the embedded engines. */
  readonly needs?: string;
  /** The same by the name of a solver that not each process with `needs` has, if a call or an item names it. */
  readonly solver_needs?: Readonly<Record<string, string>>;
  /** All values by the atoms from which they follow, in a language that has some. */
  readonly valuesOfAtoms?: (atoms: readonly string[]) => Values;
  /** The options of `solve_model` that mean something here. */
  readonly takes: readonly (keyof AskedOptions)[];
  /** The first place that solves: what comes after it changes nothing. Undefined in a language without order. */
  readonly solvingPlace?: (items: readonly string[]) => { readonly item: number; readonly line: number } | undefined;
  /** How to model well in this language with these tools. */
  readonly guide: Guide;
  /** Signs of other languages that are not valid here, and their replacements. */
  readonly slips: readonly { readonly sign: RegExp; readonly cure: string }[];
  /**
   * Checks a model as it would be after a change; `changed` is the index of the new item, "all", or
   * undefined after a deletion. `data` can define names that the items use. Gives warnings; raises `syntax_error`, `forbidden` and
   * `input_rejected` with the item and the line in it.
   */
  check(
    items: readonly string[],
    changed: Changed,
    deadline: Deadline,
    data?: SolveOptions["data"],
  ): Promise<readonly string[]>;
  /**
   * There where solving does all that the check does: the remarks of the check that solving does not make, on a model that
   * was decided.
   */
  remarksBesideSolving?(items: readonly string[]): readonly string[];
  /** What looks wrong in a whole model, in one sentence each with its place; nothing is solved for it. May raise as `check` does. */
  findings?(items: readonly string[], data?: SolveOptions["data"]): readonly string[];
  /** How the same is decided without Verdict. Raises as `solve` does. */
  plain(model: Filed, deadline: Deadline): Promise<Plain>;
  /** Solves the model. Raises a fault when it can't be run; a limit is an outcome. */
  solve(items: readonly string[], context: SolveContext): Promise<Outcome>;
}
