import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { fileEnding } from "../languages.ts";
import type { Event } from "../loop/events.ts";
import type { Outcome } from "../outcome.ts";

/** Saves a question in a directory. Events are written as they happen, so that the record survives a crash. */
export class Keeper {
  readonly #directory: string;
  #writing: Promise<void> = Promise.resolve();
  #models = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Opens a directory for saving. Raises `invalid_argument` if it is not writable. */
  static async open(directory: string, question: string): Promise<Keeper> {
    try {
      await writeWhole(join(directory, "question.md"), `${question}\n`);
      await writeFile(join(directory, "transcript.jsonl"), "", { mode: 0o600 });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Fault("invalid_argument", `The directory given with --save can't be written to: ${why}.`, [
        "name a directory that you own, or one that does not exist yet",
      ]);
    }
    return new Keeper(directory);
  }

  readonly take = (event: Event): void => {
    if (event.kind === "model") {
      const name = `${++this.#models}.${fileEnding(event.language)}`;
      this.#write(() => writeWhole(join(this.#directory, "models", name), `${event.text}\n`));
      return;
    }
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`;
    this.#write(() => appendFile(join(this.#directory, "transcript.jsonl"), line));
  };

  #write(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write);
    // A write error is raised at the end; until then, it must not count as unhandled.
    this.#writing.catch(() => {});
  }

  /** Writes the outcome. Returns the reason if something could not be written. */
  async end(outcome: Outcome): Promise<string | undefined> {
    try {
      await this.#finish(outcome);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    }
  }

  async #finish(outcome: Outcome): Promise<void> {
    const put = (name: string, text: string) => writeWhole(join(this.#directory, name), text);
    await put("answer.json", `${JSON.stringify(outcome, null, 2)}\n`);
    await put("statistics.json", `${JSON.stringify(outcome.statistics, null, 2)}\n`);
    if (outcome.model !== null && outcome.language)
      await put(`model.${fileEnding(outcome.language)}`, `${outcome.model}\n`);
    if (typeof outcome.checker?.text === "string") await put("checker.py", `${outcome.checker.text}\n`);
    await this.#writing;
  }
}
