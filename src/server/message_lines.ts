import { server_limits } from "./limits.ts";

/** A complete line, or only both ends of a line that is too long. */
export type MessageLine =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "too_long"; readonly begin: Buffer; readonly end: Buffer };

const { message_bytes_max, message_edge_bytes } = server_limits;
const newline = 10;

/** Splits a client's input into lines. A line that is too long is skipped to its end, and its memory is freed. */
export class MessageLines {
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The beginning and the end of the line that is being skipped. */
  #skipped: { readonly begin: Buffer; end: Buffer } | undefined;

  /** Returns the lines that this chunk completes. */
  take(piece: Buffer): MessageLine[] {
    const lines: MessageLine[] = [];
    let from = 0;
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, from)) {
      this.#add(piece.subarray(from, at));
      lines.push(this.#complete());
      from = at + 1;
    }
    this.#add(piece.subarray(from));
    return lines;
  }

  #add(part: Buffer): void {
    if (this.#skipped) {
      this.#skipped.end = lastOf(Buffer.concat([this.#skipped.end, lastOf(part)]));
      return;
    }
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= message_bytes_max) return;
    const whole = Buffer.concat(this.#parts);
    this.#skipped = { begin: Buffer.from(whole.subarray(0, message_edge_bytes)), end: lastOf(whole) };
    this.#parts = [];
  }

  #complete(): MessageLine {
    const line: MessageLine = this.#skipped
      ? { kind: "too_long", ...this.#skipped }
      : { kind: "whole", bytes: Buffer.concat(this.#parts) };
    this.#parts = [];
    this.#bytes = 0;
    this.#skipped = undefined;
    return line;
  }
}

/** Returns a copy of the last bytes. A view would keep all bytes in memory. */
function lastOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - message_edge_bytes)));
}
