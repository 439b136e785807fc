import { PassThrough, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { readEnvelope } from "./envelope.ts";
import { MessageLines } from "./message_lines.ts";

/**
 * Reads stdin for the protocol, whose library silently drops what it can't parse. Reports when the connection closes,
 * for whatever reason.
 */
class Transport extends StdioServerTransport {
  readonly #stdout: Writable;
  readonly #lines = new MessageLines();
  readonly #onClosed: () => void;

  constructor(stdout: Writable, onClosed: () => void) {
    super(new PassThrough(), stdout);
    this.#stdout = stdout;
    this.#onClosed = onClosed;
  }

  override async start(): Promise<void> {
    await super.start();
    process.stdin.on("data", this.#take);
  }

  override async close(): Promise<void> {
    process.stdin.off("data", this.#take);
    await super.close();
    this.#onClosed();
  }

  readonly #take = (piece: Buffer): void => {
    for (const line of this.#lines.take(piece)) {
      const { message, refusals = [] } = readEnvelope(line);
      if (message) this.onmessage?.(message);
      for (const refusal of refusals) this.#refuse(refusal);
    }
  };

  #refuse(refusal: { readonly error: { readonly message: string } }): void {
    console.error(refusal.error.message);
    if (this.#stdout.write(`${JSON.stringify(refusal)}\n`) || process.stdin.isPaused()) return;
    // A client that reads no answers gets no further ones to its nonsense.
    process.stdin.pause();
    this.#stdout.once("drain", () => process.stdin.resume());
  }
}

/**
 * Serves MCP on stdin and stdout until the client leaves or a signal arrives; then calls `close`. From here on stdout
 * carries only the protocol: everything else that is printed goes to stderr.
 */
export function serveStdio(build: () => McpServer, close: () => void): void {
  const leave = () => {
    close();
    process.exit(0);
  };
  serve(build, {
    transport: new Transport(takeStdout(leave), leave),
    onerror: (error) => console.error(error.message),
  });
  process.stdin.once("end", leave).once("close", leave);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, leave);
  process.once("exit", close);
}

/** Keeps the real stdout for ourselves, and points everybody else's to stderr. */
function takeStdout(onGone: () => void): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.on("error", onGone);
  // The log may have no reader.
  stderr.on("error", () => {});
  stdout.write = stderr.write.bind(stderr);
  console.log = console.info = console.debug = console.error;
  const wire = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      write(chunk, done);
    },
  });
  // Every answer that waits for a slow reader listens for the drain.
  return wire.setMaxListeners(0);
}
