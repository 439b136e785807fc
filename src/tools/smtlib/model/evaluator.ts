import { readValue } from "../../../engines/smt/read.ts";
import { type Finding, open } from "../../../kernel/evidence.ts";
import type { Replay } from "../plan.ts";
import type { OpenValue } from "./open_values.ts";

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
  async check(replay: readonly Replay[] | undefined): Promise<Finding> {
    if (replay?.length === 0) return { verdict: "confirmed", by: [] };
    if (!replay) return open("quantifiers, recursion or named parts can't be evaluated");
    const value = await this.valueOf(`(and true ${replay.map(({ piece }) => piece.text).join("\n")})`);
    if (value === "true") return { verdict: "confirmed", by: [] };
    if (value !== "false") return open("the model does not determine it");
    return { verdict: "refuted", by: [], reason: await this.#violated(replay) };
  }

  /** Returns a note if a value that Z3 was free to choose makes an assertion true in this model. */
  async noteOnOpenValues(open_values: readonly OpenValue[]): Promise<string | undefined> {
    if (open_values.length === 0) return undefined;
    const any = await this.valueOf(`(or false ${open_values.map(({ condition }) => condition).join("\n")})`);
    if (any !== "true") return undefined;
    for (const { condition, text } of open_values) {
      if ((await this.valueOf(condition)) === "true") return text;
    }
    return undefined;
  }

  /** Returns the line of the first assertion that is false in the model. */
  async #violated(replay: readonly Replay[]): Promise<string> {
    for (const { line, piece } of replay) {
      if ((await this.valueOf(piece.text)) === "false") return `line ${line}`;
    }
    return "all assertions together";
  }
}

/** Writes a Z3 request for a term's value; Z3 then also chooses values that the model leaves open. */
export function evaluation(term: string): string {
  return `(eval ${term} :completion true)`;
}
