import type { LanguageModel } from "ai";
import * as z from "zod/v4";
import type { Deadline } from "../kernel/deadline.ts";
import { CallLog, type CallRecord } from "./evidence/calls.ts";
import { modelText } from "./evidence/model_text.ts";
import { callOf, evidenceOf, isDeciding } from "./evidence/verdict.ts";
import { type Language, languages, toolsFor } from "./languages.ts";
import { agent_limits } from "./limits.ts";
import type { Budget, Role } from "./loop/budget.ts";
import { converse, type Ended, objected } from "./loop/converse.ts";
import type { Emit } from "./loop/events.ts";
import type { OpenTransport } from "./loop/session.ts";
import { Session } from "./loop/session.ts";
import { sessionTools } from "./loop/tools.ts";
import { stopReason } from "./outcome.ts";
import type { Question } from "./roles/question.ts";
import { asked } from "./roles/question.ts";
import { type Review, reviewerInstructions, reviewRequest, reviewTool } from "./roles/reviewer.ts";
import { answerTool, type Solved, solverInstructions } from "./roles/solver.ts";

/** A question with all that is needed to answer it. */
export interface Task {
  readonly text: string;
  /** The names of its data files. */
  readonly data_files?: readonly string[];
  readonly language: Language | "auto";
  readonly models: { readonly router: LanguageModel; readonly agent: LanguageModel; readonly reviewer: LanguageModel };
  /** How often an objection goes back to the agent; undefined: no review. */
  readonly reviews: number | undefined;
  readonly steps_max: number;
  readonly tokens_max: number;
  readonly timeout_ms: number;
  readonly open: OpenTransport;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** The same while it is being worked on. */
export interface Work extends Omit<Task, "text"> {
  readonly question: Question;
  readonly budget: Budget;
  readonly deadline: Deadline;
}

/** What came of a question in one language. */
export interface Attempt {
  readonly language: Language;
  /** How the last conversation with the agent ended. */
  readonly ended: Ended<Solved>;
  /** The last accepted answer, its model, and its review. */
  readonly solved: Solved | undefined;
  readonly model: string | null;
  readonly review: Review | undefined;
  readonly records: readonly CallRecord[];
}

/** One attempt at a question in a language: the agent's work, its review, and further rounds after objections. */
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
  let review: Review | undefined;
  let steps = 0;
  let ended = await converse(talk, answerTool(log), [{ role: "user", content: asked(question) }]);
  for (let returned = 0; ; returned++) {
    steps += ended.steps;
    const attempted = () => ({ language, ended, solved, model, review, records: log.records });
    if (!("result" in ended)) return { ...attempted(), model: model ?? (await lastModel(log, session, work)) };
    solved = ended.result;
    review = undefined;
    if (solved.evidence.kind === "open") return { ...attempted(), model: await lastModel(log, session, work) };
    const shown = modelText(solved.evidence.call, { records: log.records, session, deadline });
    model = await shown.catch(() => null);
    if (model !== null) work.emit({ kind: "model", language, text: model });
    if (work.reviews === undefined) return attempted();
    review = await reviewed(work, language, solved, model ?? "(the server does not show it)");
    work.emit({ kind: "review", ...review });
    if (review.result !== "incorrect" || returned >= work.reviews) return attempted();
    const words = `A reviewer objects. Judge each objection; correct the model where it is right, and answer again.\n${review.reasons.join("\n")}`;
    const again = { ...talk, steps_max: work.steps_max - steps };
    ended = await converse(again, answerTool(log), objected(ended, "answer", words));
  }
}

/** The model of the last deciding call, where there was one. */
async function lastModel(log: CallLog, session: Session, { deadline }: Work): Promise<string | null> {
  const record = log.records.findLast(isDeciding);
  if (!record || deadline.signal.aborted || deadline.is_over) return null;
  const call = callOf(record, log.records);
  return call ? modelText(call, { records: log.records, session, deadline }).catch(() => null) : null;
}

/** The tools of a role, and only those of the language of its session. */
async function toolsOf(work: Work, session: Session, role: Role, log: CallLog) {
  const { deadline } = work;
  const names = [...toolsFor(session.language), ...(work.question.files.length > 0 ? ["read_data"] : [])];
  const listed = (await session.tools(deadline)).filter(({ name }) => names.includes(name));
  const onCall = (record: CallRecord) => work.emit({ kind: "call", role, record });
  return { tools: sessionTools(session, listed, { log, deadline, onCall }) };
}

/** A review in a session of its own. It never fails: a review that can't be had is `unknown`. */
async function reviewed(work: Work, language: Language, solved: Solved, model: string): Promise<Review> {
  const deadline = work.deadline.atMost(work.deadline.left_ms * agent_limits.review_share);
  const own = { ...work, deadline };
  const log = new CallLog();
  const session = await Session.open(work.open, language, deadline).catch(() => undefined);
  if (!session) return { result: "unknown", reasons: ["the reviewer got no connection to the server"] };
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
    const request = { role: "user" as const, content: reviewRequest(work.question, language, solved, model) };
    const ended = await converse(talk, reviewTool(work.question, log), [request]);
    if ("result" in ended) return ended.result;
    return { result: "unknown", reasons: [`the review came to no result: ${stopReason(ended)}`] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { result: "unknown", reasons: [`the review came to no result: ${why}`] };
  } finally {
    await session.close();
  }
}

/** The language of the model that is shown: a call that was refused can have another than the attempt. */
export function languageOf({ language, records }: Attempt): Language {
  const { record } = evidenceOf(records);
  const { args = {} } = (record && callOf(record, records)) ?? {};
  return z.enum(languages).catch(language).parse(args["language"]);
}
