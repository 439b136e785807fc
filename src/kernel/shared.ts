/**
 * Work that many calls share: the first one begins it, the others wait for the same. A result is
 * kept. A failure is told to whoever asks during the next while, and only then it is tried again.
 */
export class Shared<Result> {
  readonly #work: () => Promise<Result>;
  readonly #retry_ms: number;
  #current: Promise<Result> | undefined;
  #failed_at = Number.POSITIVE_INFINITY;

  constructor(work: () => Promise<Result>, retry_ms: number) {
    this.#work = work;
    this.#retry_ms = retry_ms;
  }

  get(): Promise<Result> {
    if (performance.now() - this.#failed_at >= this.#retry_ms) this.forget();
    this.#current ??= this.#begin();
    return this.#current;
  }

  /** The next who asks begins anew. */
  forget(): void {
    this.#current = undefined;
    this.#failed_at = Number.POSITIVE_INFINITY;
  }

  #begin(): Promise<Result> {
    const attempt = this.#work();
    // Nobody may be waiting any more: the failure is kept for who asks next.
    attempt.catch(() => {
      if (this.#current === attempt) this.#failed_at = performance.now();
    });
    return attempt;
  }
}
