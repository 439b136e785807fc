import { createConnection, type Socket } from "node:net";
import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { engine_limits } from "../limits.ts";
import type { Address } from "./address.ts";
import { MessageReader } from "./message_reader.ts";

/** The result of a request: the reply, or why there is none. */
export type Exchange =
  | { readonly kind: "reply"; readonly value: unknown }
  /** No program listens at the address, or the host can't be reached. */
  | { readonly kind: "refused"; readonly detail: string }
  /** The connection ended before the reply was complete. */
  | { readonly kind: "lost"; readonly detail: string }
  /** The program that answered is not a daemon. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "expired"; readonly connected: boolean };

/** A connection to a daemon. If one of Verdict's own daemons answered, the connection is kept for the next request. */
export class Wire {
  readonly #address: Address;
  #idle: Socket | undefined;

  constructor(address: Address) {
    this.#address = address;
  }

  /**
   * Sends one request, and waits for its reply. Cancelling a request resets the connection, which the daemon notices
   * immediately. A daemon that may close after each reply gets a new connection each time. Raises `cancelled`.
   */
  exchange(request: object, deadline: Deadline, keeps: boolean): Promise<Exchange> {
    const socket = (keeps ? this.#taken() : undefined) ?? this.#connect();
    return exchange(socket, request, deadline, () => {
      if (!keeps || this.#idle) return void socket.destroy();
      // A message that nobody requested closes the connection, so that it can't be read as the answer to the next
      // request.
      this.#idle = socket.unref().once("data", destroy);
    });
  }

  close(): void {
    this.#idle?.destroy();
  }

  /** Opens a connection. The daemon can close an idle connection at any time; a closed connection is forgotten. */
  #connect(): Socket {
    const socket = createConnection({ ...this.#address, noDelay: true });
    socket.on("error", () => {});
    socket.once("close", () => {
      if (this.#idle === socket) this.#idle = undefined;
    });
    return socket;
  }

  #taken(): Socket | undefined {
    const socket = this.#idle;
    this.#idle = undefined;
    return socket?.off("data", destroy).ref();
  }
}

function destroy(this: Socket): void {
  this.destroy();
}

function exchange(socket: Socket, request: object, deadline: Deadline, onDone: () => void): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const reader = new MessageReader(engine_limits.tactic_reply_bytes_max);
    let connected = !socket.connecting;
    const leave = () => {
      clearTimeout(timer);
      deadline.signal.removeEventListener("abort", abandon);
      socket.off("data", take).off("end", finish).off("error", fail).off("connect", send);
    };
    const drop = () => {
      leave();
      if (connected) socket.resetAndDestroy();
      else socket.destroy();
    };
    const settle = (end: Exchange) => {
      drop();
      resolve(end);
    };
    const abandon = () => {
      drop();
      reject(cancelled());
    };
    const send = () => {
      connected = true;
      socket.write(`${JSON.stringify(request)}\n`);
    };
    const timer = setTimeout(() => settle({ kind: "expired", connected }), deadline.left_ms);
    deadline.signal.addEventListener("abort", abandon, { once: true });
    const take = (piece: Buffer | string) => {
      const lines = reader.take(Buffer.from(piece));
      const line = lines === "too_long" ? "" : lines[0];
      if (line === undefined) return;
      const reply = readReply(line);
      if (reply.kind !== "reply") return settle(reply);
      leave();
      onDone();
      resolve(reply);
    };
    const finish = () => {
      // A daemon that closes after its reply can omit the newline.
      settle(reader.rest.trim() === "" ? { kind: "lost", detail: "it closed the connection" } : readReply(reader.rest));
    };
    const fail = (error: Error) => {
      const detail = errorCode(error) ?? error.message;
      settle(connected ? { kind: "lost", detail } : { kind: "refused", detail });
    };
    socket.on("data", take).on("end", finish).on("error", fail);
    if (connected) send();
    else socket.once("connect", send);
    if (deadline.signal.aborted) abandon();
  });
}

function readReply(line: string): Exchange {
  const value = jsonOf(line);
  return typeof value === "object" && value !== null ? { kind: "reply", value } : { kind: "unreadable" };
}
