import { createHash } from "node:crypto";

interface Entry<Value> {
  readonly value: Value;
  readonly chars: number;
}

/** A cache of the most recently used answers, limited in their number and total length. */
export class Cache<Value> {
  readonly #entries_max: number;
  readonly #chars_max: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #chars = 0;
  #hits = 0;
  #misses = 0;

  constructor(bounds: { readonly entries_max: number; readonly chars_max: number }) {
    this.#entries_max = bounds.entries_max;
    this.#chars_max = bounds.chars_max;
  }

  get(question: string): Value | undefined {
    const key = keyOf(question);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    // A map keeps insertion order, so the answer used last is moved to the end.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(question: string, value: Value): void {
    const key = keyOf(question);
    this.#drop(key);
    const chars = JSON.stringify(value).length;
    this.#entries.set(key, { value, chars });
    this.#chars += chars;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#entries_max && this.#chars <= this.#chars_max) break;
      this.#drop(oldest);
    }
  }

  get counts(): { readonly entries: number; readonly hits: number; readonly misses: number } {
    return { entries: this.#entries.size, hits: this.#hits, misses: this.#misses };
  }

  #drop(key: string): void {
    this.#chars -= this.#entries.get(key)?.chars ?? 0;
    this.#entries.delete(key);
  }
}

/** Hashes a question, since it can contain a long state; the hash identifies it equally well. */
function keyOf(question: string): string {
  return createHash("sha256").update(question).digest("base64");
}
