import { isDeepStrictEqual } from "node:util";
import * as z from "zod/v4";
import { cut } from "../kernel/text/cut.ts";
import { CallLog, type CallRecord } from "./evidence/calls.ts";
import type { Checked } from "./evidence/checked.ts";
import { asRecord, type JsonRecord } from "./evidence/json.ts";
import { dataOf, modelItems } from "./evidence/model_text.ts";
import { allValues } from "./evidence/values.ts";
import { isItemLanguage } from "./languages.ts";
import { agent_limits } from "./limits.ts";
import { converse, type Ended, objected } from "./loop/converse.ts";
import { Session } from "./loop/session.ts";
import { stopReason } from "./outcome.ts";
import { checker_instructions, checker_tool, checkerRequest } from "./roles/checker.ts";
import type { Solved } from "./roles/solver.ts";
import type { Work } from "./task.ts";

/** What is checked: an accepted answer, and the conversation that produced it. */
export interface ToCheck {
  readonly solved: Solved;
  readonly session: Session;
  readonly records: readonly CallRecord[];
  /** The server's summary of the data files. */
  readonly data_summary: string;
  /** The checker written for an earlier answer; it is reused as long as it can read the values. */
  readonly earlier: Checked | undefined;
}

/** A request to the server's tools: a model with its data, and the values of its answer. */
interface Asked {
  readonly args: JsonRecord;
  readonly values: JsonRecord;
}

/**
 * Asks for a checker written from the question alone, and runs it on an answer's values in a separate session.
 * Undefined if the answer has no values. Never raises: a check that is not possible is reported as `failed`.
 */
export async function checkedAnswer(work: Work, answer: ToCheck): Promise<Checked | undefined> {
  const { solved, session, earlier } = answer;
  const { evidence } = solved;
  const has_values = evidence.kind === "decided" && (evidence.word === "sat" || evidence.word === "optimal");
  if (!has_values || !isItemLanguage(session.language)) return undefined;
  const deadline = work.deadline.atMost(work.deadline.left_ms * agent_limits.review_share);
  const own = { ...work, deadline };
  let text = earlier?.text ?? null;
  try {
    const asked = await askedOf(evidence, answer, own);
    if (typeof asked === "string") return failed(asked, text);
    const again = text === null ? undefined : await run(own, session.language, asked, text);
    if (again && again.status !== "failed") return again;
    const values = allValues(evidence.record);
    const request = checkerRequest(
      work.question,
      values,
      evidence.record.structured["index_names"],
      answer.data_summary,
    );
    const talk = {
      ...own,
      ...{ role: "checker" as const, model: work.models.checker, tools: {}, records: () => [] },
      ...{ steps_max: agent_limits.checker_steps_max, instructions: checker_instructions },
    };
    let ended: Ended<string> = await converse(talk, checker_tool, [{ role: "user", content: request }]);
    for (let steps = ended.steps; ; steps += ended.steps) {
      if (!("result" in ended)) return failed(`no checker was written: ${stopReason(ended)}`, text);
      text = ended.result;
      const checked = await run(own, session.language, asked, text);
      if (checked.status !== "failed" || steps >= agent_limits.checker_steps_max) return checked;
      const words = `The checker did not check the values: ${checked.reason ?? ""} Correct it.`;
      const left = { ...talk, steps_max: agent_limits.checker_steps_max - steps };
      ended = await converse(left, checker_tool, objected(ended, checker_tool.name, words));
    }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error), text);
  }
}

function failed(reason: string, text: string | null): Checked {
  return { status: "failed", violations: [], reason, text };
}

/**
 * Returns an answer's model as a single request, without the model's own checker, or a string with the reason if that
 * is not possible.
 */
async function askedOf(
  { call, record }: Extract<Solved["evidence"], { kind: "decided" }>,
  { session, records }: ToCheck,
  { deadline }: Work,
): Promise<Asked | string> {
  const all = await modelItems(call, session, deadline);
  if (all === null) return "the server does not show the whole model";
  if (record.structured["values"] === null) return "the values are too long";
  const items = all.filter((item) => !/^def[ \t]+violations\b/m.test(item));
  const [data, data_files] = [dataOf(call, records), dataOf(call, records, "data_files")];
  const { solver, timeout_ms } = call.args;
  const options = Object.entries({ data, data_files, solver, timeout_ms }).filter(([, value]) => value !== undefined);
  return { args: { items, ...Object.fromEntries(options) }, values: allValues(record) };
}

const Answer = z.looseObject({
  message: z.string().default("the tool returned no answer"),
  values: z.unknown(),
  checker: z
    .looseObject({ status: z.enum(["passed", "violated", "failed"]), reason: z.string().optional() })
    .optional(),
  violations: z.array(z.string()).default([]),
});

/**
 * Runs a checker on an answer's values. Solves the model again with the checker; if this yields different values,
 * checks the original ones separately.
 */
async function run(work: Work, language: Session["language"], { args, values }: Asked, text: string): Promise<Checked> {
  const { deadline } = work;
  const log = new CallLog();
  const session = await Session.open(work.open, language, deadline);
  const call = async (tool: string, input: JsonRecord) => {
    const start = performance.now();
    const observed = await session.call(tool, input, deadline);
    const record = log.add({
      tool,
      args: input,
      ms: Math.round(performance.now() - start),
      ...observed,
      text: cut(observed.text, agent_limits.observation_chars_max),
    });
    work.emit({ kind: "call", role: "checker", record });
    return { record, answer: Answer.parse(asRecord(observed.structured)) };
  };
  try {
    let last = await call("solve", { ...args, language, checker: text });
    if (!last.record.is_fault && !isDeepStrictEqual(last.answer.values, values))
      last = await call("check_plan", { values });
    const { record, answer } = last;
    if (record.is_fault) return failed(record.text, text);
    const { checker, violations } = answer;
    if (!checker) return failed(answer.message, text);
    return { status: checker.status, violations, reason: checker.reason ?? null, text };
  } finally {
    await session.close();
  }
}
