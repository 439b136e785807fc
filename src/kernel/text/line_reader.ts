/** Splits a stream of text into lines, with a bound on an unfinished line. */
export class LineReader {
  readonly #chars_max: number;
  readonly #end: RegExp | string;
  #rest: string[] = [];
  #chars = 0;

  /** Lines end with a newline unless `end` specifies another line end, such as a terminal's. */
  constructor(chars_max: number, end: RegExp | string = "\n") {
    this.#chars_max = chars_max;
    this.#end = end;
  }

  /** Returns the lines that this piece completes. A line that grows too long is returned unfinished. */
  take(text: string): readonly string[] {
    const pieces = text.split(this.#end);
    const last = pieces.pop() ?? "";
    const lines = pieces.map((piece, i) => (i === 0 ? this.#rest.join("") + piece : piece));
    if (pieces.length > 0) {
      this.#rest = [];
      this.#chars = 0;
    }
    this.#rest.push(last);
    this.#chars += last.length;
    return this.#chars > this.#chars_max ? [...lines, this.#rest.join("")] : lines;
  }
}

/**
 * Passes on the complete lines of a stream, except blank ones. An unfinished line is passed on when it grows too long.
 */
export function eachLine(onLine: (line: string) => void, chars_max: number): (text: string) => void {
  const reader = new LineReader(chars_max);
  return (text) => {
    for (const line of reader.take(text)) if (line.trim() !== "") onLine(line);
  };
}
