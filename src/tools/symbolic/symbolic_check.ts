import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { timeoutSeconds } from "../../kernel/timeout.ts";
import { annotated, defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import type { Obligations } from "../../prover/index.ts";
import {
  agreeing,
  causeNotes,
  common,
  commonOf,
  count,
  coverage,
  isBug,
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
import { code, functionName } from "./arguments.ts";
import { typesText } from "./assumed_types.ts";
import { type Examined, examine, type Goal, judged, type Services, undecidedStatus } from "./examine.ts";
import { symbolic_limits } from "./limits.ts";
import { obligationLines, obligations_output, shownObligations } from "./obligations.ts";
import { Cause, Violation } from "./replies.ts";

const output = z.object({
  status: z.enum(["verified", "counterexample", "timeout", "undecided"]),
  counterexamples: z.array(
    z.object({
      ...shown_input,
      call: z.string(),
      kind: Cause,
      violation: z.string(),
      actual_result: z.unknown(),
      actual_repr: z.string().optional(),
      path_condition,
      path_lines,
      stack_trace: z.string().optional(),
      test: z.string().describe("pytest source"),
    }),
  ),
  paths_explored: count,
  paths_verified: count,
  coverage_estimate: z.number().nullable(),
  obligations: obligations_output.optional(),
  ...common,
});

type Answer = z.output<typeof output>;

const goal: Goal<Violation> = {
  confirm: (examiner, candidate, deadline) => examiner.replay(Violation, candidate, deadline),
  keyOf: ({ kind, violation, line }) => JSON.stringify([kind, violation, line]),
  contradicts: () => true,
  questions: () => true,
  enough: (witnesses) => (witnesses.some(isBug) ? "soon" : "no"),
};

/** `symbolic_check`: finds out whether a function keeps its contract for all inputs. */
export function symbolicCheck(services: Services): Tool {
  return defineTool({
    name: "symbolic_check",
    description:
      "Does a Python function keep its contract for all inputs? Contract: icontract/deal decorators, `pre:`/`post:` docstrings, leading asserts (preconditions) and later ones, the return annotation, no uncaught exception. verified = proven; counterexamples were run; timeout and undecided decide nothing. More: verdict://guide/symbolic.",
    annotations: annotated("Check a Python contract", "reads"),
    input: z.strictObject({ code, function_name: functionName("function_name"), timeout_seconds: timeoutSeconds(30) }),
    output,
    listed_output: ["status", "counterexamples"],
    needs: () => "symbolic",
    limit_ms: ({ timeout_seconds }) => timeout_seconds * 1000,
    async run({ code, function_name, timeout_seconds }, context) {
      const question = { task: "check", code, functions: [function_name] } as const;
      const examined = await examine(services, question, goal, timeout_seconds, context);
      refuseVacuous(examined, function_name);
      return answerOf(examined);
    },
    render,
  });
}

function answerOf(examined: Examined<Violation>): Answer {
  const { inspected, examiner } = examined;
  const { status, violations = [], notes, suggestion, obligations } = resultOf(examined);
  const paths = agreeing(examiner.tally, violations.length, status === "verified");
  return {
    status,
    counterexamples: violations.slice(0, symbolic_limits.witnesses_max).map(counterexample),
    paths_explored: paths.explored,
    paths_verified: paths.verified,
    coverage_estimate: coverage(inspected.sites, paths, examiner.tally.covered, status === "verified"),
    ...commonOf(examined, notes),
    ...(suggestion !== undefined && { suggestion }),
    ...(obligations && { obligations: shownObligations(obligations) }),
  };
}

interface Result {
  readonly status: Answer["status"];
  readonly violations?: readonly Violation[];
  readonly notes?: readonly string[];
  readonly suggestion?: string;
  /** The obligations that remain open after a failed proof. */
  readonly obligations?: Obligations;
}

function resultOf(examined: Examined<Violation>): Result {
  const verdict = judged(examined, goal.contradicts);
  switch (verdict.kind) {
    case "refuted":
      return {
        status: "counterexample",
        violations: weightiestFirst(verdict.counterexample),
        notes: causeNotes(verdict.counterexample),
      };
    case "proven":
      return { status: "verified", notes: [verifiedWords(examined)] };
    case "undecided": {
      const { obligations } = examined.examiner;
      const { notes, suggestion } = verdict;
      return { status: undecidedStatus(verdict), notes, suggestion, ...(obligations && { obligations }) };
    }
    default:
      return verdict satisfies never;
  }
}

/** States in one sentence what a proof says about the function. */
function verifiedWords({ inspected, proof }: Examined<Violation>): string {
  const [target] = inspected.functions;
  if (!target) throw new Error("a question is about a function");
  const { preconditions, postconditions, raises } = target.contract;
  const types = proof?.assumed_types;
  const of_types = types ? ` with the assumed types ${typesText(types)}` : "";
  const inputs = `all inputs${of_types}${preconditions.length > 0 ? ` with ${preconditions.join(" and ")}` : ""}`;
  const returns = target.returns === null ? "returns" : `returns ${target.returns}`;
  const raising = raises.length > 0 ? `raises no exception but ${raises.join(", ")}` : "raises no exception";
  const keeps = postconditions.length > 0 ? `, and keeps ${postconditions.join("; ")}` : "";
  return `Verified for ${inputs}: ${target.name} ends, ${returns} and ${raising}${keeps}.`;
}

function counterexample(witness: Violation): Answer["counterexamples"][number] {
  const { args, kwargs, call, cause, violation, actual_result, actual_repr, path_condition, stack_trace, test } =
    witness;
  return {
    args,
    kwargs,
    call,
    kind: cause,
    violation,
    actual_result,
    ...(actual_repr !== null && { actual_repr }),
    path_condition,
    path_lines: shownLines(witness),
    ...(stack_trace !== null && { stack_trace }),
    test,
  };
}

/**
 * Rejects preconditions that no input satisfies: every function would keep such a contract, so "verified" would mean
 * nothing.
 */
function refuseVacuous({ examiner, proof, witnesses }: Examined<Violation>, name: string): void {
  const { explored, probed } = examiner;
  const none_met = explored?.exhausted && explored.paths === explored.skipped && probed?.tried === probed?.skipped;
  if (!none_met || proof || witnesses.length > 0) return;
  const message = `No input satisfies the preconditions of ${name}: there is nothing to check.`;
  const steps = ["correct the preconditions: they contradict each other or the types", "or remove them"];
  throw new Fault("input_rejected", message, steps, undefined, {
    error_type: "VacuousPrecondition",
    message,
    suggestion: steps.join("; "),
  });
}

function render(answer: Answer): Rendering {
  const lines = answer.counterexamples.flatMap(({ call, kind, violation, actual_result, path_condition }) => [
    call,
    `  violates: ${violation}${kindWords(kind)}`,
    `  result: ${JSON.stringify(actual_result)}`,
    ...pathLines(path_condition),
  ]);
  const left = answer.obligations ? obligationLines(answer.obligations) : [];
  return rendered(proven(answer.status, answer.proof, answer.assumed_types), [...lines, ...left], answer);
}
