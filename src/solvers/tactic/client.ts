import { createConnection } from "node:net";
import type { Job } from "../../kernel/child.ts";
import { errorCode } from "../../kernel/errno.ts";
import { cancelled } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Address } from "./address.ts";
import { LineReader } from "./protocol.ts";

/** What became of a request: the reply, or why there is none. */
export type Exchange =
  | { readonly kind: "reply"; readonly value: unknown }
  /** Nobody listens there, or the host is not to be reached. */
  | { readonly kind: "refused"; readonly detail: string }
  /** The connection ended before the reply did. */
  | { readonly kind: "lost"; readonly detail: string }
  /** Something answered that is no daemon. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "expired"; readonly connected: boolean };

/**
 * Sends one request on a connection of its own, and waits for its reply. Giving up resets the connection,
 * which tells the daemon at once. Raises `cancelled`.
 */
export function exchange({ host, port }: Address, request: object, job: Job): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const reader = new LineReader(limits.tactic_reply_bytes_max);
    const socket = createConnection({ host, port, noDelay: true });
    let connected = false;
    const leave = () => {
      clearTimeout(timer);
      job.signal.removeEventListener("abort", abandon);
      if (connected) socket.resetAndDestroy();
      else socket.destroy();
    };
    const settle = (end: Exchange) => {
      leave();
      resolve(end);
    };
    const abandon = () => {
      leave();
      reject(cancelled());
    };
    const timer = setTimeout(() => settle({ kind: "expired", connected }), job.left_ms);
    job.signal.addEventListener("abort", abandon, { once: true });
    socket.on("connect", () => {
      connected = true;
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on("data", (piece) => {
      const lines = reader.take(Buffer.from(piece));
      const line = lines === "too_long" ? "" : lines[0];
      if (line !== undefined) settle(readReply(line));
    });
    socket.on("end", () => {
      // A daemon that closes after its reply may leave the line end out.
      settle(reader.rest.trim() === "" ? { kind: "lost", detail: "it closed the connection" } : readReply(reader.rest));
    });
    socket.on("error", (error) => {
      const detail = errorCode(error) ?? error.message;
      settle(connected ? { kind: "lost", detail } : { kind: "refused", detail });
    });
    if (job.signal.aborted) abandon();
  });
}

function readReply(line: string): Exchange {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { kind: "reply", value } : { kind: "unreadable" };
  } catch {
    return { kind: "unreadable" };
  }
}
