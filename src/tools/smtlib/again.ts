import { bitsOf, type Model, readModel, readObjectives } from "../../engines/smt/read.ts";
import type { Reply, Session } from "../../engines/smt/session.ts";
import { Evaluator } from "../../evidence/smtlib/evaluator.ts";
import { Asker, type Claim, type Optimum } from "../../evidence/smtlib/optimum.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { replyOf, SolverGone } from "./ending.ts";
import { smtlib_limits } from "./limits.ts";
import { noteOnOpenValues } from "./open_values.ts";
import { optimisationOf, type Plan, type Step } from "./plan.ts";

/** A model that satisfies all assertions, and what the script's later commands print about it. */
interface Seen {
  readonly model: Model | undefined;
  readonly claims: readonly Claim[];
  readonly replies: ReadonlyMap<Step, Reply>;
  readonly note: string | undefined;
}

/** The result of solving without the optimiser. */
export type Again =
  | ({ readonly kind: "sat"; readonly optimum: Optimum } & Seen)
  | { readonly kind: "unsat" }
  | { readonly kind: "undecided" };

/**
 * Solves without the optimiser, after its model violated an assertion. Each model must be better than the one before,
 * and each is checked. The script's requests about the model are sent for each model, since a solver keeps only its
 * latest one.
 */
export async function solveAgain(session: Session, plan: Plan, deadline: Deadline): Promise<Again> {
  const end = deadline.atMost(deadline.left_ms * smtlib_limits.solve_again_share);
  const search = new Search(session, plan, end);
  try {
    await search.run();
  } catch (error) {
    if (!(error instanceof SolverGone)) throw error;
  }
  return search.result;
}

class Search {
  readonly #session: Session;
  readonly #plan: Plan;
  readonly #asker: Asker;
  readonly #evaluator: Evaluator;
  readonly #questions: readonly Step[];
  #terms: readonly string[] = [];
  result: Again = { kind: "undecided" };

  constructor(session: Session, plan: Plan, deadline: Deadline) {
    this.#session = session;
    this.#plan = plan;
    this.#asker = new Asker(session, optimisationOf(plan), deadline);
    this.#evaluator = new Evaluator(async (text) => (await replyOf(session, text)).text, true);
    this.#questions = questionsOf(plan.steps);
  }

  async run(): Promise<void> {
    const { goals = [], priority } = this.#plan;
    const named = readObjectives((await replyOf(this.#session, "(get-objectives)")).text) ?? [];
    this.#terms = goals.map(({ term }, i) => (named.length === goals.length && named[i]?.term) || term);
    if (!(await this.#asker.setUp())) return;
    let values = await this.#asker.any();
    if (values === "none") this.result = { kind: "unsat" };
    for (let i = 0; i < smtlib_limits.models_again_max && typeof values !== "string"; i++) {
      const seen = await this.#see(values);
      if (!seen) break;
      this.result = { kind: "sat", optimum: { kind: "best_found" }, ...seen };
      values = goals.length === 0 ? "undecided" : await this.#asker.better("lex", values);
    }
    const is_best = values === "none" && (priority === "lex" || goals.length === 1);
    if (this.result.kind === "sat" && is_best) this.result = { ...this.result, optimum: { kind: "best" } };
    // Restores the script's own assertions, to which its later commands refer. After an unsat, the solver still has the
    // core.
    if (this.result.kind !== "unsat") await this.#asker.setUp();
  }

  /** Reads the solver's current model; undefined if the model is not known to satisfy all assertions. */
  async #see(values: readonly string[]): Promise<Seen | undefined> {
    const { steps, open_values, hidden_names } = this.#plan;
    const claims = values.map((reached, i) => ({ term: this.#terms[i] ?? "", value: plain(reached), reached }));
    const ask = (text: string) => replyOf(this.#session, text);
    const [{ text }, finding, note, ...replies] = await Promise.all([
      ask("(get-model)"),
      this.#evaluator.check(steps.find(({ last }) => last)?.replay),
      noteOnOpenValues(this.#evaluator, open_values),
      ...this.#questions.map(({ head, piece }) =>
        // The solver currently has no objectives, so Verdict writes their values itself.
        head === objectives ? { kind: "text" as const, text: objectivesShown(claims), first_line: 0 } : ask(piece.text),
      ),
    ]);
    if (finding.verdict !== "confirmed") return undefined;
    const answered = this.#questions.flatMap((step, i): [Step, Reply][] => {
      const reply = replies[i];
      return reply ? [[step, reply]] : [];
    });
    return { model: readModel(text, hidden_names), claims, replies: new Map(answered), note };
  }
}

/**
 * Returns the script's requests about the last check's model, up to the first command that could change the answers.
 */
function questionsOf(steps: readonly Step[]): Step[] {
  const after = steps.slice(steps.findIndex(({ last }) => last) + 1);
  const end = after.findIndex(({ kind }) => kind !== "print");
  return after.slice(0, end < 0 ? after.length : end).filter(({ head }) => of_model.has(head));
}

const objectives = "get-objectives";

/** The commands that print values from the latest model. */
export const of_model: ReadonlySet<string> = new Set([
  ..."get-value get-model get-assignment eval labels".split(" "),
  objectives,
]);

/** Converts a value to the form that Z3 uses for objectives, in which bit-vectors are integers. */
function plain(value: string): string {
  const bits = bitsOf(value);
  return bits ? String(BigInt(`0b${bits}`)) : value;
}

/** Formats the values of objectives as Z3 prints them. */
export function objectivesShown(claims: readonly Claim[]): string {
  return ["(objectives", ...claims.map(({ term, value }) => ` (${term} ${value})`), ")"].join("\n");
}
