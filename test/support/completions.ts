import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** What a fake model server was asked, and the door to end it. */
export interface FakeServer {
  readonly url: string;
  readonly bodies: Record<string, unknown>[];
  readonly headers: IncomingMessage["headers"][];
  /** How many requests were given up by their client. */
  readonly given_up: () => number;
  close(): void;
}

/** A local server with scripted answers, in place of a remote model. */
export async function fakeServer(
  answer: (path: string, body: Record<string, unknown>, response: ServerResponse) => void,
  root = "a model's server",
): Promise<FakeServer> {
  const bodies: Record<string, unknown>[] = [];
  const headers: IncomingMessage["headers"][] = [];
  let given_up = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => {
      text += piece;
    });
    response.on("close", () => {
      if (!response.writableFinished) given_up++;
    });
    request.on("end", () => {
      if (request.method === "GET") return response.end(root);
      const body = JSON.parse(text);
      bodies.push(body);
      headers.push(request.headers);
      answer(request.url ?? "", body, response);
    });
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, bodies, headers, given_up: () => given_up, close };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
