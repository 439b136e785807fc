import type { Deadline } from "../../../kernel/deadline.ts";
import type { AttemptItem } from "../outcome.ts";

/** Something that tries tactics for us: Lean, or the toy of the tests. */
export interface Checker {
  /** The state that the proof begins in. */
  readonly root: string;
  /**
   * Tries each of the tactics after the script, and tells what came of them as `lean_multi_attempt` does.
   * Gives "expired" when time ran out. Raises `cancelled` and `engine_failed`.
   */
  attempt(
    script: readonly string[],
    tactics: readonly string[],
    deadline: Deadline,
  ): Promise<readonly AttemptItem[] | "expired">;
  /** Checks a whole proof from scratch: only this makes it one. */
  confirm(script: readonly string[], deadline: Deadline): Promise<boolean | "expired">;
}
