import { bitsOf, type Objective, readCheck, readErrors } from "../../../engines/smt/read.ts";
import type { Session } from "../../../engines/smt/session.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { smtlib_limits } from "../limits.ts";
import { type Plan, voidOf } from "../plan.ts";
import { type Goal, isObjective, type Priority } from "./goals.ts";

/** What Z3 gives for an objective, and the value that its goal has in the model. */
export interface Claim extends Objective {
  readonly reached: string;
  /** Z3's own value can't be meant, and `value` is the one in the model. */
  readonly is_replaced?: true;
}

/**
 * What Z3 says of a goal, and its value in the model. Of whole numbers and reals together, Z3 says "(+ 3.0 epsilon)"
 * where the largest value is 4: an epsilon that points beyond the bound, which would be approached from the other side.
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

/** What plain solving says of the values that Z3's optimiser gave. */
export type Optimum =
  | { readonly kind: "best" }
  /** Nobody proved them best. */
  | { readonly kind: "undecided" }
  /** They are of a model that was found without the optimiser, whose own model was wrong; there may be better ones. */
  | { readonly kind: "best_found" }
  /** There are better ones; `is_best` where none is better than these. */
  | { readonly kind: "beaten"; readonly values: readonly string[]; readonly is_best: boolean };

/** What Z3's optimiser is complete for. On other problems it has called values best that are not. */
const covered = "is-propositional is-qfbv is-qflia is-qflra is-qflira is-pb is-ilp";

/** Values without an end, never reached, or only bounded. */
export const no_number = /\boo\b|epsilon|^\(interval/;

/**
 * A second opinion by plain solving: whether there is a model that is better than the optimiser's. Where it comes to no
 * end, Z3's word counts for the theories that its optimiser is complete for.
 */
export async function confirmOptimum(
  session: Session,
  plan: Plan,
  claims: readonly Claim[],
  deadline: Deadline,
): Promise<Optimum> {
  const { goals, priority } = plan;
  if (!goals || goals.length !== claims.length) return { kind: "undecided" };
  const end = deadline.atMost(Math.min(smtlib_limits.optimum_confirm_ms_max, deadline.left_ms * 0.8));
  const asker = new Asker(session, plan, goals, end);
  if (!(await asker.setUp())) return { kind: "undecided" };
  if (claims.some(({ value }) => no_number.test(value)))
    return (await asker.isCovered()) ? { kind: "best" } : { kind: "undecided" };
  const are_reached = claims.every(({ value, reached, is_replaced }) => !is_replaced && isSame(value, reached));
  let values: readonly string[] = claims.map(({ value, reached }) =>
    priority === "box" ? literal(value, reached) : reached,
  );
  let beaten = false;
  for (let i = 0; i < smtlib_limits.improvements_max; i++) {
    const better = await asker.better(priority, values);
    if (better === "none") return beaten ? { kind: "beaten", values, is_best: true } : { kind: "best" };
    if (better === "undecided" && !beaten)
      return (are_reached || priority === "box") && (await asker.isCovered())
        ? { kind: "best" }
        : { kind: "undecided" };
    if (better === "undecided") break;
    values = better;
    beaten = true;
    // By themselves, the best values are not values of one model.
    if (priority === "box") break;
  }
  return { kind: "beaten", values, is_best: false };
}

/** Asks for better models of the script without its objectives. */
export class Asker {
  readonly #session: Session;
  readonly #plan: Plan;
  readonly #goals: readonly Goal[];
  readonly #deadline: Deadline;

  constructor(session: Session, plan: Plan, goals: readonly Goal[], deadline: Deadline) {
    this.#session = session;
    this.#plan = plan;
    this.#goals = goals;
    this.#deadline = deadline;
  }

  async setUp(): Promise<boolean> {
    const { before, prologue } = this.#plan;
    const commands = before.filter(({ command }) => !isObjective(command.head)).map(({ piece }) => piece.text);
    const reply = await this.#ask(["(reset)", prologue, ...commands].join("\n"));
    return reply !== undefined && readErrors(reply).length === 0;
  }

  /** The values of a better model; "none" where there is none. */
  async better(priority: Priority, values: readonly string[]): Promise<readonly string[] | "none" | "undecided"> {
    const formula = betterThan(this.#goals, priority, values);
    return formula ? this.#solve(`(assert ${formula})`) : "undecided";
  }

  /** The values of any model; "none" where there is none. */
  any(): Promise<readonly string[] | "none" | "undecided"> {
    return this.#solve("");
  }

  async #solve(assertion: string): Promise<readonly string[] | "none" | "undecided"> {
    const left_ms = Math.floor(this.#deadline.left_ms);
    if (left_ms < 1) return "undecided";
    const check = this.#plan.steps.find(({ last }) => last)?.piece.text ?? "(check-sat)";
    const reply = await this.#ask(`(set-option :timeout ${left_ms})\n${assertion}\n${check}`);
    const word = readCheck(reply ?? "");
    // There Z3 is known to lose solutions.
    if (word === "unsat" && voidOf(this.#plan, "unsat")) return "undecided";
    if (word === "unsat") return "none";
    if (word !== "sat") return "undecided";
    const solved_values = await Promise.all(
      this.#goals.map(({ term }) => this.#ask(`(eval ${term} :completion true)`)),
    );
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

/** What holds of a model that is better; undefined where a value is not a number. */
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

/** Whether a text is a number that SMT-LIB can write: rational, algebraic or of bits. */
function isNumber(value: string): boolean {
  return (
    number.test(value) || /^#[bx]/.test(value) || /^\(_ bv\d+ \d+\)$/.test(value) || value.startsWith("(root-obj ")
  );
}

/** Whether the value that Z3 gives is the one that the model has. It writes bit-vectors as whole numbers there. */
function isSame(claimed: string, reached: string): boolean {
  const bits = bitsOf(reached);
  const plain = (text: string) => text.replace(/\.0\b/g, "");
  return bits ? String(BigInt(`0b${bits}`)) === claimed : plain(claimed) === plain(reached);
}

/** A value as Z3 gives it, in the sort of the goal. */
function literal(claimed: string, reached: string): string {
  const bits = bitsOf(reached);
  return bits && /^\d+$/.test(claimed) ? `(_ bv${claimed} ${bits.length})` : claimed;
}

/** The value to show for an objective: the model's own, where Z3 gives another number for it. */
export function shownValue({ value, reached }: Claim, { priority }: Plan): string {
  const apart = priority !== "box" && !no_number.test(value) && isNumber(reached) && !isSame(value, reached);
  return apart ? reached : value;
}
