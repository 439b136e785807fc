import type { Deadline } from "../../../kernel/deadline.ts";
import type { AttemptItem } from "../outcome.ts";

/** Tries tactics. The implementations are Lean and the toy checker in the tests. */
export interface Checker {
  /** The state in which the proof begins. */
  readonly root: string;
  /**
   * Tries each of the tactics after the script, and returns the outcomes in the form of `lean_multi_attempt`. Returns
   * "expired" if the time ran out. Raises `cancelled` and `engine_failed`.
   */
  attempt(
    script: readonly string[],
    tactics: readonly string[],
    deadline: Deadline,
  ): Promise<readonly AttemptItem[] | "expired">;
  /** Checks a whole proof from scratch. A script counts as a proof only after this check. */
  confirm(script: readonly string[], deadline: Deadline): Promise<boolean | "expired">;
}
