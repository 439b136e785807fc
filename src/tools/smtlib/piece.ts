import { type Node, walk } from "../../engines/smt/sexpr.ts";
import type { Command } from "./script/commands.ts";

/** A part of the text for the solver, and its origin in the user's text. */
interface Span {
  readonly text: string;
  readonly at: number;
  /** True if it is the user's text, letter by letter. */
  readonly verbatim: boolean;
}

/** Text for the solver with its mapping to the user's text. */
export class Piece {
  readonly #spans: readonly Span[];

  private constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** A command as the user wrote it, but for letters in strings that Z3 would misread. */
  static of(text: string, command: Command): Piece {
    return new Piece(spansOf(text, command.node, command.head !== "echo"));
  }

  /** A formula as the user wrote it, between Verdict's own words: `(assert F)` with a name, or without the one that it has. */
  static within(text: string, command: Command, before: string, formula: Node, after: string): Piece {
    const ours = (words: string, at: number) => ({ text: words, at, verbatim: false });
    return new Piece([ours(before, command.node.start), ...spansOf(text, formula, true), ours(after, formula.end)]);
  }

  /** A formula alone. */
  static formula(text: string, formula: Node): Piece {
    return new Piece(spansOf(text, formula, true));
  }

  /** Verdict's own text, which belongs to this position of the user's text. */
  static added(text: string, at: number): Piece {
    return new Piece([{ text, at, verbatim: false }]);
  }

  /** Several pieces, each beginning on its own line. */
  static join(pieces: readonly Piece[]): Piece {
    return new Piece(pieces.flatMap((piece) => [...piece.#spans, { text: "\n", at: piece.#end, verbatim: false }]));
  }

  get text(): string {
    return this.#spans.map((span) => span.text).join("");
  }

  /** Offset in the user's text of a position that Z3 names: a line from 0, and bytes before it. */
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
 * Z3 reads a string byte by byte, so "é" would have length 2. SMT-LIB writes such a letter as `\u{e9}` (theory Strings,
 * section on escapes), and this form is sent.
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
