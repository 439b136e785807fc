import type { Deadline } from "../../kernel/deadline.ts";
import type { Host, Unanswered } from "./host.ts";
import { type Message, messagesIn, type Place } from "./messages.ts";
import { exit_codes } from "./read.ts";

/** A part that is never grounded is still parsed and checked for unsafe variables. */
const unground = "#program check.\n";

/** clingo's messages about a program without grounding it; otherwise as `Host.ask`. */
export async function check(host: Host, program: string, deadline: Deadline): Promise<readonly Message[] | Unanswered> {
  const reply = await host.ask({ program: `${unground}${program}`, args: ["--mode=gringo", "--text"] }, deadline);
  if (reply === undefined || typeof reply === "string") return reply;
  if (reply.code === exit_codes.out_of_memory) {
    // clingo never frees the memory of a program.
    host.discard();
    return undefined;
  }
  const messages = messagesIn(reply.stderr).map((message) => ({
    ...message,
    place: message.place && below(message.place),
    notes: message.notes.map((note) => ({ ...note, place: below(note.place) })),
  }));
  if (reply.code === 0 || messages.some(({ severity }) => severity === "error")) return messages;
  return [...messages, { severity: "error", place: undefined, text: `clingo ended with ${reply.code}`, notes: [] }];
}

/** The position in the program without the line that was put in front. */
function below(place: Place): Place {
  return { ...place, line: place.line - 1 };
}
