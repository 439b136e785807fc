import type { IncomingMessage } from "node:http";
import { type Envelope, readEnvelope } from "../envelope.ts";
import { server_limits } from "../limits.ts";

/**
 * Reads a request's body, up to the maximum message size. If the body is larger, returns undefined, and the connection
 * is closed.
 */
export async function readBody(
  request: IncomingMessage,
  onBytes: (count: number) => void,
): Promise<Envelope | undefined> {
  // If the declared length is too large, the body is rejected without being read.
  if (Number(request.headers["content-length"]) > server_limits.message_bytes_max) return undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    if (!(piece instanceof Buffer)) continue;
    size += piece.length;
    onBytes(piece.length);
    if (size > server_limits.message_bytes_max) return undefined;
    pieces.push(piece);
  }
  return readEnvelope({ kind: "whole", bytes: Buffer.concat(pieces) });
}
