import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port at which nothing listens. It is none of those that the system gives away by itself (from 32,768 on): clients and
 * servers of other tests would get it before ours does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((found) => {
    const server = createServer();
    server.once("error", () => found(false));
    server.listen(port, "127.0.0.1", () => server.close(() => found(true)));
  });
}
