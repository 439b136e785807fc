import * as z from "zod/v4";
import { Fault } from "../kernel/fault.ts";
import { cut } from "../kernel/text/cut.ts";
import { checkedAnswer } from "./check.ts";
import { CallLog, type CallRecord } from "./evidence/calls.ts";
import type { Checked } from "./evidence/checked.ts";
import { modelText } from "./evidence/model_text.ts";
import { callOf, evidenceOf, isDeciding } from "./evidence/verdict.ts";
import { type Language, languages, toolsFor } from "./languages.ts";
import { agent_limits } from "./limits.ts";
import type { Role } from "./loop/budget.ts";
import { converse, type Ended, objected } from "./loop/converse.ts";
import { Session } from "./loop/session.ts";
import { sessionTools } from "./loop/tools.ts";
import { stopReason } from "./outcome.ts";
import { asked } from "./roles/question.ts";
import { type Review, type Reviewed, reviewerInstructions, reviewRequest, reviewTool } from "./roles/reviewer.ts";
import { answerTool, type Solved, solverInstructions } from "./roles/solver.ts";
import type { Work } from "./task.ts";

/** The result of one attempt in one language. */
export interface Attempt {
  readonly language: Language;
  /** How the last conversation with the agent ended. */
  readonly ended: Ended<Solved>;
  /** The last accepted answer, its model, and its review. */
  readonly solved: Solved | undefined;
  readonly model: string | null;
  readonly checked: Checked | undefined;
  readonly review: Review | undefined;
  readonly records: readonly CallRecord[];
}

/** Makes one attempt in one language: the agent's work, its review, and further rounds after objections. */
export async function attempt(work: Work, language: Language): Promise<Attempt> {
  const session = await Session.open(work.open, language, work.deadline);
  try {
    return await rounds(work, session);
  } finally {
    await session.close();
  }
}

async function rounds(work: Work, session: Session): Promise<Attempt> {
  const { deadline, question } = work;
  const { language } = session;
  const log = new CallLog();
  const talk = {
    ...(await toolsOf(work, session, "agent", log)),
    ...work,
    role: "agent" as const,
    model: work.models.agent,
    instructions: solverInstructions(language, await session.guide(deadline)),
    records: () => log.records,
  };
  let solved: Solved | undefined;
  let model: string | null = null;
  let checked: Checked | undefined;
  let review: Review | undefined;
  let steps = 0;
  const data_summary = await dataSummary(work, session);
  let ended = await converse(talk, answerTool(log), [{ role: "user", content: asked(question) }]);
  for (let returned = 0; ; returned++) {
    steps += ended.steps;
    const attempted = () => ({ language, ended, solved, model, checked, review, records: log.records });
    if (!("result" in ended)) return { ...attempted(), model: model ?? (await lastModel(log, session, work)) };
    solved = ended.result;
    review = undefined;
    if (solved.evidence.kind === "open") return { ...attempted(), model: await lastModel(log, session, work) };
    const shown = modelText(solved.evidence.call, { records: log.records, session, deadline });
    model = await shown.catch(() => null);
    if (model !== null) work.emit({ kind: "model", language, text: model });
    if (work.reviews === undefined) return attempted();
    checked = await checkedAnswer(work, { solved, session, records: log.records, data_summary, earlier: checked });
    if (checked) work.emit({ kind: "checker", ...checked });
    const is_last = returned >= work.reviews;
    if (checked?.status !== "violated" || is_last) {
      review = await reviewed(work, language, { solved, model: model ?? "(the server does not show it)", checked });
      work.emit({ kind: "review", ...review });
      if (review.result !== "incorrect" || is_last) return attempted();
    }
    const words = objection(checked, review);
    const again = { ...talk, steps_max: work.steps_max - steps };
    ended = await converse(again, answerTool(log), objected(ended, "answer", words));
  }
}

/** The feedback for the agent: the reviewer's objections, or a checker's violations if there was no review yet. */
function objection(checked: Checked | undefined, review: Review | undefined): string {
  if (review)
    return `A reviewer objects. Judge each objection; correct the model where it is right, and answer again.\n${review.reasons.join("\n")}`;
  const found = (checked?.violations ?? []).slice(0, agent_limits.violations_max).join("\n");
  return `A checker written from the problem alone, without your model, finds that the values of your answer violate rules. Compare each violation with the problem; where the checker is right, correct the model, and answer again. If the checker is wrong, answer as before.\n${found}`;
}

/** A summary of the data files from the server. Raises `engine_missing` if the server can't read the files. */
async function dataSummary({ data_files = [], is_sent, question, deadline }: Work, session: Session): Promise<string> {
  if (data_files.length === 0) return "";
  // A local server reads the files in place; a server over HTTP has copies with the same names.
  const files = is_sent ? question.files : data_files;
  const { text, is_fault } = await session.call("read_data", { files }, deadline);
  if (!is_fault) return cut(text, agent_limits.observation_chars_max);
  throw new Fault("engine_missing", `The MCP server can't read the data files: ${text}`, [
    "leave --mcp out to use the server in this program",
    "or name a command that starts Verdict on this machine",
  ]);
}

/** The model from the last call that could reach a verdict, if any. */
async function lastModel(log: CallLog, session: Session, { deadline }: Work): Promise<string | null> {
  const record = log.records.findLast(isDeciding);
  if (!record || deadline.signal.aborted || deadline.is_over) return null;
  const call = callOf(record, log.records);
  return call ? modelText(call, { records: log.records, session, deadline }).catch(() => null) : null;
}

/** A role's tools, restricted to the language of its session. */
async function toolsOf(work: Work, session: Session, role: Role, log: CallLog) {
  const { deadline } = work;
  const names = [...toolsFor(session.language), ...(work.question.files.length > 0 ? ["read_data"] : [])];
  const listed = (await session.tools(deadline)).filter(({ name }) => names.includes(name));
  const onCall = (record: CallRecord) => work.emit({ kind: "call", role, record });
  return { tools: sessionTools(session, listed, { log, deadline, onCall }) };
}

/** Reviews an answer in a separate session. Never raises: if no review can be obtained, the result is `unknown`. */
async function reviewed(work: Work, language: Language, answer: Reviewed): Promise<Review> {
  const deadline = work.deadline.atMost(work.deadline.left_ms * agent_limits.review_share);
  const own = { ...work, deadline };
  const log = new CallLog();
  const session = await Session.open(work.open, language, deadline).catch(() => undefined);
  if (!session) return { result: "unknown", reasons: ["the reviewer could not connect to the server"] };
  try {
    const talk = {
      ...(await toolsOf(own, session, "reviewer", log)),
      ...own,
      role: "reviewer" as const,
      model: work.models.reviewer,
      steps_max: agent_limits.review_steps_max,
      instructions: reviewerInstructions(language),
      records: () => log.records,
    };
    const request = { role: "user" as const, content: reviewRequest(work.question, language, answer) };
    const ended = await converse(talk, reviewTool(work.question, log), [request]);
    if ("result" in ended) return ended.result;
    return { result: "unknown", reasons: [`the review reached no result: ${stopReason(ended)}`] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { result: "unknown", reasons: [`the review reached no result: ${why}`] };
  } finally {
    await session.close();
  }
}

/** The language of the displayed model; a rejected call may have used a different language from the attempt's. */
export function languageOf({ language, records }: Attempt): Language {
  const { record } = evidenceOf(records);
  const { args = {} } = (record && callOf(record, records)) ?? {};
  return z.enum(languages).catch(language).parse(args["language"]);
}
