import * as z from "zod/v4";
import { defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import { annotated, common, commonOf, path_lines, proven, rendered, shown_input, shownLines } from "./answers.ts";
import { code, functionName, timeoutSeconds } from "./arguments.ts";
import { type Examined, examine, type Goal, judged, type Services, undecidedStatus } from "./examine.ts";
import { symbolic_limits } from "./limits.ts";
import { Raised } from "./replies.ts";

const output = z.object({
  status: z.enum(["found", "unreachable", "timeout", "undecided"]),
  triggering_inputs: z.array(
    z.object({
      ...shown_input,
      call: z.string(),
      path_condition: z.string(),
      path_lines,
      stack_trace: z.string(),
      test: z.string(),
    }),
  ),
  paths_to_exception: z.int(),
  total_paths_explored: z.int(),
  ...common,
});

type Answer = z.output<typeof output>;

const goal: Goal<Raised> = {
  confirm: (examiner, candidate, deadline) => examiner.replay(Raised, candidate, deadline),
  keyOf: ({ exception, line, path_condition }) => JSON.stringify([exception, line, path_condition]),
  contradicts: () => true,
  questions: () => true,
  enough: (witnesses) => (witnesses.length > 0 ? "soon" : "no"),
};

const exception_error = 'Parameter "exception_type" must be the name of an exception class, such as "ValueError".';

/** `find_path_to_exception`: which inputs raise an exception, or can none? */
export function findPathToException(services: Services): Tool {
  return defineTool({
    name: "find_path_to_exception",
    description:
      "Find inputs that make a Python function raise an exception (subclasses count), or prove that none can. unreachable = proven; found inputs were run; timeout and undecided decide nothing.",
    annotations: annotated("Find inputs that raise"),
    input: z.strictObject({
      code,
      function_name: functionName("function_name"),
      exception_type: z
        .string({ error: exception_error })
        .min(1, { error: exception_error })
        .describe('Such as "ValueError", or a class of the code.'),
      timeout_seconds: timeoutSeconds(30),
    }),
    output,
    listed_output: ["status", "triggering_inputs", "proof", "notes"],
    needs: () => "symbolic",
    limit_ms: ({ timeout_seconds }) => timeout_seconds * 1000,
    async run({ code, function_name, exception_type, timeout_seconds }, context) {
      const question = { task: "raises", code, functions: [function_name], exception: exception_type } as const;
      return answerOf(await examine(services, question, goal, timeout_seconds, context));
    },
    render,
  });
}

function answerOf(examined: Examined<Raised>): Answer {
  const { status, raised = [], notes, suggestion } = resultOf(examined);
  return {
    status,
    triggering_inputs: raised
      .slice(0, symbolic_limits.witnesses_max)
      .map(({ args, kwargs, call, path_condition, stack_trace, test, ...witness }) => ({
        ...{ args, kwargs, call, path_condition, path_lines: shownLines(witness), stack_trace, test },
      })),
    paths_to_exception: raised.length,
    total_paths_explored: examined.examiner.tally.paths,
    ...commonOf(examined, notes),
    ...(suggestion !== undefined && { suggestion }),
  };
}

interface Result {
  readonly status: Answer["status"];
  readonly raised?: readonly Raised[];
  readonly notes?: readonly string[];
  readonly suggestion?: string;
}

function resultOf(examined: Examined<Raised>): Result {
  const verdict = judged(examined, goal.contradicts);
  switch (verdict.kind) {
    case "refuted":
      return { status: "found", raised: verdict.counterexample };
    case "proven":
      return { status: "unreachable" };
    case "undecided":
      return { status: undecidedStatus(verdict), notes: verdict.notes, suggestion: verdict.suggestion };
    default:
      return verdict satisfies never;
  }
}

function render(answer: Answer): Rendering {
  const lines = answer.triggering_inputs.map(
    ({ call, path_condition, stack_trace }) => `${call}\n  ${stack_trace}\n  path: ${path_condition}`,
  );
  return rendered(proven(answer.status, answer.proof), lines, answer);
}
