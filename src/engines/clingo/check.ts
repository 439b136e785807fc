import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled, shortOf } from "../../kernel/fault.ts";
import { exit_codes } from "./exit_codes.ts";
import type { Answered, Host } from "./host.ts";
import { type Message, messagesIn, type Place } from "./messages.ts";

/** Puts the program into a part that is never grounded; clingo still parses it and checks it for unsafe variables. */
const unground = "#program check.\n";

/** The reason why clingo gave no answer. */
export type Unanswered = undefined | "expired" | "stalled";

/**
 * Returns clingo's messages about a program, without grounding it; undefined if the process crashed or memory ran out,
 * "expired" if it took too long, or "stalled" if it was suspended from outside. Raises `cancelled`, and `engine_failed`
 * if this machine could not start the process.
 */
export async function check(host: Host, program: string, deadline: Deadline): Promise<readonly Message[] | Unanswered> {
  const question = { program: `${unground}${program}`, args: ["--mode=gringo", "--text"] };
  const end = await host.run(question, deadline);
  const code = codeOf(end, deadline);
  if (code === exit_codes.out_of_memory) return undefined;
  if (typeof code !== "number") return code;
  const messages = messagesIn(end.stderr).map((message) => ({
    ...message,
    place: message.place && below(message.place),
    notes: message.notes.map((note) => ({ ...note, place: below(note.place) })),
  }));
  if (code === exit_codes.grounded || messages.some(({ severity }) => severity === "error")) return messages;
  return [...messages, { severity: "error", place: undefined, text: `clingo ended with ${code}`, notes: [] }];
}

/**
 * Returns clingo's exit code, or the reason why there is none. Raises `cancelled`, and `engine_failed` if the process
 * could not be started.
 */
export function codeOf({ ending, is_gone }: Answered, { signal }: Deadline): number | Unanswered {
  if (signal.aborted) throw cancelled();
  if (ending.kind === "not_started") return startFailed(ending.detail);
  if (ending.kind === "stopped") return ending.why === "deadline" ? "expired" : undefined;
  if (ending.kind === "signalled") return ending.signal === "SIGSTOP" ? "stalled" : undefined;
  return is_gone ? undefined : ending.code;
}

/** Raises a fault if the system could not start the process, which says nothing about the program itself. */
function startFailed(detail: string): undefined {
  const short = shortOf("start clingo", detail);
  if (short) throw short;
}

/** Converts a position to one in the program without the inserted first line. */
function below(place: Place): Place {
  return { ...place, line: place.line - 1 };
}
