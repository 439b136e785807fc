import { distance } from "fastest-levenshtein";
import { model_limits } from "../limits.ts";

interface Refusal {
  readonly text: string;
  /** Whether `solve_model` has already reported this rejected item. */
  is_reported: boolean;
}

/**
 * Keeps track of rejected items that are missing from the model, so that an answer about the remaining items is not
 * mistaken for one about all items.
 */
export class Refusals {
  #open: Refusal[] = [];

  add(text: string): void {
    const short = text.trim().slice(0, model_limits.refused_item_chars_max);
    this.#open = [...this.#open.filter((other) => other.text !== short), { text: short, is_reported: false }].slice(
      -model_limits.refused_items_max,
    );
  }

  /**
   * Records an accepted item: a similar item rejected earlier counts as corrected, and warnings already given are not
   * repeated.
   */
  accept(text: string): void {
    const short = text.trim().slice(0, model_limits.refused_item_chars_max);
    this.#open = this.#open.filter((refusal) => !refusal.is_reported && !isCorrected(refusal.text, short));
  }

  /** Returns the warning to add to an answer; none if no rejected item is missing. */
  warnings(): string[] {
    if (this.#open.length === 0) return [];
    for (const refusal of this.#open) refusal.is_reported = true;
    const [are, count] = this.#open.length === 1 ? ["was", "1 item"] : ["were", `${this.#open.length} items`];
    const texts = this.#open.map(({ text }) => `\`${text.replaceAll(/\s+/g, " ")}\``);
    return [
      `${count} ${are} refused since the last accepted change and ${are === "was" ? "is" : "are"} not in the model: ${texts.join("; ")}.`,
    ];
  }
}

/** Whether most of a rejected item is contained in the accepted one. */
function isCorrected(refused: string, accepted: string): boolean {
  return distance(refused, accepted) <= Math.max(refused.length, accepted.length) / 2;
}
