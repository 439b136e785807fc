import * as z from "zod/v4";
import type { PairAnswer } from "../../engines/python/checker/changes.ts";
import type { Python } from "../../engines/python/index.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { quietContext, type Tool } from "../../kernel/tool.ts";
import { typesText } from "../../tools/symbolic/assumed_types.ts";
import { whyUnloadable } from "../../tools/symbolic/examiner.ts";
import { Cause } from "../../tools/symbolic/replies.ts";
import type { AnswerCache } from "./cache.ts";
import type { Comparison, ContractCheck } from "./report.ts";

/** The fields of the tools' answers that are used here. */
const common = {
  proof: z.object({ method: z.string(), assumptions: z.array(z.string()) }).nullable(),
  assumed_types: z.record(z.string(), z.string()).optional(),
  only_exceptions: z.boolean().optional(),
  notes: z.array(z.string()),
  time_seconds: z.number(),
};
const example = {
  args: z.record(z.string(), z.unknown()),
  kwargs: z.record(z.string(), z.unknown()),
  test: z.string(),
  kind: Cause,
};
const Compared = z.object({
  status: z.enum(["equivalent", "different", "timeout", "undecided"]),
  confidence: z.enum(["proven", "high", "partial"]),
  distinguishing_input: z.object({ ...example, explanation: z.string() }).nullable(),
  ...common,
});
const Checked = z.object({
  status: z.enum(["verified", "counterexample", "timeout", "undecided"]),
  counterexamples: z.array(z.object({ ...example, call: z.string(), violation: z.string() })),
  ...common,
});

type Pair = NonNullable<PairAnswer["pair"]>;

/** A tool's answer, or why there isn't one. */
type Asked =
  | { readonly answer: Record<string, unknown>; readonly cached: boolean }
  | { readonly status: "not_checked" | "error" | "undecided"; readonly why: string };

/** Asks the tools each question only once, and reuses cached answers. */
export class Questions {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #cache: AnswerCache | undefined;
  readonly #signal: AbortSignal;
  readonly #unloadable = new Map<string, Promise<string | undefined>>();

  /** The signal cancels all questions. */
  constructor(tools: readonly Tool[], cache: AnswerCache | undefined, signal: AbortSignal) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#cache = cache;
    this.#signal = signal;
  }

  /** Returns the reason why a module can't be loaded; its functions are then not checked. */
  unloadable(text: string, python: Python, deadline: Deadline): Promise<string | undefined> {
    const known = this.#unloadable.get(text) ?? whyUnloadable(python, text, deadline);
    this.#unloadable.set(text, known);
    return known;
  }

  /** Compares the two functions of a pair. */
  async compare(pair: Pair, seconds: number): Promise<Comparison> {
    const { code, base, function_a, function_b, notes } = pair;
    const reply = await this.#ask("compare_versions", { code, base: base ?? "", function_a, function_b }, seconds);
    if ("why" in reply) return { ...reply, ...nothing };
    const { status, confidence, distinguishing_input: counterexample, ...rest } = Compared.parse(reply.answer);
    const guess = guessOf({ ...pair.assumed_types, ...rest.assumed_types });
    const result = {
      ...resultOf(rest, reply.cached),
      notes: [...guess.notes, ...notes, ...rest.notes],
      ...(guess.assumed_types && { assumed_types: guess.assumed_types }),
    };
    if (status === "different" && counterexample) return { status, ...result, counterexample };
    if (status === "equivalent" && guess.assumed_types)
      return rest.only_exceptions
        ? {
            ...result,
            status: "undecided",
            why: "both versions raise an exception on every value of the assumed types",
          }
        : { ...result, status: "no_difference_under_assumed_types" };
    if (status === "equivalent" && confidence === "proven" && rest.proof) return { status, ...result };
    if (status === "equivalent") return { status: "no_difference_found", ...result };
    return { status: "undecided", ...result, why: undecidedBecause(status, seconds) };
  }

  /** Checks the contract of a function. */
  async check({ code, function_b }: Pair, seconds: number): Promise<ContractCheck> {
    const reply = await this.#ask("symbolic_check", { code, function_name: function_b }, seconds);
    if ("why" in reply) return { ...reply, ...nothing };
    const { status, counterexamples, ...rest } = Checked.parse(reply.answer);
    const result = resultOf(rest, reply.cached);
    const [first] = counterexamples;
    if (status === "counterexample" && first) {
      const { call, violation, args, kwargs, test, kind } = first;
      return { status, ...result, counterexample: { explanation: `${call}: ${violation}`, args, kwargs, test, kind } };
    }
    if (rest.assumed_types)
      return { status: "undecided", ...result, why: `proved only for ${typesText(rest.assumed_types)}` };
    if (status === "verified" && rest.proof) return { status, ...result };
    return { status: "undecided", ...result, why: undecidedBecause(status, seconds) };
  }

  async #ask(name: string, args: Readonly<Record<string, string>>, seconds: number): Promise<Asked> {
    const tool = this.#tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const question = { tool: name, args, seconds };
    const cached_answer = await this.#cache?.get(question);
    if (cached_answer) return { answer: cached_answer, cached: true };
    try {
      // Line numbers in the combined module mean nothing to a reader.
      const context = { ...quietContext(this.#signal), names_lines: false };
      const { structured } = await tool.call({ ...args, timeout_seconds: seconds }, context);
      // With more time, or on a less busy machine, the answer may differ.
      if (structured["status"] !== "timeout") await this.#cache?.keep(question, structured);
      return { answer: structured, cached: false };
    } catch (error) {
      if (error instanceof Fault) return faultOf(error);
      throw error;
    }
  }
}

/** Notes for a reader on guessed types. */
function guessOf(assumed_types: Record<string, string>): {
  notes: string[];
  assumed_types?: Record<string, string>;
} {
  if (Object.keys(assumed_types).length === 0) return { notes: [] };
  return {
    notes: [`The types of parameters without an annotation are guesses: ${typesText(assumed_types)}.`],
    assumed_types,
  };
}

const nothing = { notes: [], cached: false, time_seconds: 0 };

function resultOf({ proof, notes, time_seconds }: z.output<z.ZodObject<typeof common>>, cached: boolean) {
  return { ...(proof && { proof }), notes, time_seconds, cached };
}

function undecidedBecause(status: string, seconds: number): string {
  return status === "timeout" ? `not decided within ${seconds} s` : "undecided; more time would not help";
}

/** Code rejected by the tools was not checked; other faults say nothing about the code. */
function faultOf(fault: Fault): Asked {
  const { code, what } = fault;
  if (["input_rejected", "forbidden", "syntax_error", "invalid_argument"].includes(code))
    return { status: "not_checked", why: what };
  // No process became free within the time limit, or it expired before the code was loaded.
  if (code === "busy" || code === "timeout") return { status: "undecided", why: what };
  if (code === "cancelled") return { status: "not_checked", why: "the time for all functions ran out" };
  return { status: "error", why: what };
}
