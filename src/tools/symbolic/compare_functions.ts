import * as z from "zod/v4";
import { defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import { annotated, common, commonOf, rendered, shown_input } from "./answers.ts";
import { code, functionName, timeoutSeconds } from "./arguments.ts";
import { type Examined, examine, type Goal, openStatus, type Services, undecided } from "./examine.ts";
import { Difference } from "./replies.ts";

const output = z.object({
  status: z.enum(["equivalent", "different", "timeout", "undecided"]),
  distinguishing_input: z
    .object({
      ...shown_input,
      function_a_result: z.unknown(),
      function_b_result: z.unknown(),
      function_a_repr: z.string().optional(),
      function_b_repr: z.string().optional(),
      explanation: z.string(),
      test: z.string(),
    })
    .nullable(),
  paths_compared: z.int(),
  confidence: z.enum(["proven", "high", "partial"]),
  ...common,
});

type Answer = z.output<typeof output>;

/** Proofs leave out how deep recursion may go, so where only that runs out, nothing speaks against one. */
function runsOutOfDepth({ function_a, function_b }: Difference): boolean {
  return [function_a, function_b].some(({ kind, type }) => kind === "exception" && type === "RecursionError");
}

const contradicts = (witness: Difference) => !runsOutOfDepth(witness);

const goal: Goal<Difference> = {
  confirm: (examiner, candidate, deadline) => examiner.replay(Difference, candidate, deadline),
  keyOf: ({ call }) => call,
  contradicts,
  questions: () => true,
  enough: (witnesses) => (witnesses.some(contradicts) ? "yes" : "no"),
};

/** `compare_functions` of source 002: do two functions do the same on all inputs? */
export function compareFunctions(services: Services): Tool {
  return defineTool({
    name: "compare_functions",
    description:
      "Do two Python functions do the same on all inputs: value with type, exception, changed arguments? equivalent with confidence proven is a proof, high says in notes what is missing; a distinguishing input was run; timeout and undecided decide nothing.",
    annotations: annotated("Compare two functions"),
    input: z.strictObject({
      code,
      function_a: functionName("function_a"),
      function_b: functionName("function_b"),
      timeout_seconds: timeoutSeconds(60),
    }),
    output,
    limit_ms: ({ timeout_seconds }) => timeout_seconds * 1000,
    async run({ code, function_a, function_b, timeout_seconds }, context) {
      const question = { task: "compare", code, functions: [function_a, function_b] } as const;
      return answerOf(await examine(services, question, goal, timeout_seconds, context));
    },
    render,
  });
}

function answerOf(examined: Examined<Difference>): Answer {
  const { witnesses, proof, examiner } = examined;
  const [beside] = witnesses;
  const witness = witnesses.find(contradicts) ?? (proof ? undefined : beside);
  const depth = !witness && beside ? [`The proof leaves out how deep recursion may go: ${beside.explanation}`] : [];
  const high = !witness && !proof && explorationCounts(examined);
  const open = witness || proof ? undefined : undecided(examined);
  return {
    status: witness ? "different" : proof || high ? "equivalent" : openStatus(examined),
    distinguishing_input: witness ? distinguishing(witness) : null,
    paths_compared: examiner.tally.paths,
    confidence: witness || proof ? "proven" : high ? "high" : "partial",
    ...commonOf(examined, open?.notes ?? depth),
    ...(open && !high && { suggestion: open.suggestion }),
  };
}

/** All paths were seen, all alike, and only what a proof needs besides is missing; floats are never enough. */
function explorationCounts({ examiner, unreplayed }: Examined<Difference>): boolean {
  const { explored } = examiner;
  return explored?.exhausted === true && explored.trusted && explored.unknown === 0 && unreplayed.length === 0;
}

function distinguishing(witness: Difference): NonNullable<Answer["distinguishing_input"]> {
  const { args, kwargs, function_a, function_b, explanation, test } = witness;
  return {
    args,
    kwargs,
    function_a_result: function_a.result,
    function_b_result: function_b.result,
    ...(function_a.repr !== null && { function_a_repr: function_a.repr }),
    ...(function_b.repr !== null && { function_b_repr: function_b.repr }),
    explanation,
    test,
  };
}

function render(answer: Answer): Rendering {
  const { status, distinguishing_input: found, confidence, proof } = answer;
  const how = proof ? `${confidence}: ${proof.method}` : confidence;
  return rendered(`${status} (${how})`, found ? [found.explanation] : [], answer);
}
