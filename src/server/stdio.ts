import { Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";

/**
 * Serves MCP on stdin and stdout until the client leaves or a signal comes; then calls `close`.
 * From here on stdout carries the protocol alone: whatever else is printed goes to stderr.
 */
export function serveStdio(build: () => McpServer, close: () => void): void {
  const handle = serve(build, {
    transport: new StdioServerTransport(
      process.stdin,
      takeStdout(() => leave(0)),
    ),
    onerror: (error) => console.error(error.message),
  });
  let leaving = false;
  const leave = (code: number) => {
    if (leaving) return;
    leaving = true;
    close();
    void handle.close().finally(() => process.exit(code));
  };
  process.stdin.once("end", () => leave(0)).once("close", () => leave(0));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => leave(0));
  process.once("exit", close);
}

/** Keeps the real stdout for ourselves, and points everybody else's to stderr. */
function takeStdout(onGone: () => void): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.on("error", onGone);
  stdout.write = stderr.write.bind(stderr);
  console.log = console.info = console.debug = console.error;
  return new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      write(chunk, done);
    },
  });
}
