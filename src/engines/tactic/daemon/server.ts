import { createServer, type Server, type Socket } from "node:net";
import { Fault } from "../../../kernel/fault.ts";
import { engine_limits } from "../../limits.ts";
import { MessageReader } from "../message_reader.ts";
import { fromOlder, olderReply } from "../older.ts";
import { failure, Request, readParams } from "../protocol.ts";

/**
 * Answers a request; the signal fires when the client disconnects. An error raised by the handler becomes an error
 * reply.
 */
export type Handler = (request: Request, signal: AbortSignal) => Promise<object>;

/**
 * The daemon's socket: JSON objects over TCP, one per line; a complete object needs no newline. The requests on a
 * connection are answered one after another, and further ones wait in the system's buffers. Anything other than a
 * request ends the connection after one error reply, since a web page may have directed a browser here.
 */
export class TacticServer {
  readonly #server: Server;
  readonly #handle: Handler;
  /** The connections, ordered by their last request, the oldest first. */
  readonly #connections = new Set<Connection>();

  constructor(handle: Handler) {
    this.#handle = handle;
    // After its request, a client can close its half of the connection and still wait for the answer.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#welcome(socket));
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Listens, and returns the port. Raises the system's errors, such as EADDRINUSE. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port, backlog: 511 }, () => {
        this.#server.off("error", reject).on("error", (error) => console.error(error.message));
        const address = this.#server.address();
        resolve(typeof address === "object" && address ? address.port : port);
      });
    });
  }

  close(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.close();
  }

  #welcome(socket: Socket): void {
    const connection = new Connection(socket, (request, signal) => {
      if (this.#connections.delete(connection)) this.#connections.add(connection);
      return this.#handle(request, signal);
    });
    if (this.#connections.size >= engine_limits.tactic_connections_max) {
      // An idle connection is closed to make room, since its client can connect again.
      const silent = [...this.#connections].find(({ working }) => !working) ?? connection;
      this.#connections.delete(silent);
      silent.refuse(tooManyConnections());
      if (silent === connection) return;
    }
    this.#connections.add(connection);
    socket.once("close", () => this.#connections.delete(connection));
  }
}

/** A connection to one client. */
class Connection {
  readonly #socket: Socket;
  readonly #handle: Handler;
  readonly #gone = new AbortController();
  readonly #reader = new MessageReader(engine_limits.tactic_request_bytes_max);
  readonly #lines: string[] = [];
  #working = false;
  #ended = false;

  constructor(socket: Socket, handle: Handler) {
    this.#socket = socket;
    this.#handle = handle;
    socket.setNoDelay(true);
    socket.setTimeout(engine_limits.tactic_connection_idle_ms_max, () => this.#idle());
    socket.on("data", (piece) => this.#take(Buffer.from(piece)));
    socket.on("end", () => this.#end());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#gone.abort());
  }

  /** Whether a request on this connection is being answered. */
  get working(): boolean {
    return this.#working;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Closes an idle connection; one that is waiting for an answer is not idle. */
  #idle(): void {
    if (!this.#working) this.close();
  }

  #take(piece: Buffer): void {
    const lines = this.#reader.take(piece);
    if (lines === "too_long") {
      this.refuse(tooLong());
    } else {
      this.#lines.push(...lines);
      void this.#work();
    }
  }

  /**
   * Handles a client that has closed its half of the connection; its requests are still answered, including a last line
   * without a newline.
   */
  #end(): void {
    this.#ended = true;
    if (this.#reader.rest.trim() !== "") this.#lines.push(this.#reader.rest);
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    // While a request is being answered, nothing more is read, so that lines can't pile up.
    this.#socket.pause();
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      const parsed = readRequest(line);
      if (parsed instanceof Fault) {
        this.refuse(parsed);
        return;
      }
      const reply = await this.#handle(parsed.request, this.#gone.signal).catch(failure);
      if (this.#gone.signal.aborted) return;
      await this.#send(parsed.older ? olderReply(reply) : reply);
      // Clients that use the older protocol send one request, and may read until the connection ends.
      if (parsed.older) this.#ended = true;
    }
    this.#working = false;
    if (this.#ended) this.#socket.end();
    else this.#socket.resume();
  }

  /** Waits until the client has received the reply; a client that does not read is disconnected. */
  #send(reply: object): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.close(), engine_limits.tactic_unread_ms_max);
      const done = () => {
        clearTimeout(timer);
        this.#socket.off("close", done);
        resolve();
      };
      this.#socket.once("close", done);
      this.#socket.write(`${JSON.stringify(reply)}\n`, done);
    });
  }

  /** Reports the reason for ending this connection, and ends it. */
  refuse(fault: Fault): void {
    this.#working = true;
    this.#lines.length = 0;
    this.#socket.end(`${JSON.stringify(failure(fault))}\n`);
    // For a short time, further input is read and discarded: a reset would discard the reply, too.
    this.#socket.removeAllListeners("data").resume();
    setTimeout(() => this.close(), engine_limits.tactic_handshake_ms_max).unref();
  }
}

interface Asked {
  readonly request: Request;
  /** Whether the request uses the older protocol, which the answer must then use, too. */
  readonly older: boolean;
}

function readRequest(line: string): Asked | Fault {
  try {
    const json: unknown = JSON.parse(line);
    const older = fromOlder(json);
    return { request: older ?? readParams(Request, json), older: older !== undefined };
  } catch (error) {
    if (error instanceof Fault) return error;
    return new Fault("invalid_input", "The line is not JSON.", [
      'send one JSON object a line, for instance {"method":"generate","params":{"proof_state":"⊢ 1 + 1 = 2"}}',
      "end each line with a newline",
    ]);
  }
}

function tooLong(): Fault {
  return new Fault("invalid_input", `The line is longer than ${engine_limits.tactic_request_bytes_max} bytes.`, [
    "send only the first goal",
    "send several states in several requests",
  ]);
}

function tooManyConnections(): Fault {
  return new Fault(
    "busy",
    `The daemon has reached its maximum of ${engine_limits.tactic_connections_max} connections, and this one sent no request.`,
    ["connect again when you have a request", "close connections that you no longer use"],
  );
}
