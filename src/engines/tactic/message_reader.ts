const [line_feed, quote, backslash] = [10, 34, 92];
const opening = new Set([91, 123]);
const closing = new Set([93, 125]);
const blank = new Set([9, 13, 32]);

/** Cuts bytes into messages: lines, and JSON objects that are complete before their line ends. Blank ones are left out. */
export class MessageReader {
  readonly #bytes_max: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Nothing but space so far; inside of an object that has begun; or in other text, which its line ends. */
  #place: "start" | "object" | "text" = "start";
  #depth = 0;
  #quoted = false;
  #escaped = false;

  constructor(bytes_max: number) {
    this.#bytes_max = bytes_max;
  }

  /** The messages that this piece completes; "too_long" when the one that has begun is past the bound. */
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
