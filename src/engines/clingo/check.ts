import type { Deadline } from "../../kernel/deadline.ts";
import type { Host, Unanswered } from "./host.ts";
import { type Message, messagesIn, type Place } from "./messages.ts";
import { exit_codes } from "./read.ts";

/** A part that nobody asks for is parsed and searched for unsafe variables like any other, but never grounded. */
const unground = "#program check.\n";

/** What clingo says of a program without grounding it; else as `Host.ask`. */
export async function check(host: Host, program: string, deadline: Deadline): Promise<readonly Message[] | Unanswered> {
  const reply = await host.ask({ program: `${unground}${program}`, args: ["--mode=gringo", "--text"] }, deadline);
  if (reply === undefined || typeof reply === "string") return reply;
  if (reply.code === exit_codes.out_of_memory) {
    // What it took it does not give back.
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

/** The place in the program without the line that was put before it. */
function below(place: Place): Place {
  return { ...place, line: place.line - 1 };
}
