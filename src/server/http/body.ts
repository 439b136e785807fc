import type { IncomingMessage } from "node:http";
import { type Envelope, readEnvelope } from "../envelope.ts";
import { server_limits } from "../limits.ts";

/** Reads the body of a request, up to the bound of a message; undefined if it is larger, which ends the connection. */
export async function readBody(
  request: IncomingMessage,
  onBytes: (count: number) => void,
): Promise<Envelope | undefined> {
  // One that says how long it is need not be sent to be refused.
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
