// Results of long benches, kept after each one, so that an interrupted run goes on where it stopped.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A short text that differs where any of these values does. */
export const fingerprint = (...values) =>
  createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 12);

/** Results by key; each is written down before the next one is measured. */
export class ResultsFile {
  #file;
  #results;

  constructor(file) {
    this.#file = file;
    this.#results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  }

  /** The kept result, or that of `measure`. */
  async get(key, measure) {
    if (Object.hasOwn(this.#results, key)) return this.#results[key];
    const result = await measure();
    this.#results[key] = result;
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#results, undefined, 1));
    renameSync(`${this.#file}.new`, this.#file);
    return result;
  }
}
