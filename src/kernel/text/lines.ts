import type { Position } from "../fault.ts";

/** Converts offsets to lines and columns, both counted from 1. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

/** Formats a position as every message shows it: "line 3, column 7". */
export function place({ line, column }: Position): string {
  return `line ${line}, column ${column}`;
}

/**
 * Splits a text into lines, which end with `\n`, `\r\n` or `\r`. A line end at the end of the text does not start
 * another line.
 */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/(\r\n?|\n)$/, "").split(/\r\n?|\n/);
}

/** Returns the last line of a text that is not blank, or "". */
export function lastLineOf(text: string): string {
  return linesOf(text.trim()).at(-1) ?? "";
}
