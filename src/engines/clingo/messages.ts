import { linesOf } from "../../kernel/text/lines.ts";

/** A position in the program, counted as clingo does: lines and columns start at 1, and columns are UTF-8 bytes. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A message that clingo printed on stderr. */
export interface Message {
  readonly severity: "error" | "warning" | "info";
  /** The message's position; undefined if it concerns no position in the program. */
  readonly place: Place | undefined;
  readonly text: string;
  /** The message's details, such as which variable is unsafe or where a constant was first defined. */
  readonly notes: readonly Note[];
}

export interface Note {
  readonly place: Place;
  readonly text: string;
}

const located = /^(?:-|\/dev\/stdin):(\d+):(\d+)-(?:\d+:)?\d+: (error|warning|info|note): (.*)$/;
const general = /^\*\*\* (ERROR|Warn) *: \(clingo\): (.*)$/;

interface Draft {
  readonly severity: Message["severity"];
  readonly place: Place | undefined;
  readonly lines: string[];
  readonly notes: Note[];
}

/** The messages in clingo's stderr output, in order. */
export function messagesIn(stderr: string): Message[] {
  const drafts: Draft[] = [];
  for (const line of linesOf(stderr)) take(line, drafts);
  return drafts.map(({ severity, place, lines, notes }) => ({ severity, place, notes, text: lines.join(" ") }));
}

function take(line: string, drafts: Draft[]): void {
  const [, row, column, word, text = ""] = located.exec(line) ?? [];
  const last = drafts.at(-1);
  if (word !== undefined) {
    const place = { line: Number(row), column: Number(column) };
    if (word === "note") last?.notes.push({ place, text });
    else drafts.push({ severity: severityOf(word), place, lines: [text], notes: [] });
    return;
  }
  const [, sign, message] = general.exec(line) ?? [];
  if (sign !== undefined && message !== undefined)
    drafts.push({
      severity: sign === "Warn" ? "warning" : "error",
      place: undefined,
      lines: [plain(message)],
      notes: [],
    });
  else if (line.startsWith("  ") && last?.notes.length === 0) last.lines.push(line.trim());
}

function severityOf(word: string): Message["severity"] {
  return word === "error" || word === "warning" ? word : "info";
}

/** Removes the name of the C++ function that reported the message. */
function plain(text: string): string {
  return text.replace(/^.* Clasp::.*@\d+: /, "");
}
