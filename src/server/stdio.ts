import { PassThrough, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { readEnvelope } from "./envelope.ts";
import { MessageLines } from "./message_lines.ts";

/**
 * Reads stdin for the protocol, whose library silently drops unparsable input. Reports when the connection closes, for
 * whatever reason.
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
    // If the client does not read its answers, invalid messages are no longer answered.
    process.stdin.pause();
    this.#stdout.once("drain", () => process.stdin.resume());
  }
}

/**
 * Serves MCP on stdin and stdout until the client disconnects or a signal arrives, and then calls `close`. Once serving
 * has started, stdout carries only the protocol, and all other output goes to stderr.
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

/** Reserves the real stdout for the protocol, and redirects other output to stderr. */
function takeStdout(onGone: () => void): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.on("error", onGone);
  // Errors are ignored, because the log may have lost its reader.
  stderr.on("error", () => {});
  stdout.write = stderr.write.bind(stderr);
  console.log = console.info = console.debug = console.error;
  const wire = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      write(chunk, done);
    },
  });
  // The number of listeners is unlimited, because every answer that waits for a slow reader listens for the drain
  // event.
  return wire.setMaxListeners(0);
}
