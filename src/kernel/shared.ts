/**
 * Work that many calls share: the first call starts it, and the others wait for the same result. A result is kept. A
 * failure is repeated to all calls for a while; after that, the work is tried again.
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

  /** Forgets the result, so that the next call starts the work again. */
  forget(): void {
    this.#current = undefined;
    this.#failed_at = Number.POSITIVE_INFINITY;
  }

  #begin(): Promise<Result> {
    const attempt = this.#work();
    // No call may be waiting any more, so the failure is kept for the next call.
    attempt.catch(() => {
      if (this.#current === attempt) this.#failed_at = performance.now();
    });
    return attempt;
  }
}
