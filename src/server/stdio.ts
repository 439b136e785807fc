import { Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";

/** Tells when the connection closes, for whatever reason: a message past the size limit, too. */
class Transport extends StdioServerTransport {
  readonly #onClosed: () => void;

  constructor(stdout: Writable, onClosed: () => void) {
    super(process.stdin, stdout);
    this.#onClosed = onClosed;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#onClosed();
  }
}

/**
 * Serves MCP on stdin and stdout until the client leaves or a signal comes; then calls `close`.
 * From here on stdout carries the protocol alone: whatever else is printed goes to stderr.
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
  // Nobody has to read our log.
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
