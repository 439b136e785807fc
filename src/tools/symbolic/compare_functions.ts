import * as z from "zod/v4";
import { timeoutSeconds } from "../../kernel/timeout.ts";
import { annotated, type CallContext, defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import {
  agreeing,
  assumedNotes,
  common,
  commonOf,
  count,
  isOfCode,
  path_lines,
  proven,
  rendered,
  shown_input,
  shownLines,
  weightiestFirst,
} from "./answers.ts";
import { code, functionName, moduleCode } from "./arguments.ts";
import { type Examined, examine, type Goal, judged, type Services, undecidedStatus } from "./examine.ts";
import { Cause, Difference } from "./replies.ts";

const output = z.object({
  status: z.enum(["equivalent", "different", "timeout", "undecided"]),
  distinguishing_input: z
    .object({
      ...shown_input,
      function_a_result: z.unknown(),
      function_b_result: z.unknown(),
      function_a_repr: z.string().optional(),
      function_b_repr: z.string().optional(),
      kind: Cause,
      explanation: z.string(),
      path_lines,
      test: z.string(),
    })
    .nullable(),
  paths_compared: count,
  /** Whether both functions raised an exception for every value that was tried, so that no results were compared. */
  only_exceptions: z.boolean().optional(),
  confidence: z.enum(["proven", "high", "partial"]),
  ...common,
});

type Answer = z.output<typeof output>;

/**
 * Whether an input only exceeds the recursion depth. Such an input does not refute a proof, since proofs ignore the
 * depth.
 */
function runsOutOfDepth({ function_a, function_b }: Difference): boolean {
  return [function_a, function_b].some(({ kind, type }) => kind === "exception" && type === "RecursionError");
}

/** A proof compares the values of parameters at the same position, so it does not cover calls that pass them by name. */
const contradicts = (witness: Difference) => witness.cause !== "call" && !runsOutOfDepth(witness);

const by_place = "arguments are passed by position: the parameters are named differently";

const goal: Goal<Difference> = {
  confirm: (examiner, candidate, deadline) => examiner.replay(Difference, candidate, deadline),
  keyOf: ({ call }) => call,
  contradicts,
  questions: ({ keys }) => !keys.includes("by name"),
  enough: (witnesses) => (witnesses.some(isOfCode) ? "yes" : "no"),
};

/** `compare_functions`: finds out whether two functions behave the same on all inputs. */
export function compareFunctions(services: Services): Tool {
  return defineTool({
    name: "compare_functions",
    description:
      "Do two Python functions behave the same on all inputs (value and type, exception, changed arguments)? `equivalent` with confidence proven is a proof; with high, notes say what is missing. A distinguishing input was run; timeout and undecided decide nothing.",
    annotations: annotated("Compare two functions", "reads"),
    input: z.strictObject({
      code,
      function_a: functionName("function_a"),
      function_b: functionName("function_b"),
      timeout_seconds: timeoutSeconds(40),
    }),
    output,
    listed_output: ["status"],
    needs: () => "symbolic",
    limit_ms: ({ timeout_seconds }) => timeout_seconds * 1000,
    async run({ code, function_a, function_b, timeout_seconds }, context) {
      const question = { task: "compare", code, functions: [function_a, function_b] } as const;
      return answerOf(await examine(services, question, goal, timeout_seconds, context), context);
    },
    render,
  });
}

/**
 * `compare_versions`, which clients can't call: finds out whether a function behaves the same in two versions of its
 * module.
 */
export function compareVersions(services: Services): Tool {
  return defineTool({
    name: "compare_versions",
    description: "",
    annotations: annotated("Compare two versions of a function", "reads"),
    input: z.strictObject({
      code: moduleCode,
      base: moduleCode,
      function_a: functionName("function_a"),
      function_b: functionName("function_b"),
      timeout_seconds: timeoutSeconds(40),
    }),
    output,
    needs: () => "symbolic",
    limit_ms: ({ timeout_seconds }) => timeout_seconds * 1000,
    async run({ code, base, function_a, function_b, timeout_seconds }, context) {
      const question = { task: "compare", code, base, functions: [function_a, function_b] } as const;
      return answerOf(await examine(services, question, goal, timeout_seconds, context), context);
    },
    render,
  });
}

function answerOf(examined: Examined<Difference>, context: CallContext): Answer {
  const { status, confidence, difference, notes, suggestion } = resultOf(examined);
  const shown = commonOf(examined, notes);
  if (examined.inspected.by_place) shown.proof?.assumptions.push(by_place);
  return {
    status,
    distinguishing_input: difference ? distinguishing(difference, context) : null,
    paths_compared: agreeing(examined.examiner.tally, difference ? 1 : 0, status === "equivalent").explored,
    ...(status !== "different" && returnedNothing(examined) && { only_exceptions: true }),
    confidence,
    ...shown,
    ...(suggestion !== undefined && { suggestion }),
  };
}

/**
 * Whether values were tried, but the functions returned for none of them; equal exceptions for values of unsuitable
 * types prove little.
 */
function returnedNothing({ examiner: { probed } }: Examined<Difference>): boolean {
  return probed !== undefined && probed.tried > 0 && probed.returned === 0;
}

interface Result extends Pick<Answer, "status" | "confidence"> {
  readonly difference?: Difference | undefined;
  readonly notes?: readonly string[];
  readonly suggestion?: string;
}

function resultOf(examined: Examined<Difference>): Result {
  const verdict = judged(examined, contradicts);
  switch (verdict.kind) {
    case "refuted":
      return { status: "different", confidence: "proven", difference: weightiestFirst(verdict.counterexample)[0] };
    case "proven": {
      const notes = examined.witnesses.slice(0, 1).map(({ cause, explanation }) => {
        const what =
          cause === "call" ? "calls that pass renamed or moved parameters by keyword" : "the recursion limit";
        return `The proof does not cover ${what}: ${explanation}`;
      });
      const types = assumedNotes("Equivalent", examined.proof);
      return { status: "equivalent", confidence: "proven", notes: [...types, ...notes] };
    }
    case "undecided": {
      const { notes, suggestion } = verdict;
      if (explorationCounts(examined)) return { status: "equivalent", confidence: "high", notes };
      return { status: undecidedStatus(verdict), confidence: "partial", notes, suggestion };
    }
    default:
      return verdict satisfies never;
  }
}

/**
 * Whether all paths were explored and agree, and only an additional condition for a proof is missing; this is never
 * enough for floats.
 */
function explorationCounts({ examiner, unreplayed }: Examined<Difference>): boolean {
  const { explored } = examiner;
  return explored?.exhausted === true && explored.trusted && explored.unknown === 0 && unreplayed.length === 0;
}

function distinguishing(
  witness: Difference,
  { names_lines = true }: CallContext,
): NonNullable<Answer["distinguishing_input"]> {
  const { args, kwargs, function_a, function_b, test } = witness;
  return {
    args,
    kwargs,
    function_a_result: function_a.result,
    function_b_result: function_b.result,
    ...(function_a.repr !== null && { function_a_repr: function_a.repr }),
    ...(function_b.repr !== null && { function_b_repr: function_b.repr }),
    kind: witness.cause,
    explanation: names_lines ? witness.explanation : witness.explanation_without_lines,
    path_lines: shownLines(witness),
    test,
  };
}

function render(answer: Answer): Rendering {
  const { status, distinguishing_input: difference, confidence, proof, assumed_types } = answer;
  const first = proof ? proven(status, proof, assumed_types) : `${status} (${confidence})`;
  return rendered(first, difference ? [difference.explanation] : [], answer);
}
