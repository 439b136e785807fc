import { open as openFile } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { type ModelSettings, readModelSettings } from "../config.ts";
import { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import { answerQuestion, type Task } from "./ask.ts";
import { type AskFlags, ask_flags, checkedText, readFlags } from "./flags.ts";
import { agent_limits } from "./limits.ts";
import type { Event } from "./loop/events.ts";
import type { OpenTransport } from "./loop/session.ts";
import { namedServer } from "./loop/transports.ts";
import { openModels } from "./models/open.ts";
import type { Outcome, Status } from "./outcome.ts";
import { Keeper } from "./report/save.ts";
import { type Detail, eventLine, outcomeText, statisticsText } from "./report/show.ts";

/** What the command line gives: its words and flags, the server in this process, and the user's wish to end it. */
export interface AskCall {
  readonly words: readonly string[];
  readonly flags: unknown;
  readonly open: OpenTransport;
  readonly signal: AbortSignal;
}

const exit_codes: Readonly<Record<Status, number>> = {
  solved: 0,
  disputed: 1,
  undecided: 1,
  failed: 1,
  interrupted: 130,
};

/** `verdict ask`: prints the outcome on stdout and the way to it on stderr, and returns the exit code. */
export async function runAsk(call: AskCall): Promise<number> {
  return orFault(async () => {
    const flags = readFlags(ask_flags, call.flags);
    const settings = readModelSettings(flags);
    const text = checkedText(await readProblem(call.words, flags, call.signal));
    const models = await openModels({ model: settings.model, reviewer: flags.reviewerModel }, settings);
    const task = taskOf(text, flags, { ...call, models, settings });
    const keeper = flags.save === undefined ? undefined : await Keeper.open(flags.save, text);
    const emit = eventPrinter(flags, settings);
    const take = (event: Event) => {
      emit(event);
      keeper?.take(event);
    };
    const outcome = await answerQuestion({ ...task, emit: take });
    print(outcome, flags, settings);
    await keeper?.end(outcome);
    return exitCode(outcome);
  });
}

/** A provider that answers nothing at all is an input to correct: its name, its key, its address. */
function exitCode({ status, statistics }: Outcome): number {
  return status === "failed" && statistics.steps === 0 ? 2 : exit_codes[status];
}

/** Prints a fault as one that the user can correct. */
export async function orFault(work: () => Promise<number>): Promise<number> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    console.error(`${thrown.message}\nWhat to do: ${thrown.report().remedy}.`);
    return 2;
  }
}

type TaskFlags = Pick<AskFlags, "language" | "maxSteps" | "budgetTokens" | "timeout" | "reviews" | "review" | "mcp">;

/** The task for some flags. */
export function taskOf(
  text: string,
  flags: TaskFlags,
  {
    models,
    settings,
    open,
    signal,
  }: Pick<AskCall, "open" | "signal"> & { readonly models: Task["models"]; readonly settings: ModelSettings },
): Omit<Task, "emit"> {
  return {
    text,
    models,
    language: flags.language,
    reviews: flags.review ? flags.reviews : undefined,
    steps_max: flags.maxSteps,
    tokens_max: flags.budgetTokens,
    timeout_ms: flags.timeout * 1000,
    open: flags.mcp === undefined ? open : namedServer(flags.mcp, settings),
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
    if (line !== undefined) console.error(line);
  };
}

function print(outcome: Outcome, { json, quiet }: AskFlags, { colour }: ModelSettings): void {
  if (json) {
    console.log(JSON.stringify(outcome, null, 2));
    return;
  }
  console.log(outcomeText(outcome, colour && process.stdout.isTTY === true));
  if (!quiet) console.error(`\n${statisticsText(outcome.statistics, colour && process.stderr.isTTY === true)}`);
}

async function readProblem(
  words: readonly string[],
  { file, timeout }: Pick<AskFlags, "file" | "timeout">,
  signal: AbortSignal,
): Promise<string> {
  if (words.length > 0 && file !== undefined)
    throw new Fault("invalid_argument", "The problem is given twice: as words and as --file.", [
      "leave one of them out",
    ]);
  if (file !== undefined && file !== "-") return readBounded(file);
  const is_stdin =
    file === "-" || (words.length === 1 && words[0] === "-") || (words.length === 0 && !process.stdin.isTTY);
  return is_stdin ? new Deadline(timeout * 1000, signal).signalling(readStdin) : words.join(" ");
}

/** The beginning of a file, long enough to see that it is too long. */
async function readBounded(file: string): Promise<string> {
  const bytes_max = 4 * agent_limits.question_chars_max + 4;
  try {
    const opened = await openFile(file, "r");
    try {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(bytes_max), 0, bytes_max, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await opened.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("invalid_argument", `The problem can't be read: ${why}.`, ["check the path that --file names"]);
  }
}

/** A pipe that nobody closes would be read for ever. */
async function readStdin(signal: AbortSignal): Promise<string> {
  let text = "";
  try {
    for await (const piece of addAbortSignal(signal, process.stdin.setEncoding("utf8"))) {
      text += String(piece);
      if (text.length > agent_limits.question_chars_max) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Fault("invalid_argument", "The problem did not arrive on stdin: it was not closed in time.", [
      'give the problem as words: verdict ask "…"',
      "name a file with --file, or close the pipe",
    ]);
  }
  return text;
}
