/** The four kinds of question, by the names that the Python side knows them by. */
export type Task = "check" | "raises" | "compare" | "branches";

/** What is asked about a piece of code. */
export interface Question {
  readonly task: Task;
  readonly code: string;
  /** One function, or the two that are compared. */
  readonly functions: readonly string[];
  /** The exception that is looked for. */
  readonly exception?: string;
}

/** A question as the Python side reads it. */
export function requestOf({ task, functions, exception }: Question): Record<string, unknown> {
  return { task, functions, exception: exception ?? null };
}
