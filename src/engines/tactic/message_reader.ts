const [line_feed, quote, backslash] = [10, 34, 92];
const opening = new Set([91, 123]);
const closing = new Set([93, 125]);
const blank = new Set([9, 13, 32]);

/**
 * Splits bytes into messages: lines, and JSON objects that are complete before the end of their line. Blank messages
 * are omitted.
 */
export class MessageReader {
  readonly #bytes_max: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /**
   * The reader's position: after nothing but white space, inside an object, or in other text, which ends with its line.
   */
  #place: "start" | "object" | "text" = "start";
  #depth = 0;
  #quoted = false;
  #escaped = false;

  constructor(bytes_max: number) {
    this.#bytes_max = bytes_max;
  }

  /** Returns the messages that this piece completes; "too_long" if a message exceeds the size limit. */
  take(piece: Buffer): string[] | "too_long" {
    const messages: string[] = [];
    let from = 0;
    for (const [at, byte] of piece.entries()) {
      if (byte !== line_feed && !this.#completes(byte)) continue;
      if (this.#bytes + at - from > this.#bytes_max) return "too_long";
      const message = Buffer.concat([...this.#parts, piece.subarray(from, at + 1)]).toString("utf8");
      if (message.trim() !== "") messages.push(message);
      this.#begin();
      from = at + 1;
    }
    const rest = piece.subarray(from);
    if (rest.length > 0) this.#parts.push(rest);
    this.#bytes += rest.length;
    return this.#bytes > this.#bytes_max ? "too_long" : messages;
  }

  /** The bytes after the last message. */
  get rest(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }

  #begin(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#place = "start";
    this.#depth = 0;
    this.#quoted = false;
    this.#escaped = false;
  }

  /** Whether an object ends with this byte. */
  #completes(byte: number): boolean {
    if (this.#place === "start" && !blank.has(byte)) this.#place = byte === 123 ? "object" : "text";
    if (this.#place !== "object") return false;
    if (this.#quoted) {
      if (byte === quote && !this.#escaped) this.#quoted = false;
      this.#escaped = byte === backslash && !this.#escaped;
      return false;
    }
    if (byte === quote) this.#quoted = true;
    if (opening.has(byte)) this.#depth++;
    if (closing.has(byte)) this.#depth--;
    return this.#depth === 0;
  }
}
