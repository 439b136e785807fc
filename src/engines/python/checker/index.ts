import type * as z from "zod/v4";
import type { Deadline } from "../../../kernel/deadline.ts";
import type { Child } from "../../../kernel/process/child.ts";
import { jsonOf } from "../../../kernel/text/json.ts";
import { LineReader } from "../../../kernel/text/line_reader.ts";
import { engine_limits } from "../../limits.ts";
import { Answered, CheckAnswer, Ready, SyntaxAnswer, type TextPart } from "../talk.ts";
import { ChangesAnswer, PairAnswer, type Version } from "./changes.ts";

/** The reason why there is no answer; `too_long` means that the text used up the CPU time of a check. */
export type Unanswered = undefined | "expired" | "stalled" | "too_long";

/** A Python model to be checked. */
export interface CheckedModel {
  readonly language: string;
  readonly items: readonly string[];
  /** Whether the model's program will have data that it can open as files. */
  readonly has_data?: boolean;
}

/**
 * A CPython process that parses models and code with Python's own parser and checks more than syntax, without running
 * any of it.
 */
export class Checker {
  readonly #child: Child;
  readonly #lines = new LineReader(engine_limits.python_frame_chars_max);
  readonly #pending = new Map<number, (answer: unknown) => void>();
  #asked = 0;

  constructor(child: Child) {
    this.#child = child;
    child.onText = (text) => this.#take(text);
    void child.ended.then((ending) => {
      if (child.stderr !== "") console.error(child.stderr);
      // Texts are read in order, so the first pending one is the cause.
      const [first] = this.#pending.keys();
      if (ending.kind === "signalled" && ending.signal === "SIGPROF" && first !== undefined)
        this.#end(first, "too_long");
      this.#flush();
    });
  }

  get alive(): boolean {
    return this.#child.usable;
  }

  discard(): void {
    this.#child.stop("closed");
  }

  /**
   * Checks the items of a model. Returns undefined if Python crashed on them, "too_long" if they took too much CPU
   * time, "expired" if the time ran out, and "stalled" if the process was suspended from outside. In all these cases,
   * the checker is closed. Raises `cancelled`.
   */
  check({ language, items, has_data = false }: CheckedModel, deadline: Deadline): Promise<CheckAnswer | Unanswered> {
    return this.#ask({ language, items, has_data }, CheckAnswer, deadline);
  }

  /** Parses a text as Python. Returns undefined and "expired" in the same cases as `check`. Raises `cancelled`. */
  syntax(text: string, part: TextPart, deadline: Deadline): Promise<SyntaxAnswer | Unanswered> {
    return this.#ask({ syntax: text, ...part }, SyntaxAnswer, deadline);
  }

  /**
   * Lists the functions that differ between two versions of a module; null stands for a missing module. Otherwise works
   * like `syntax`.
   */
  changes(base: string | null, head: string | null, deadline: Deadline): Promise<ChangesAnswer | Unanswered> {
    return this.#ask({ about: "changes", base, head }, ChangesAnswer, deadline);
  }

  /**
   * Returns both versions of a function, or the only one, each with the code that it uses. Otherwise works like
   * `syntax`.
   */
  pair(base: Version | null, head: Version, deadline: Deadline): Promise<PairAnswer | Unanswered> {
    return this.#ask({ about: "pair", base, head }, PairAnswer, deadline);
  }

  async #ask<Answer>(request: object, schema: z.ZodType<Answer>, deadline: Deadline): Promise<Answer | Unanswered> {
    const id = this.#asked++;
    const answer = new Promise<unknown>((resolve) => {
      this.#pending.set(id, resolve);
    });
    if (this.alive) this.#child.write(`${JSON.stringify({ id, ...request })}\n`);
    else this.#flush();
    const heard = await deadline.within(answer);
    if (heard === "expired") {
      const { stalled } = this.#child;
      this.#child.stop("deadline");
      return stalled ? "stalled" : heard;
    }
    if (heard === undefined || heard === "too_long") return heard;
    const read = schema.safeParse(heard);
    if (!read.success) this.#child.stop("output");
    return read.data;
  }

  #take(text: string): void {
    for (const line of this.#lines.take(text)) {
      const value = jsonOf(line);
      const answer = Answered.safeParse(value);
      if (answer.success) this.#end(answer.data.id, answer.data);
      else if (!Ready.safeParse(value).success) this.#child.stop("output");
    }
  }

  #end(id: number, answer: Answered | "too_long"): void {
    this.#pending.get(id)?.(answer);
    this.#pending.delete(id);
  }

  #flush(): void {
    for (const resolve of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }
}
