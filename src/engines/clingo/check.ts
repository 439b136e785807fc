import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled, shortOf } from "../../kernel/fault.ts";
import { exit_codes } from "./exit_codes.ts";
import type { Answered, Host } from "./host.ts";
import { type Message, messagesIn, type Place } from "./messages.ts";

/** A part that is never grounded is still parsed and checked for unsafe variables. */
const unground = "#program check.\n";

/** Why there is no answer. */
export type Unanswered = undefined | "expired" | "stalled";

/**
 * clingo's messages about a program without grounding it; undefined if the process crashed or memory ran out, "expired" if
 * it took too long, "stalled" if it had been stopped from outside. Raises `cancelled`, and `engine_failed` if this machine
 * could not start the process.
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

/** clingo's exit code, or why there is none. Raises `cancelled`, and `engine_failed` if its process could not be started. */
export function codeOf({ ending, is_gone }: Answered, { signal }: Deadline): number | Unanswered {
  if (signal.aborted) throw cancelled();
  if (ending.kind === "not_started") return startFailed(ending.detail);
  if (ending.kind === "stopped") return ending.why === "deadline" ? "expired" : undefined;
  if (ending.kind === "signalled") return ending.signal === "SIGSTOP" ? "stalled" : undefined;
  return is_gone ? undefined : ending.code;
}

/** If the system did not start the process, that says nothing about the program. */
function startFailed(detail: string): undefined {
  const short = shortOf("start clingo", detail);
  if (short) throw short;
}

/** The position in the program without the inserted first line. */
function below(place: Place): Place {
  return { ...place, line: place.line - 1 };
}
