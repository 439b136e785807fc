/** The answers that were used last, by key; bounded. */
export class Cache<Value> {
  readonly #entries_max: number;
  readonly #entries = new Map<string, Value>();
  #hits = 0;
  #misses = 0;

  constructor(entries_max: number) {
    this.#entries_max = entries_max;
  }

  get(key: string): Value | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#put(key, found);
    return found;
  }

  set(key: string, value: Value): void {
    this.#put(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#entries_max) break;
      this.#entries.delete(oldest);
    }
  }

  get counts(): { readonly entries: number; readonly hits: number; readonly misses: number } {
    return { entries: this.#entries.size, hits: this.#hits, misses: this.#misses };
  }

  /** A map keeps the order of insertion, so the last used one goes to its end. */
  #put(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
