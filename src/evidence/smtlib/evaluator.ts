import { readValue } from "../../engines/smt/read.ts";
import { confirmed, type Finding, open } from "../../kernel/evidence.ts";

/** A formula that a model must satisfy. */
export interface Formula {
  readonly line: number;
  readonly text: string;
}

/** Evaluates terms in the model that a solver holds after sat. */
export class Evaluator {
  readonly #ask: (text: string) => Promise<string>;
  readonly #has_eval: boolean;

  /** If the solver lacks Z3's `eval`, values are read with `get-value`. */
  constructor(ask: (text: string) => Promise<string>, has_eval: boolean) {
    this.#ask = ask;
    this.#has_eval = has_eval;
  }

  /** Returns the value of a term in the model, as the solver prints it. */
  async valueOf(term: string): Promise<string | undefined> {
    return this.#has_eval ? this.#ask(evaluation(term)) : readValue(await this.#ask(`(get-value (${term}))`));
  }

  /** Checks whether the model satisfies these formulas; if it does not, the reason says which one it violates. */
  async check(formulas: readonly Formula[] | undefined): Promise<Finding> {
    if (formulas?.length === 0) return confirmed([]);
    if (!formulas) return open("quantifiers, recursion or named parts can't be evaluated");
    const value = await this.valueOf(`(and true ${formulas.map(({ text }) => text).join("\n")})`);
    if (value === "true") return confirmed([]);
    if (value !== "false") return open("the model does not determine it");
    return { verdict: "refuted", by: [], reason: await this.#violated(formulas) };
  }

  /** Returns the line of the first assertion that is false in the model. */
  async #violated(formulas: readonly Formula[]): Promise<string> {
    for (const { line, text } of formulas) {
      if ((await this.valueOf(text)) === "false") return `line ${line}`;
    }
    return "all assertions together";
  }
}

/** Writes a Z3 request for a term's value; Z3 then also chooses values that the model leaves open. */
export function evaluation(term: string): string {
  return `(eval ${term} :completion true)`;
}
