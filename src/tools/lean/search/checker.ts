import type { Deadline } from "../../../kernel/deadline.ts";
import type { AttemptItem } from "../outcome.ts";

/** Tries tactics: Lean, or the toy checker of the tests. */
export interface Checker {
  /** The state that the proof begins in. */
  readonly root: string;
  /**
   * Tries each of the tactics after the script, and returns the outcomes in the form of `lean_multi_attempt`. Returns
   * "expired" if time ran out. Raises `cancelled` and `engine_failed`.
   */
  attempt(
    script: readonly string[],
    tactics: readonly string[],
    deadline: Deadline,
  ): Promise<readonly AttemptItem[] | "expired">;
  /** Checks a whole proof from scratch: only this makes it one. */
  confirm(script: readonly string[], deadline: Deadline): Promise<boolean | "expired">;
}
