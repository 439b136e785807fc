import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import type { JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { http_limits } from "./limits.ts";

/** The session of a client of the 2025 revision, which has one for all its requests. */
interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly principal: string;
  /** Requests that are not answered, and open streams. */
  open: number;
  seen: number;
}

const Cancelled = z.looseObject({
  method: z.literal("notifications/cancelled"),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});

/**
 * The sessions of clients of 2025. Their number is bounded, since each holds memory and clients seldom end theirs; one
 * that is idle ends by itself.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;

  constructor() {
    this.#sweep = setInterval(() => this.#endIdle(), http_limits.session_sweep_ms).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Whether the principal may open another one. */
  hasRoom(principal: string): boolean {
    const own = [...this.#sessions.values()].filter((each) => each.principal === principal).length;
    return this.#sessions.size < http_limits.sessions_max && own < http_limits.principal_sessions_max;
  }

  /** Opens a session with a server of its own, for the request that initializes it. */
  async open(principal: string, server: McpServer): Promise<Session> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const session: Session = { transport, principal, open: 0, seen: Date.now() };
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    return session;
  }

  /** The session with this id; undefined where there is none, or another principal's. */
  find(id: string, principal: string): Session | undefined {
    const found = this.#sessions.get(id);
    return found?.principal === principal ? found : undefined;
  }

  async handle(
    session: Session,
    request: IncomingMessage,
    response: ServerResponse,
    message: JSONRPCMessage | undefined,
  ): Promise<void> {
    session.open++;
    response.once("close", () => {
      session.open--;
      session.seen = Date.now();
    });
    await session.transport.handleRequest(request, response, message);
    // The transport leaves the stream of a cancelled request open, since no answer follows.
    const cancelled = Cancelled.safeParse(message);
    if (cancelled.success) session.transport.closeSSEStream(cancelled.data.params.requestId);
  }

  /** Ends all sessions, and the calls of each. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  #endIdle(): void {
    const before = Date.now() - http_limits.session_idle_ms_max;
    for (const { open, seen, transport } of this.#sessions.values())
      if (open === 0 && seen < before)
        transport.close().catch((error: unknown) => console.error("A session did not end:", error));
  }
}
