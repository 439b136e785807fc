import { type ModelSettings, readModelSettings } from "../config.ts";
import { Fault } from "../kernel/fault.ts";
import { filesOf } from "./data_files.ts";
import { asRecord } from "./evidence/json.ts";
import { type AskFlags, ask_flags, readFlags } from "./flags.ts";
import { Budget } from "./loop/budget.ts";
import type { Event } from "./loop/events.ts";
import type { OpenTransport } from "./loop/session.ts";
import { openModels } from "./models/open.ts";
import { nothing, type Outcome, type Status } from "./outcome.ts";
import { checkedText, readProblem } from "./problem_text.ts";
import { Keeper } from "./report/save.ts";
import { type Detail, eventLine, outcomeText, statisticsText } from "./report/show.ts";
import { Tally } from "./report/statistics.ts";
import { isAddress, type Task } from "./task.ts";

/** What the command line provides: its words and flags, the in-process server, and the user's interrupt signal. */
export interface AskCall {
  readonly words: readonly string[];
  readonly flags: unknown;
  /** Opens a connection to the in-process server, which can read these data files. */
  readonly open: (data_files: readonly string[]) => OpenTransport;
  readonly signal: AbortSignal;
}

const exit_codes: Readonly<Record<Status, number>> = {
  solved: 0,
  disputed: 1,
  undecided: 1,
  failed: 1,
  interrupted: 130,
};

/**
 * `verdict ask`: prints the outcome on stdout and the progress on stderr, and returns the exit code. The packages for
 * models and servers are loaded only after the question has been checked, so that input errors are reported sooner.
 */
export async function runAsk(call: AskCall): Promise<number> {
  const ask = async () => {
    const flags = readFlags(ask_flags, call.flags);
    const settings = readModelSettings(flags);
    const { problem: file, data } = await filesOf(flags);
    const text = checkedText(await readProblem(call.words, { ...flags, file }, call.signal));
    const models = await openModels({ model: settings.model, reviewer: flags.reviewerModel }, settings);
    const task = await taskOf(text, flags, { ...call, open: call.open(data), data_files: data, models, settings });
    if (data.length > 0 && flags.mcp !== undefined && isAddress(flags.mcp)) {
      const { sendFiles } = await import("./loop/transports.ts");
      await sendFiles(flags.mcp, settings, data, call.signal);
    }
    const keeper = flags.save === undefined ? undefined : await Keeper.open(flags.save, text);
    const emit = eventPrinter(flags, settings);
    const take = (event: Event) => {
      emit(event);
      keeper?.take(event);
    };
    const { answerQuestion } = await import("./ask.ts");
    const outcome = await answerQuestion({ ...task, emit: take });
    print(outcome, flags, settings);
    const unsaved = await keeper?.end(outcome);
    if (unsaved === undefined) return exitCode(outcome);
    console.error(`Not everything was saved in ${flags.save}: ${unsaved}.`);
    return exitCode(outcome) || 1;
  };
  return orFault(ask, (fault) => {
    if (asRecord(call.flags)["json"] === true) console.log(JSON.stringify(failedOutcome(fault), null, 2));
  });
}

/** The outcome of a question that never started, so that `--json` always prints an object. */
function failedOutcome({ code, message }: Fault): Outcome {
  const status = code === "cancelled" ? "interrupted" : "failed";
  const statistics = new Tally().statistics(new Budget(0));
  return { ...nothing, status, reason: message, language: null, language_why: null, statistics };
}

/** If the provider never answered, the user has to correct an input: the model's name, key or address. */
function exitCode({ status, statistics }: Outcome): number {
  return status === "failed" && statistics.steps === 0 ? 2 : exit_codes[status];
}

/** Reports a fault as one that the user can correct. */
export async function orFault(work: () => Promise<number>, tell = (_: Fault) => {}): Promise<number> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    tell(thrown);
    if (thrown.code === "cancelled") return exit_codes.interrupted;
    console.error(`${thrown.message}\nWhat to do: ${thrown.report().remedy}.`);
    return 2;
  }
}

type TaskFlags = Pick<AskFlags, "language" | "maxSteps" | "budgetTokens" | "timeout" | "reviews" | "review" | "mcp">;

/** Builds the task from the flags. */
export async function taskOf(
  text: string,
  flags: TaskFlags,
  {
    models,
    settings,
    open,
    data_files = [],
    signal,
  }: Pick<Task, "open" | "signal" | "models" | "data_files"> & { readonly settings: ModelSettings },
): Promise<Omit<Task, "emit">> {
  return {
    text,
    models,
    language: flags.language,
    reviews: flags.review ? flags.reviews : undefined,
    steps_max: flags.maxSteps,
    tokens_max: flags.budgetTokens,
    timeout_ms: flags.timeout * 1000,
    data_files,
    is_sent: flags.mcp !== undefined && isAddress(flags.mcp),
    open:
      flags.mcp === undefined
        ? open
        : (await import("./loop/transports.ts")).namedServer(flags.mcp, settings, data_files),
    signal,
  };
}

/** Shows events on stderr as they happen. */
export function eventPrinter(
  flags: Pick<AskFlags, "quiet" | "verbose">,
  { colour }: ModelSettings,
): (event: Event) => void {
  const detail: Detail = flags.quiet ? "quiet" : flags.verbose ? "verbose" : "usual";
  const is_coloured = colour && process.stderr.isTTY === true;
  return (event) => {
    const line = eventLine(event, detail, is_coloured);
    // The line contains colours; control characters in the model's text are already made visible.
    if (line !== undefined) process.stderr.write(`${line}\n`);
  };
}

function print(outcome: Outcome, { json, quiet }: AskFlags, { colour }: ModelSettings): void {
  if (json) {
    console.log(JSON.stringify(outcome, null, 2));
    return;
  }
  process.stdout.write(`${outcomeText(outcome, colour && process.stdout.isTTY === true)}\n`);
  if (!quiet)
    process.stderr.write(`\n${statisticsText(outcome.statistics, colour && process.stderr.isTTY === true)}\n`);
}
