/** The types of the library; `test/agent/library.test.ts` holds them against the code. */

export type Language = "z3" | "pysat" | "minizinc" | "asp" | "cpmpy" | "ortools" | "smtlib" | "symbolic";

export interface AskOptions {
  /** `PROVIDER:NAME` (anthropic, openai, google, ollama, compatible), or a model object of the AI SDK (`ai` 7). */
  readonly model: string | object;
  readonly reviewer_model?: string | object;
  readonly model_url?: string;
  readonly language?: Language | "auto";
  readonly steps_max?: number;
  readonly tokens_max?: number;
  readonly timeout_s?: number;
  /** False: no review. A number: how often an objection goes back to the agent. */
  readonly reviews?: number | false;
  /** Another MCP server: an address, or a command. */
  readonly mcp?: string;
  readonly signal?: AbortSignal;
  readonly on_event?: (event: { readonly kind: string }) => void;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

export interface Outcome {
  readonly status: "solved" | "disputed" | "undecided" | "failed" | "interrupted";
  readonly reason: string | null;
  readonly answer: string | null;
  readonly language: Language | null;
  readonly language_why: string | null;
  readonly model: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  readonly verdict: {
    readonly word: string;
    readonly tool: string;
    readonly engine: string | null;
    readonly evidence: Readonly<Record<string, unknown>>;
  } | null;
  readonly not_modelled: readonly string[];
  readonly review: { readonly result: "correct" | "incorrect" | "unknown"; readonly reasons: readonly string[] } | null;
  readonly checker: {
    readonly status: "passed" | "violated" | "failed";
    readonly violations: readonly string[];
    readonly reason: string | null;
    readonly text: string | null;
  } | null;
  readonly last_result: {
    readonly tool: string;
    readonly status: string;
    readonly values: Readonly<Record<string, unknown>>;
  } | null;
  readonly statistics: {
    readonly steps: number;
    readonly repairs: number;
    readonly tools: Readonly<
      Record<string, { readonly calls: number; readonly faults: number; readonly seconds: number }>
    >;
    readonly tokens: {
      readonly agent: Tokens;
      readonly checker: Tokens;
      readonly reviewer: Tokens;
      readonly router: Tokens;
    };
    readonly tokens_estimated: boolean;
    readonly price: number | null;
    readonly seconds: number;
    readonly tool_seconds: number;
    readonly solver_seconds: number;
  };
}

/**
 * Answers a problem in words by a language model and formal engines. Rejects with an error whose `code` is
 * `invalid_argument` or `engine_missing`; whatever else happens is an outcome.
 */
export declare function ask(problem: string, options: AskOptions): Promise<Outcome>;
