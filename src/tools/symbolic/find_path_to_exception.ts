import * as z from "zod/v4";
import { timeoutSeconds } from "../../kernel/timeout.ts";
import { annotated, defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import {
  agreeing,
  assumedNotes,
  common,
  commonOf,
  count,
  isOfCode,
  kindWords,
  path_condition,
  path_lines,
  pathLines,
  proven,
  rendered,
  shown_input,
  shownLines,
  weightiestFirst,
} from "./answers.ts";
import { code, functionName, isName } from "./arguments.ts";
import { type Examined, examine, type Goal, judged, type Services, undecidedStatus } from "./examine.ts";
import { symbolic_limits } from "./limits.ts";
import { obligationLines, obligations_output, shownObligations } from "./obligations.ts";
import { Cause, Raised } from "./replies.ts";

const output = z.object({
  status: z.enum(["found", "unreachable", "timeout", "undecided"]),
  triggering_inputs: z.array(
    z.object({
      ...shown_input,
      call: z.string(),
      kind: Cause,
      path_condition,
      path_lines,
      stack_trace: z.string(),
      test: z.string(),
    }),
  ),
  paths_to_exception: z.int(),
  total_paths_explored: count,
  obligations: obligations_output.optional(),
  ...common,
});

type Answer = z.output<typeof output>;

const contradicts = () => true;

/**
 * The exceptions that usually result from limits; if the question is about one of these, the search need not continue
 * past it.
 */
const limits = ["OverflowError", "RecursionError"];

const goalFor = (exception: string): Goal<Raised> => ({
  confirm: (examiner, candidate, deadline) => examiner.replay(Raised, candidate, deadline),
  keyOf: ({ exception, line, path_lines }) => JSON.stringify([exception, line, path_lines]),
  contradicts,
  questions: () => true,
  enough: (witnesses) => (witnesses.some((each) => isOfCode(each) || limits.includes(exception)) ? "soon" : "no"),
});

const exception_error = 'Parameter "exception_type" must be the name of an exception class, such as "ValueError".';

/** `find_path_to_exception`: finds inputs that raise an exception, or proves that none can. */
export function findPathToException(services: Services): Tool {
  return defineTool({
    name: "find_path_to_exception",
    description:
      "Find inputs that make a Python function raise an exception (subclasses count), or prove that none can. unreachable = proven; found inputs were run; timeout and undecided decide nothing.",
    annotations: annotated("Find inputs that raise", "reads"),
    input: z.strictObject({
      code,
      function_name: functionName("function_name"),
      exception_type: z
        .string({ error: exception_error })
        .min(1, { error: exception_error })
        .refine(isName, { error: exception_error })
        .describe('Such as "ValueError", or a class of the code.'),
      timeout_seconds: timeoutSeconds(30),
    }),
    output,
    listed_output: ["status", "triggering_inputs"],
    needs: () => "symbolic",
    limit_ms: ({ timeout_seconds }) => timeout_seconds * 1000,
    async run({ code, function_name, exception_type, timeout_seconds }, context) {
      const question = { task: "raises", code, functions: [function_name], exception: exception_type } as const;
      return answerOf(await examine(services, question, goalFor(exception_type), timeout_seconds, context));
    },
    render,
  });
}

function answerOf(examined: Examined<Raised>): Answer {
  const { status, raised = [], notes, suggestion } = resultOf(examined);
  const { obligations } = examined.examiner;
  const is_open = status === "timeout" || status === "undecided";
  return {
    status,
    triggering_inputs: raised
      .slice(0, symbolic_limits.witnesses_max)
      .map(({ args, kwargs, call, cause, path_condition, stack_trace, test, ...witness }) => ({
        ...{ args, kwargs, call, kind: cause, path_condition, path_lines: shownLines(witness), stack_trace, test },
      })),
    paths_to_exception: raised.length,
    total_paths_explored: agreeing(examined.examiner.tally, raised.length, status === "unreachable").explored,
    ...commonOf(examined, notes),
    ...(suggestion !== undefined && { suggestion }),
    ...(is_open && obligations && { obligations: shownObligations(obligations) }),
  };
}

interface Result {
  readonly status: Answer["status"];
  readonly raised?: readonly Raised[];
  readonly notes?: readonly string[];
  readonly suggestion?: string;
}

function resultOf(examined: Examined<Raised>): Result {
  const verdict = judged(examined, contradicts);
  switch (verdict.kind) {
    case "refuted":
      return { status: "found", raised: weightiestFirst(verdict.counterexample) };
    case "proven":
      return { status: "unreachable", notes: assumedNotes("Unreachable", examined.proof) };
    case "undecided":
      return { status: undecidedStatus(verdict), notes: verdict.notes, suggestion: verdict.suggestion };
    default:
      return verdict satisfies never;
  }
}

function render(answer: Answer): Rendering {
  const lines = answer.triggering_inputs.flatMap(({ call, kind, path_condition, stack_trace }) => [
    call,
    `  ${stack_trace}${kindWords(kind)}`,
    ...pathLines(path_condition),
  ]);
  const left = answer.obligations ? obligationLines(answer.obligations) : [];
  return rendered(proven(answer.status, answer.proof, answer.assumed_types), [...lines, ...left], answer);
}
