import * as z from "zod/v4";
import { named_values } from "../../kernel/named.ts";

/**
 * Replies of `python/verdict_runner/symbolic/`, parsed where they arrive; the other side of each message is in
 * `messages.py`.
 */

/** Inputs without loss, as Python wrote them; they are only sent back to Python. */
export const Input = z.unknown();
export type Input = z.output<typeof Input>;

/** A branch site, by its number, and the side that was taken. */
export const Side = z.tuple([z.number(), z.boolean()]);
export type Side = z.output<typeof Side>;

/** A decision of a function. */
const Site = z.object({
  site: z.number(),
  line: z.number(),
  condition: z.string(),
  kind: z.string(),
  /**
   * The condition's first and last character: line and column, as `ast` counts them; null if it is not an expression.
   */
  place: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  /** The one side that a constant condition has. */
  constant: z.boolean().nullable(),
  /** Lines that run only when this side is taken. */
  true_lines: z.array(z.number()),
  false_lines: z.array(z.number()),
});
export type Site = z.output<typeof Site>;

/** The function of the question, as it was read and loaded. */
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
  /** Conditions of a proof that are not in the texts of the functions. */
  hazards: z.array(z.string()),
  notes: z.array(z.string()),
  /** How many inputs there are, where running all of them is a proof. */
  inputs: z.int().nullable().default(null),
  /** Classes of which constructors make the objects that the functions are given. */
  made: z.array(z.string()).default([]),
});

/** The branches, determined from the text before any of it runs. */
const Branches = z.object({
  sites: z.array(Site),
  cyclomatic_complexity: z.number(),
  /** Lines that no run reaches, whatever the question: those after a return. */
  dead_lines: z.array(z.number()),
});
/** Only the first report about them is Verdict's own: a module that has run could send others. */
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

/** An intermediate result: a candidate, the progress, or a sentence about a call that did not terminate. */
const FoundInput = z.object({ input: Input, key: z.string(), sides: z.array(Side).default([]) });
export type FoundInput = z.output<typeof FoundInput>;
export const Found = z.union([z.object({ tally: Tally }), z.object({ unending: z.string() }), FoundInput]);

/**
 * The reasons against a proof, and against trusting an exhausted exploration, whatever it will find. They are sent
 * before the code runs in that process, so the first report is Verdict's own: code that ran could send others.
 */
export const Limits = z.object({
  limits: z.object({ claim: z.array(z.string()), trusted: z.array(z.string()) }),
});
export type Limits = z.output<typeof Limits>["limits"];

/** The end of an exploration. */
export const Explored = z.object({
  ...Tally.shape,
  unknown: z.number(),
  exhausted: z.boolean(),
  /** Whether an exhausted exploration is a proof. */
  claim: z.boolean(),
  why_not: z.array(z.string()),
  /** Whether only values that the engine computes exactly took part: no floats. */
  trusted: z.boolean(),
  stopped: z.string(),
});
export type Explored = z.output<typeof Explored>;

/** The end of trying boundary values. */
export const Probed = z.object({ tried: z.number(), skipped: z.number(), returned: z.number() });
export type Probed = z.output<typeof Probed>;

/** The end of running all inputs. */
export const Exhausted = z.object({ ran: z.int(), is_all: z.boolean(), covered: z.array(Side) });
export type Exhausted = z.output<typeof Exhausted>;

/** A candidate that did not show in a clean interpreter what it was offered for. */
export const Unconfirmed = z.object({ confirmed: z.literal(false), why: z.string().optional() });

const shown_input = {
  confirmed: z.literal(true),
  args: named_values,
  kwargs: named_values,
  call: z.string(),
  path_condition: z.string().nullable(),
  /** The lines of the decisions on the path, and which side was taken. */
  path_lines: z.array(z.tuple([z.int(), z.boolean()])),
};

/**
 * What a finding says about the code, the weightiest first: a wrong result, a crash, an exception that the function
 * raises on purpose, or a limit of Python or the machine.
 */
export const Cause = z.enum(["result", "crash", "deliberate", "limit"]);
export type Cause = z.output<typeof Cause>;

/** One run of a function that breaks its contract. */
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

/** One run that raises the exception that was asked for. */
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

/** One input on which two functions differ. */
export const Difference = z.object({
  ...shown_input,
  cause: Cause,
  function_a: Behaviour,
  function_b: Behaviour,
  explanation: z.string(),
  /** For a reader who does not have the text of the call. */
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
