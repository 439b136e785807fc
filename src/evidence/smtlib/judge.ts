import type { Finding } from "../../kernel/evidence.ts";
import type { Lines } from "../../kernel/text/lines.ts";
import type { Ruling } from "../ruling.ts";
import { doubtOn, type Match } from "./defects.ts";
import type { Evaluator, Formula } from "./evaluator.ts";

/** The solver that answers, and what is known about it. */
export interface Answering {
  readonly title: string;
  /** The defects of this solver that the script triggers. */
  readonly defects: readonly Match[];
  readonly lines: Lines;
  /** Has Z3 check another solver's model; undefined for Z3, which evaluates its own models. */
  readonly confirm?: ((model: string) => Promise<Finding>) | undefined;
}

const not_rechecked =
  "The model could not be fully rechecked: quantifiers, recursion or named parts can't be evaluated.";

/** Decides whether a solver's answer to a check counts. */
export class Judge {
  readonly #solver: Answering;
  readonly #evaluator: Evaluator;

  constructor(solver: Answering, evaluator: Evaluator) {
    this.#solver = solver;
    this.#evaluator = evaluator;
  }

  /** Returns why an unsat does not count, because of a known defect; undefined if it counts. */
  doubtOnUnsat(): string | undefined {
    return doubtOn(this.#solver, "unsat");
  }

  /**
   * Decides about a sat. Z3 checks the model of another solver; if it reaches no verdict, the solver's own evaluation
   * counts, with a warning. If no model was evaluated, the answer counts unless the solver has a known defect.
   */
  async model(formulas: readonly Formula[] | undefined, model?: Promise<string>): Promise<Ruling> {
    const { confirm, title } = this.#solver;
    const elsewhere = confirm && model ? await confirm(await model) : undefined;
    if (elsewhere && elsewhere.verdict !== "open") return { finding: elsewhere };
    const finding = await this.#evaluator.check(formulas);
    if (finding.verdict === "open")
      return { finding, doubt: doubtOn(this.#solver, "unevaluated sat"), warning: not_rechecked };
    const by_itself = elsewhere && finding.verdict === "confirmed";
    return {
      finding,
      ...(by_itself && { warning: `Only ${title} itself checked its model: Z3 could not evaluate it.` }),
    };
  }
}
