/** One modelling language on one build, with a model for each test that all languages share. */
export interface LanguageFixture {
  readonly name: string;
  readonly language: string;
  /** Chooses the build. */
  readonly env: Readonly<Record<string, string>>;
  /** The group of Python packages that it needs. */
  readonly packages?: string;
  /** Whether this machine has what it needs. */
  readonly here: boolean;
  /** Whether another build of the language is there that answers sooner. */
  readonly is_second: boolean;
  readonly sat: Problem;
  /** `conflict` are items that the answer names. */
  readonly unsat: { readonly items: readonly string[]; readonly conflict: readonly number[] };
  readonly optimum: Problem & { readonly objective: number };
  /** Nothing is found and nothing proved for many seconds. */
  readonly hard: readonly string[];
  /** Solutions are found at once, but the best one is not proved for many seconds. */
  readonly hard_optimum: readonly string[];
  /** Whether a timeout still gives the best solution that was found. */
  readonly gives_incumbent: boolean;
  /** An item that fails the check when it comes behind those of `sat`; its line and column. */
  readonly bad: { readonly item: string; readonly line: number; readonly column: number };
  /** Deleting this item of `sat` breaks the model: the deletion is refused, solving is a fault, or it warns. */
  readonly broken_by: { readonly index: number; readonly gives: "refusal" | "fault" | "warning" };
  readonly unicode: Problem;
  /** A model with a number of items. */
  many(count: number): readonly string[];
  /** A time in which a solution of `hard_optimum` is mostly found; a busy machine gets more. */
  readonly incumbent_ms: number;
}

interface Problem {
  readonly items: readonly string[];
  /** Values that the model has, among others. */
  readonly model: Readonly<Record<string, unknown>>;
}

/** What most of them have. */
export const usual_fixture = { incumbent_ms: 600, is_second: false } as const;
