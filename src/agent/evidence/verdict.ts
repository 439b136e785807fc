import * as z from "zod/v4";
import type { CallRecord } from "./calls.ts";
import type { JsonRecord } from "./json.ts";

/** The verdicts that a tool can reach. `optimal` means `sat` with an objective value proved optimal. */
export const verdict_words = [
  "sat",
  "optimal",
  "unsat",
  "verified",
  "counterexample",
  "found",
  "unreachable",
  "equivalent",
  "different",
  "complete",
] as const;

export type VerdictWord = (typeof verdict_words)[number];

/** The conclusion drawn from a conversation's calls, based on their structured answers alone. */
export type Evidence =
  | {
      readonly kind: "decided";
      readonly word: VerdictWord;
      /**
       * The call that returned the answer. If a job delivered the answer, `call` is a different one, which started the
       * job.
       */
      readonly record: CallRecord;
      readonly call: CallRecord;
    }
  | { readonly kind: "open"; readonly why: string; readonly record?: CallRecord };

/** The error code for a call that the server did not answer. */
export const no_answer_code = "no_answer";

const changing_tools = ["clear_model", "add_item", "replace_item", "delete_item"];

const model_tools = ["solve", "solve_model", "solve_smtlib"];

const deciding_tools = [
  ...model_tools,
  "symbolic_check",
  "find_path_to_exception",
  "compare_functions",
  "analyze_branches",
];

/** The tool that produced the answer in a record; for `get_job`, the tool that the job runs. */
export function toolOf({ tool, structured }: CallRecord): string {
  const of_job = structured["tool"];
  return tool === "get_job" && typeof of_job === "string" ? of_job : tool;
}

/** Whether this call's answer can contain a verdict. */
export function isDeciding(record: CallRecord): boolean {
  return deciding_tools.includes(toolOf(record));
}

/**
 * The call that an answer belongs to: a job's answer belongs to the call that started the job. Undefined for a job not
 * started in this conversation, since it may be about any model.
 */
export function callOf(record: CallRecord, records: readonly CallRecord[]): CallRecord | undefined {
  if (record.tool !== "get_job") return record;
  const { job_id } = record.structured;
  if (typeof job_id !== "string") return undefined;
  const earlier_calls = records.filter(({ tool, number }) => tool === toolOf(record) && number < record.number);
  return earlier_calls.find(({ structured }) => structured["status"] === "running" && structured["job_id"] === job_id);
}

/**
 * Draws the conclusion from the last call that could reach a verdict. Earlier calls do not count, since the model may
 * have been different. A model that was changed after it was last solved has no verdict; a job solves the model as it
 * was when the job started.
 */
export function evidenceOf(records: readonly CallRecord[]): Evidence {
  const record = records.findLast(isDeciding);
  if (!record) return { kind: "open", why: "no tool was asked to decide anything" };
  const call = callOf(record, records);
  if (!call) return { kind: "open", why: "the last answer belongs to a job that was not started here", record };
  const latest = records.findLast(({ tool }) => deciding_tools.includes(tool));
  if (latest && latest.number > call.number)
    return { kind: "open", why: "the last answer belongs to an earlier call", record };
  const changed = records.findLast((each) => changing_tools.includes(each.tool) && mayHaveWorked(each));
  if (changed && changed.number > call.number)
    return { kind: "open", why: "the model was changed after its last solve", record };
  if (record.is_fault) return { kind: "open", why: `the last ${toolOf(record)} ended with a fault`, record };
  const word = wordOf(toolOf(record), record.structured);
  return word === undefined
    ? { kind: "open", why: openWords(toolOf(record), record.structured), record }
    : { kind: "decided", word, record, call };
}

/** Whether a call may have changed the model: a call that got no answer may still have done so. */
function mayHaveWorked({ is_fault, structured }: CallRecord): boolean {
  return !is_fault || structured["code"] === no_answer_code;
}

/**
 * Whether a claim follows from the evidence. Claiming `sat` for a proved optimum understates the result, but is true.
 */
export function supports(evidence: Evidence, claim: string): boolean {
  if (evidence.kind === "open") return false;
  return evidence.word === claim || (evidence.word === "optimal" && claim === "sat");
}

const Solved = z.object({ status: z.enum(["sat", "unsat"]), optimal: z.boolean().nullish() });
/**
 * Matches an answer whose values violate the problem's rules according to a checker; its verdict does not apply to the
 * problem.
 */
const Violated = z.object({ checker: z.object({ status: z.literal("violated") }) });
const Compared = z.object({ status: z.literal("equivalent"), confidence: z.literal("proven") });
const Different = z.object({ status: z.literal("different") });

const plain_words: Readonly<Record<string, readonly VerdictWord[]>> = {
  symbolic_check: ["verified", "counterexample"],
  find_path_to_exception: ["found", "unreachable"],
  analyze_branches: ["complete"],
};

/** The verdict in one structured answer; undefined if it contains none. */
function wordOf(tool: string, structured: JsonRecord): VerdictWord | undefined {
  if (model_tools.includes(tool)) {
    const solved = Violated.safeParse(structured).success ? undefined : Solved.safeParse(structured).data;
    return solved?.status === "sat" && solved.optimal === true ? "optimal" : solved?.status;
  }
  if (tool === "compare_functions") {
    if (Different.safeParse(structured).success) return "different";
    return Compared.safeParse(structured).success ? "equivalent" : undefined;
  }
  return plain_words[tool]?.find((word) => word === structured["status"]);
}

const Undecided = z.object({ status: z.string(), reason: z.string().optional() });

function openWords(tool: string, structured: JsonRecord): string {
  const undecided = Undecided.safeParse(structured).data;
  if (!undecided) return `${tool} gave no verdict`;
  if (Violated.safeParse(structured).success) return `the values found by ${tool} violate rules of the checker`;
  return `${tool} answered ${undecided.status}${undecided.reason ? ` (${undecided.reason})` : ""}`;
}
