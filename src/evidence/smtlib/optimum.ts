import { bitsOf, type Objective, readCheck, readErrors } from "../../engines/smt/read.ts";
import type { Session } from "../../engines/smt/session.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { evaluation } from "./evaluator.ts";

/** A term that a script minimises or maximises. */
export interface Goal {
  readonly term: string;
  readonly largest: boolean;
}

/**
 * How several goals are combined: in their order, each separately, or so that none can be improved without making
 * another worse.
 */
export type Priority = "lex" | "box" | "pareto";

/** What a check optimises. */
export interface Optimisation {
  /** Everything that is sent before the check, without the objectives. */
  readonly before: string;
  readonly check: string;
  /** Undefined if the goals can't be stated again. */
  readonly goals: readonly Goal[] | undefined;
  readonly priority: Priority;
  /** Why an unsat does not count, because of a known defect. */
  readonly doubt_on_unsat: string | undefined;
  /** The maximum number of better values to search for one after another. */
  readonly improvements_max: number;
}

/** The value that Z3 reports for an objective, and the value of its goal in the model. */
export interface Claim extends Objective {
  readonly reached: string;
  /** Set if Z3's own value is impossible and `value` is the model's value instead. */
  readonly is_replaced?: true;
}

/**
 * Combines the value that Z3 reports for a goal with the goal's value in the model. If integers and reals are mixed, Z3
 * can report "(+ 3.0 epsilon)" even though the largest value is 4. This epsilon points beyond the bound, but a bound
 * can be approached only from the other side.
 */
export function claimOf(objective: Objective, goal: Goal | undefined, reached: string): Claim {
  const is_replaced = goal && isNumber(reached) && pointsBeyond(objective.value, goal.largest);
  return { ...objective, reached, ...(is_replaced && { value: reached, is_replaced }) };
}

function pointsBeyond(value: string, largest: boolean): boolean {
  if (!value.includes("epsilon") || value.startsWith("(interval")) return false;
  const is_below = /\(\* \(-[^e]*epsilon|\(- epsilon\)/.test(value);
  return largest !== is_below;
}

/** What solving without the optimiser shows about the values that Z3's optimiser reported. */
export type Optimum =
  | { readonly kind: "best" }
  /** No engine proved the values optimal. */
  | { readonly kind: "undecided" }
  /**
   * The values belong to a model that was found without the optimiser, because the optimiser's model was wrong; better
   * values may exist.
   */
  | { readonly kind: "best_found" }
  /** Better values exist, given in `values`; `is_best` says whether these are optimal. */
  | { readonly kind: "beaten"; readonly values: readonly string[]; readonly is_best: boolean };

/**
 * The problems for which Z3's optimiser is complete. On other problems, it has reported values as optimal that were
 * not.
 */
const covered = "is-propositional is-qfbv is-qflia is-qflra is-qflira is-pb is-ilp";

/** Matches values that are infinite, approached but never reached, or only bounded. */
export const no_number = /\boo\b|epsilon|^\(interval/;

/**
 * Gets a second opinion by solving without the optimiser: whether a model exists that is better than the optimiser's.
 * If there is no answer, Z3's claim counts for those theories for which its optimiser is complete.
 */
export async function confirmOptimum(
  session: Session,
  problem: Optimisation,
  claims: readonly Claim[],
  deadline: Deadline,
): Promise<Optimum> {
  const { goals, priority, improvements_max } = problem;
  if (!goals || goals.length !== claims.length) return { kind: "undecided" };
  const asker = new Asker(session, problem, deadline);
  if (!(await asker.setUp())) return { kind: "undecided" };
  if (claims.some(({ value }) => no_number.test(value)))
    return (await asker.isCovered()) ? { kind: "best" } : { kind: "undecided" };
  const are_reached = claims.every(({ value, reached, is_replaced }) => !is_replaced && isSame(value, reached));
  let values: readonly string[] = claims.map(({ value, reached }) =>
    priority === "box" ? literal(value, reached) : reached,
  );
  let beaten = false;
  for (let i = 0; i < improvements_max; i++) {
    const better = await asker.better(priority, values);
    if (better === "none") return beaten ? { kind: "beaten", values, is_best: true } : { kind: "best" };
    if (better === "undecided" && !beaten)
      return (are_reached || priority === "box") && (await asker.isCovered())
        ? { kind: "best" }
        : { kind: "undecided" };
    if (better === "undecided") break;
    values = better;
    beaten = true;
    // With this priority, the best values were found separately, so they are not the values of one model.
    if (priority === "box") break;
  }
  return { kind: "beaten", values, is_best: false };
}

/** Asks for better models, using the script without its objectives. */
export class Asker {
  readonly #session: Session;
  readonly #problem: Optimisation;
  readonly #goals: readonly Goal[];
  readonly #deadline: Deadline;

  constructor(session: Session, problem: Optimisation, deadline: Deadline) {
    this.#session = session;
    this.#problem = problem;
    this.#goals = problem.goals ?? [];
    this.#deadline = deadline;
  }

  async setUp(): Promise<boolean> {
    const reply = await this.#ask(`(reset)\n${this.#problem.before}`);
    return reply !== undefined && readErrors(reply).length === 0;
  }

  /** Returns the values of a better model; "none" if there is none. */
  async better(priority: Priority, values: readonly string[]): Promise<readonly string[] | "none" | "undecided"> {
    const formula = betterThan(this.#goals, priority, values);
    return formula ? this.#solve(`(assert ${formula})`) : "undecided";
  }

  /** Returns the values of any model; "none" if there is none. */
  any(): Promise<readonly string[] | "none" | "undecided"> {
    return this.#solve("");
  }

  async #solve(assertion: string): Promise<readonly string[] | "none" | "undecided"> {
    const left_ms = Math.floor(this.#deadline.left_ms);
    if (left_ms < 1) return "undecided";
    const { check, doubt_on_unsat } = this.#problem;
    const word = readCheck((await this.#ask(`(set-option :timeout ${left_ms})\n${assertion}\n${check}`)) ?? "");
    if (word === "unsat" && doubt_on_unsat === undefined) return "none";
    if (word !== "sat") return "undecided";
    const solved_values = await Promise.all(this.#goals.map(({ term }) => this.#ask(evaluation(term))));
    return solved_values.every((value) => value !== undefined && isNumber(value))
      ? solved_values.map(String)
      : "undecided";
  }

  async isCovered(): Promise<boolean> {
    const reply = await this.#ask(`(apply (if (or ${covered}) skip fail) :print false)`);
    return reply !== undefined && readErrors(reply).length === 0;
  }

  async #ask(text: string): Promise<string | undefined> {
    const reply = await this.#session.ask(text);
    return reply.kind === "gone" ? undefined : reply.text;
  }
}

/** Writes the condition for a better model; undefined if a value is not a number. */
function betterThan(goals: readonly Goal[], priority: Priority, values: readonly string[]): string | undefined {
  if (!values.every(isNumber)) return undefined;
  const all = goals.map(({ largest }, i) => ({ name: `goal!${i}`, value: values[i] ?? "", largest }));
  const beyond = all.map(({ name, value, largest }) => `(${order(value, largest)} ${name} ${value})`);
  const equal = all.map(({ name, value }) => `(= ${name} ${value})`);
  const no_worse = all.map(({ name, value, largest }) => `(not (${order(value, !largest)} ${name} ${value}))`);
  const ways = beyond.map((way, i) => {
    if (priority === "box") return way;
    return `(and true ${(priority === "lex" ? equal.slice(0, i) : no_worse).join(" ")} ${way})`;
  });
  const names = goals.map(({ term }, i) => `(goal!${i} ${term})`);
  return `(let (${names.join("\n")}) (or false ${ways.join(" ")}))`;
}

function order(value: string, largest: boolean): string {
  if (value.startsWith("#") || value.startsWith("(_ bv")) return largest ? "bvugt" : "bvult";
  return largest ? ">" : "<";
}

const number = /^(\(- )?(\d+(\.\d+)?|\(\/ (\(- )?\d+(\.\d+)?\)? \d+(\.\d+)?\))\)?$/;

/** Whether a text is a number that SMT-LIB can express: rational, algebraic or a bit-vector. */
function isNumber(value: string): boolean {
  return (
    number.test(value) || /^#[bx]/.test(value) || /^\(_ bv\d+ \d+\)$/.test(value) || value.startsWith("(root-obj ")
  );
}

/** Whether the value that Z3 reports equals the value in the model. Z3 reports bit-vectors as integers. */
function isSame(claimed: string, reached: string): boolean {
  const bits = bitsOf(reached);
  const plain = (text: string) => text.replace(/\.0\b/g, "");
  return bits ? String(BigInt(`0b${bits}`)) === claimed : plain(claimed) === plain(reached);
}

/** Writes a value that Z3 reported as a literal of the goal's sort. */
function literal(claimed: string, reached: string): string {
  const bits = bitsOf(reached);
  return bits && /^\d+$/.test(claimed) ? `(_ bv${claimed} ${bits.length})` : claimed;
}

/** Returns the value to show for an objective: the model's own value, if Z3 reports a different number. */
export function shownValue({ value, reached }: Claim, priority: Priority): string {
  const apart = priority !== "box" && !no_number.test(value) && isNumber(reached) && !isSame(value, reached);
  return apart ? reached : value;
}
