import { type Node, walk } from "../../engines/smt/sexpr.ts";
import type { Command } from "./script/commands.ts";

/** A part of the text for the solver, and where it comes from in the user's text. */
interface Span {
  readonly text: string;
  readonly at: number;
  /** Whether the part is the user's text, character by character. */
  readonly verbatim: boolean;
}

/** Text for the solver, with a mapping to the user's text. */
export class Piece {
  readonly #spans: readonly Span[];

  private constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** A command as the user wrote it, except for characters in strings that Z3 would misread. */
  static of(text: string, command: Command): Piece {
    return new Piece(spansOf(text, command.node, command.head !== "echo"));
  }

  /**
   * A formula as the user wrote it, inside Verdict's own text: `(assert F)` with an added name, or without its own
   * name.
   */
  static within(text: string, command: Command, before: string, formula: Node, after: string): Piece {
    const ours = (words: string, at: number) => ({ text: words, at, verbatim: false });
    return new Piece([ours(before, command.node.start), ...spansOf(text, formula, true), ours(after, formula.end)]);
  }

  /** Only a formula, without any text from Verdict. */
  static formula(text: string, formula: Node): Piece {
    return new Piece(spansOf(text, formula, true));
  }

  /** Verdict's own text, mapped to this position in the user's text. */
  static added(text: string, at: number): Piece {
    return new Piece([{ text, at, verbatim: false }]);
  }

  /** Joins several pieces, each starting on a new line. */
  static join(pieces: readonly Piece[]): Piece {
    return new Piece(pieces.flatMap((piece) => [...piece.#spans, { text: "\n", at: piece.#end, verbatim: false }]));
  }

  get text(): string {
    return this.#spans.map((span) => span.text).join("");
  }

  /**
   * Maps a position from a Z3 message to an offset in the user's text. Lines count from 0; `bytes` is the number of
   * bytes before the position in its line.
   */
  locate(line: number, bytes: number): number {
    const { text } = this;
    let offset = 0;
    for (let i = 0; i < line; i++) offset = text.indexOf("\n", offset) + 1;
    for (let left = bytes; left > 0 && offset < text.length; ) {
      const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
      left -= Buffer.byteLength(character);
      offset += character.length;
    }
    return this.#origin(offset);
  }

  get #end(): number {
    const last = this.#spans.at(-1);
    return last ? last.at + (last.verbatim ? last.text.length : 0) : 0;
  }

  #origin(offset: number): number {
    let before = 0;
    for (const span of this.#spans) {
      if (offset < before + span.text.length) return span.at + (span.verbatim ? offset - before : 0);
      before += span.text.length;
    }
    return this.#end;
  }
}

const beyond_ascii = /[^\p{ASCII}]/u;

/**
 * Writes each non-ASCII character in a string as an SMT-LIB escape such as `\u{e9}` (theory Strings, section on
 * escapes). Z3 reads a string byte by byte, so "é" itself would have length 2.
 */
function spansOf(text: string, node: Node, rewrite: boolean): Span[] {
  const verbatim = (start: number, end: number) => ({ text: text.slice(start, end), at: start, verbatim: true });
  if (!rewrite || !beyond_ascii.test(text.slice(node.start, node.end))) return [verbatim(node.start, node.end)];
  const spans: Span[] = [];
  let from = node.start;
  for (const atom of walk(node)) {
    if (atom.kind !== "string") continue;
    for (const { index, 0: letter } of atom.text.matchAll(/[^\p{ASCII}]/gu)) {
      const at = atom.start + index;
      spans.push(verbatim(from, at), { text: `\\u{${letter.codePointAt(0)?.toString(16)}}`, at, verbatim: false });
      from = at + letter.length;
    }
  }
  return [...spans, verbatim(from, node.end)];
}
