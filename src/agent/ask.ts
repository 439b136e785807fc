import { basename } from "node:path";
import { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import { type Attempt, attempt, languageOf } from "./attempt.ts";
import { Budget } from "./loop/budget.ts";
import type { Ended } from "./loop/converse.ts";
import type { Event } from "./loop/events.ts";
import { lastResult, nothing, type Outcome, statusOfStop, stopReason, verdictOf } from "./outcome.ts";
import { Tally } from "./report/statistics.ts";
import { newQuestion } from "./roles/question.ts";
import { type Route, route } from "./roles/router.ts";
import type { Task, Work } from "./task.ts";

/**
 * Answers a question posed in words. Whatever the models and engines do, it returns an outcome within its limits.
 * Raises `invalid_argument` for a budget too small for one step, and `engine_missing` if the server can't be reached.
 */
export async function answerQuestion(task: Task): Promise<Outcome> {
  const budget = new Budget(task.tokens_max);
  const deadline = new Deadline(task.timeout_ms, task.signal);
  const tally = new Tally();
  const emit = (event: Event) => {
    tally.take(event);
    task.emit(event);
  };
  const work: Work = {
    ...task,
    emit,
    budget,
    deadline,
    question: newQuestion(
      task.text,
      task.data_files?.map((path) => basename(path)),
    ),
  };
  const { chosen, attempted, stopped } = await withRoute(work).catch((thrown: unknown) => endedOutside(thrown, work));
  const without_statistics = attempted ? endedBy(task.signal, outcomeOf(attempted)) : stoppedOutcome(stopped);
  refuseTinyBudget(without_statistics.reason, budget);
  return {
    ...without_statistics,
    language: attempted ? languageOf(attempted) : null,
    language_why: chosen?.why ?? null,
    statistics: tally.statistics(budget),
  };
}

/** The outcome if the user, the deadline or a server failure interrupts the work between two conversations. */
function endedOutside(thrown: unknown, { signal, deadline }: Work): Routed {
  if (signal.aborted) return { stopped: { messages: [], steps: 0, stop: "interrupted" } };
  if (deadline.is_over) return { stopped: { messages: [], steps: 0, stop: "time" } };
  if (thrown instanceof Fault) throw thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  throw new Fault("engine_failed", `The MCP server failed: ${why}.`, ["ask again", "check the server's log"]);
}

type Judged = Omit<Outcome, "language" | "language_why" | "statistics">;

interface Routed {
  readonly chosen?: Route;
  readonly attempted?: Attempt;
  readonly stopped?: Ended<Route>;
}

/**
 * Makes one attempt. If it reaches no verdict and the user did not choose the language, makes a second attempt in
 * another language.
 */
async function withRoute(work: Work): Promise<Routed> {
  if (work.language !== "auto") return { attempted: await attempt(work, work.language) };
  const model = work.models.router;
  const first = await route(work.question, { ...work, model });
  if (!("language" in first)) return { stopped: first };
  work.emit({ kind: "route", ...first, is_change: false });
  const attempted = await attempt(work, first.language);
  if (!deservesAnother(attempted)) return { chosen: first, attempted };
  const how = outcomeOf(attempted).reason ?? "it decided nothing";
  const second = await route(work.question, { ...work, model, failed: { language: first.language, how } });
  if (!("language" in second)) return { chosen: first, attempted };
  work.emit({ kind: "route", ...second, is_change: true });
  return { chosen: second, attempted: await attempt(work, second.language) };
}

/**
 * Whether another language could help. The language can cause faults, loops and undecided answers, but not an
 * interruption or running out of tokens or time.
 */
function deservesAnother({ ended, solved }: Attempt): boolean {
  if (solved) return solved.evidence.kind === "open";
  return "stop" in ended && ["repairs", "repeats", "no_answer", "unusable", "not_borne", "steps"].includes(ended.stop);
}

function outcomeOf({ ended, solved, model, checked, review, records }: Attempt): Judged {
  const stopped = "stop" in ended ? { status: statusOfStop(ended.stop), reason: stopReason(ended) } : undefined;
  if (!solved || solved.evidence.kind === "open") {
    const why = solved?.evidence.kind === "open" ? solved.evidence.why : "no answer";
    return {
      ...nothing,
      status: stopped?.status ?? "undecided",
      reason: stopped?.reason ?? why,
      model,
      not_modelled: solved?.not_modelled ?? [],
      last_result: lastResult(records),
    };
  }
  const objection =
    review?.result === "incorrect"
      ? "the reviewer objects to the model"
      : checked?.status === "violated"
        ? "the answer violates rules of a checker written from the problem"
        : undefined;
  return {
    status: objection ? "disputed" : stopped?.status === "interrupted" ? "interrupted" : "solved",
    reason: objection ?? stopped?.reason ?? null,
    answer: solved.answer,
    model,
    values: solved.values,
    verdict: verdictOf(solved.evidence),
    not_modelled: solved.not_modelled,
    checker: checked ?? null,
    review: review ?? null,
    last_result: null,
  };
}

/** If the user interrupted the review, keeps the verdict but does not report the problem as solved. */
function endedBy(signal: AbortSignal, judged: Judged): Judged {
  if (!signal.aborted || judged.status !== "solved") return judged;
  return { ...judged, status: "interrupted", reason: stopReason({ stop: "interrupted" }) };
}

/** The outcome of a question that ended before any attempt. */
function stoppedOutcome(ended: Ended<Route> | undefined): Judged {
  if (!ended || !("stop" in ended)) throw new Error("a question is either attempted or stopped beforehand");
  return { ...nothing, status: statusOfStop(ended.stop), reason: stopReason(ended) };
}

function refuseTinyBudget(reason: string | null, budget: Budget): void {
  if (reason !== stopReason({ stop: "budget" }) || budget.left < budget.tokens_max) return;
  throw new Fault("invalid_argument", `A budget of ${budget.tokens_max} tokens is too small for the first step.`, [
    "set --budget-tokens to at least 20000: each step sends the language's guide",
  ]);
}
