import * as z from "zod/v4";
import { named_values } from "../../kernel/named.ts";

/**
 * Replies from `python/verdict_runner/symbolic/`, which are parsed where they arrive; `messages.py` has the other side
 * of each message.
 */

/** Inputs exactly as Python wrote them; they are only sent back to Python. */
export const Input = z.unknown();
export type Input = z.output<typeof Input>;

/** The number of a branch site, and the side that was taken. */
export const Side = z.tuple([z.number(), z.boolean()]);
export type Side = z.output<typeof Side>;

/** A decision in a function. */
const Site = z.object({
  site: z.number(),
  line: z.number(),
  condition: z.string(),
  kind: z.string(),
  /**
   * The positions of the condition's first and last characters, by line and column as `ast` counts them; null if the
   * condition is not an expression.
   */
  place: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  /** The only side that a constant condition takes; null for other conditions. */
  constant: z.boolean().nullable(),
  /** The lines that run only if the respective side is taken. */
  true_lines: z.array(z.number()),
  false_lines: z.array(z.number()),
});
export type Site = z.output<typeof Site>;

/** The functions in question, as they were read and loaded. */
export const Inspected = z.object({
  functions: z.array(
    z.object({
      name: z.string(),
      parameters: z.array(z.object({ name: z.string() })),
      /** The source text of the result annotation. */
      returns: z.string().nullable(),
      contract: z.object({
        styles: z.array(z.string()),
        preconditions: z.array(z.string()),
        postconditions: z.array(z.string()),
        raises: z.array(z.string()),
      }),
    }),
  ),
  /** Conditions for a proof that the functions' text does not show. */
  hazards: z.array(z.string()),
  notes: z.array(z.string()),
  /** The number of inputs, if running all of them is a proof. */
  inputs: z.int().nullable().default(null),
  /** The classes whose constructors create the objects passed to the functions. */
  made: z.array(z.string()).default([]),
  /**
   * The parameters whose annotations do not state the types of the values that are tried: their name in each function,
   * and the types as source text, first all of them, then the likeliest ones alone.
   */
  assumed: z
    .array(z.object({ names: z.array(z.string()), choices: z.array(z.string()), narrowed: z.array(z.string()) }))
    .default([]),
  /** Whether the parameters at the same position of two functions have different names. */
  by_place: z.boolean().default(false),
});

/** The branches, as determined from the text before any of it runs. */
const Branches = z.object({
  sites: z.array(Site),
  cyclomatic_complexity: z.number(),
  /** Lines that no run ever reaches, such as those after a return. */
  dead_lines: z.array(z.number()),
});
/** The report about branches; only the first one is Verdict's own, since a module that has run could send others. */
export const ReadBranches = z.object({ branches: Branches, can_mislead: z.boolean().default(true) });

export type Inspected = z.output<typeof Inspected> & z.output<typeof Branches>;

/** The progress of an exploration. */
export const Tally = z.object({
  paths: z.number(),
  verified: z.number(),
  skipped: z.number(),
  covered: z.array(Side),
});
export type Tally = z.output<typeof Tally>;

/** An intermediate result: a candidate, the progress, or a sentence about a call that did not end. */
const FoundInput = z.object({ input: Input, key: z.string(), sides: z.array(Side).default([]) });
export type FoundInput = z.output<typeof FoundInput>;
export const Found = z.union([z.object({ tally: Tally }), z.object({ unending: z.string() }), FoundInput]);

/**
 * The reasons not to accept a proof, and not to trust an exhausted exploration, whatever it will find. They are sent
 * before the code runs in that process, so the first report is Verdict's own; code that has run could send others.
 */
export const Limits = z.object({
  limits: z.object({ claim: z.array(z.string()), trusted: z.array(z.string()) }),
});
export type Limits = z.output<typeof Limits>["limits"];

/** The result at the end of an exploration. */
export const Explored = z.object({
  ...Tally.shape,
  unknown: z.number(),
  exhausted: z.boolean(),
  /** Whether an exhausted exploration is a proof. */
  claim: z.boolean(),
  why_not: z.array(z.string()),
  /** Whether the engine computes all values involved exactly, which excludes floats. */
  trusted: z.boolean(),
  stopped: z.string(),
});
export type Explored = z.output<typeof Explored>;

/** The result of trying boundary values. */
export const Probed = z.object({ tried: z.number(), skipped: z.number(), returned: z.number() });
export type Probed = z.output<typeof Probed>;

/** The result of running all inputs. */
export const Exhausted = z.object({ ran: z.int(), is_all: z.boolean(), covered: z.array(Side) });
export type Exhausted = z.output<typeof Exhausted>;

/** A candidate that did not show what it was offered for in a clean interpreter. */
export const Unconfirmed = z.object({ confirmed: z.literal(false), why: z.string().optional() });

const shown_input = {
  confirmed: z.literal(true),
  args: named_values,
  kwargs: named_values,
  call: z.string(),
  path_condition: z.string().nullable(),
  /** For each decision on the path, its line and the side that was taken. */
  path_lines: z.array(z.tuple([z.int(), z.boolean()])),
};

/**
 * What a finding says about the code, most severe first: a wrong result, a crash, an exception that the function raises
 * on purpose, or a limit of Python or the machine.
 */
export const Cause = z.enum(["result", "crash", "deliberate", "call", "limit"]);
export type Cause = z.output<typeof Cause>;

/** One run of a function that violates its contract. */
export const Violation = z.object({
  ...shown_input,
  cause: Cause,
  kind: z.string(),
  violation: z.string(),
  line: z.number().nullable(),
  actual_result: z.unknown(),
  actual_repr: z.string().nullable(),
  stack_trace: z.string().nullable(),
  test: z.string(),
});
export type Violation = z.output<typeof Violation>;

/** One run that raises the exception in question. */
export const Raised = z.object({
  ...shown_input,
  cause: Cause,
  exception: z.string(),
  line: z.number().nullable(),
  stack_trace: z.string(),
  test: z.string(),
});
export type Raised = z.output<typeof Raised>;

/** What one of two functions did. */
const Behaviour = z.object({
  kind: z.enum(["value", "exception"]),
  result: z.unknown(),
  repr: z.string().nullable(),
  type: z.string(),
  line: z.number().nullable(),
});

/** One input for which two functions differ. */
export const Difference = z.object({
  ...shown_input,
  cause: Cause,
  function_a: Behaviour,
  function_b: Behaviour,
  explanation: z.string(),
  /** The explanation for a reader who can't see the code in the call. */
  explanation_without_lines: z.string(),
  test: z.string(),
});
export type Difference = z.output<typeof Difference>;

/** The branches that one run took. */
export const Taken = z.object({
  confirmed: z.literal(true),
  args: named_values,
  outcomes: z.array(Side),
});
export type Taken = z.output<typeof Taken>;
