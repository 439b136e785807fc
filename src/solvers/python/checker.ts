import type { Child, Job } from "../../kernel/child.ts";
import { limits } from "../../kernel/limits.ts";
import { within } from "../../kernel/within.ts";
import { CheckAnswer, LineReader, Ready, readLine } from "./talk.ts";

/** A CPython that reads models and runs none of them: syntax and more, by Python's own parser. */
export class Checker {
  readonly #child: Child;
  readonly #lines = new LineReader(limits.python_frame_chars_max);
  readonly #pending = new Map<number, (answer: CheckAnswer | undefined) => void>();
  #asked = 0;

  constructor(child: Child) {
    this.#child = child;
    child.onText = (text) => this.#take(text);
    void child.ended.then(() => {
      if (child.stderr !== "") console.error(child.stderr);
      this.#flush();
    });
  }

  get alive(): boolean {
    return this.#child.ending === undefined;
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /**
   * Checks the items of a model. Gives undefined when Python died of them, and "expired" when the
   * time ran out, after which this checker is gone. Raises `cancelled`.
   */
  async check(language: string, items: readonly string[], job: Job): Promise<CheckAnswer | undefined | "expired"> {
    const id = this.#asked++;
    const answer = new Promise<CheckAnswer | undefined>((resolve) => {
      this.#pending.set(id, resolve);
    });
    if (this.alive) this.#child.write(`${JSON.stringify({ id, language, items })}\n`);
    else this.#flush();
    const heard = await within(job, answer);
    if (heard === "expired") this.#child.stop("deadline");
    return heard;
  }

  #take(text: string): void {
    for (const line of this.#lines.take(text)) {
      const value = readLine(line);
      const answer = CheckAnswer.safeParse(value);
      if (answer.success) this.#answer(answer.data);
      else if (!Ready.safeParse(value).success) this.#child.stop("output");
    }
  }

  #answer(answer: CheckAnswer): void {
    this.#pending.get(answer.id)?.(answer);
    this.#pending.delete(answer.id);
  }

  #flush(): void {
    for (const resolve of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }
}
