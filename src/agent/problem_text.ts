import { constants } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { Deadline } from "../kernel/deadline.ts";
import { cancelled, Fault } from "../kernel/fault.ts";
import type { AskFlags } from "./flags.ts";
import { agent_limits } from "./limits.ts";

/** Checks a problem's text against its limits and returns it. Raises `invalid_argument`. */
export function checkedText(text: string): string {
  const problem = text.trim();
  if (problem === "")
    throw new Fault("invalid_argument", "There is no problem.", [
      'write it as one argument: verdict ask "…"',
      "or give --file problem.md, or pipe it in",
    ]);
  if (problem.length > agent_limits.question_chars_max)
    throw new Fault(
      "invalid_argument",
      `The problem has ${problem.length} characters; at most ${agent_limits.question_chars_max} are read.`,
      ["state the problem in words, with the necessary data"],
    );
  // An unreadable character may be a number or a relation, which would change the question.
  if (/[\0\ufffd]/.test(problem))
    throw new Fault("invalid_argument", "The problem is not UTF-8 text.", ["use a text file saved as UTF-8"]);
  return problem;
}

/**
 * Reads the problem given on a command line: its words, a file, or stdin. Raises `invalid_argument` and `cancelled`.
 */
export async function readProblem(
  words: readonly string[],
  { file, timeout }: Pick<AskFlags, "timeout"> & { readonly file: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  if (words.length > 0 && file !== undefined)
    throw new Fault("invalid_argument", "The problem was given twice: in words and with --file.", [
      "leave one of them out",
    ]);
  if (file !== undefined && file !== "-") return readBounded(file);
  const is_stdin =
    file === "-" || (words.length === 1 && words[0] === "-") || (words.length === 0 && !process.stdin.isTTY);
  return is_stdin ? new Deadline(timeout * 1000, signal).signalling((end) => readStdin(end, signal)) : words.join(" ");
}

/** Reads just enough of a file to detect that it is too long. */
async function readBounded(file: string): Promise<string> {
  const bytes_max = 4 * agent_limits.question_chars_max + 4;
  try {
    // The open must not block: opening a pipe would wait for a writer forever.
    const opened = await openFile(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if ((await opened.stat()).isFIFO()) throw new Error("it is a pipe; use it as stdin");
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(bytes_max), 0, bytes_max, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await opened.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("invalid_argument", `The problem can't be read: ${why}.`, ["check the path given with --file"]);
  }
}

/** Reads stdin until a deadline, since a pipe that nobody closes would be read forever. */
async function readStdin(end: AbortSignal, user: AbortSignal): Promise<string> {
  let text = "";
  try {
    for await (const piece of addAbortSignal(end, process.stdin.setEncoding("utf8"))) {
      text += String(piece);
      if (text.length > agent_limits.question_chars_max) break;
    }
  } catch (error) {
    if (!end.aborted) throw error;
    if (user.aborted) throw cancelled();
    throw new Fault("invalid_argument", "The problem did not arrive on stdin: stdin was not closed in time.", [
      'give the problem as words: verdict ask "…"',
      "name a file with --file, or close the pipe",
    ]);
  }
  return text;
}
