/** Choices by chance, the same for a seed (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  numbers(count: number, low: number, high: number): number[] {
    return Array.from({ length: count }, () => this.between(low, high));
  }

  of<Item>(items: readonly Item[]): Item {
    const choice = items[this.between(0, items.length - 1)];
    if (choice === undefined) throw new Error("nothing to choose from");
    return choice;
  }

  some(items: readonly number[]): number[] {
    return items.filter(() => this.between(0, 1) === 1);
  }
}

/** Numbers from 0 to below a bound, the same for a start (xorshift). */
export function numbersFrom(start: number): (bound: number) => number {
  let state = start || 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}
