import { linesOf } from "../../kernel/text/lines.ts";

/** A position in the program, as clingo counts: lines and columns from 1, columns in bytes of UTF-8. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A message of clingo on stderr. */
export interface Message {
  readonly severity: "error" | "warning" | "info";
  /** Undefined if it concerns no position of the program. */
  readonly place: Place | undefined;
  readonly text: string;
  /** Its details: which variable is unsafe, where a constant was defined before. */
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

/** The messages in clingo's stderr, in their order. */
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

/** Without the C++ function that reported it. */
function plain(text: string): string {
  return text.replace(/^.* Clasp::.*@\d+: /, "");
}
