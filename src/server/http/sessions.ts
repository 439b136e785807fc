import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import type { JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Principal } from "./auth/principal.ts";
import { http_limits } from "./limits.ts";

/** The session of a client of the 2025 revisions, which it uses for all its requests. */
interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly principal: Principal;
  /** The number of unanswered requests and open streams. */
  open: number;
  /** When the session was last used, on a monotonic clock. */
  used_at: number;
  /** The ids of unanswered requests, and of requests that were cancelled before they arrived. */
  readonly answering: Set<string | number>;
  readonly cancelled_early: Set<string | number>;
}

const Cancelled = z.looseObject({
  method: z.literal("notifications/cancelled"),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});

/**
 * The sessions of clients of the 2025 revisions. Their number is bounded, since each uses memory and clients rarely
 * close their sessions. Idle sessions expire.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #idle_ms_max: number;
  readonly #sweep: NodeJS.Timeout;

  constructor(idle_ms_max: number = http_limits.session_idle_ms_max, sweep_ms: number = http_limits.session_sweep_ms) {
    this.#idle_ms_max = idle_ms_max;
    this.#sweep = setInterval(() => this.#endIdle(), sweep_ms).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Whether the principal may open another session. */
  hasRoom({ id }: Principal): boolean {
    const own = [...this.#sessions.values()].filter(({ principal }) => principal.id === id).length;
    return this.#sessions.size < http_limits.sessions_max && own < http_limits.principal_sessions_max;
  }

  /** Opens a session with its own server, for the request that initialises it. */
  async open(principal: Principal, server: McpServer): Promise<Session> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const of_requests = { answering: new Set<string | number>(), cancelled_early: new Set<string | number>() };
    const session: Session = { transport, principal, open: 0, used_at: performance.now(), ...of_requests };
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    return session;
  }

  /**
   * Returns the session with this id; undefined if it does not exist or belongs to another principal. A session has the
   * tools of the scopes with which it was opened, so a token with other scopes can't use it.
   */
  find(id: string, principal: Principal): Session | undefined {
    const session = this.#sessions.get(id);
    return session && hasSameRights(session.principal, principal) ? session : undefined;
  }

  async handle(
    session: Session,
    request: IncomingMessage,
    response: ServerResponse,
    message: JSONRPCMessage | undefined,
  ): Promise<void> {
    const { transport, answering, cancelled_early } = session;
    const id = message && "id" in message ? message.id : undefined;
    // A request and its cancellation arrive on separate connections, so the cancellation may overtake the request. The
    // request is then not started.
    if (id !== undefined && cancelled_early.delete(id)) return void response.writeHead(202).end();
    if (id !== undefined) answering.add(id);
    session.open++;
    response.once("close", () => {
      if (id !== undefined) answering.delete(id);
      session.open--;
      session.used_at = performance.now();
    });
    await transport.handleRequest(request, response, message);
    const cancelled = Cancelled.safeParse(message);
    if (cancelled.success) {
      const { requestId } = cancelled.data.params;
      // The transport leaves a cancelled request's stream open, since no answer follows.
      if (answering.has(requestId)) transport.closeSSEStream(requestId);
      else addBounded(cancelled_early, requestId);
    }
  }

  /** Closes all sessions and their calls. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  #endIdle(): void {
    const before = performance.now() - this.#idle_ms_max;
    for (const { open, used_at, transport } of this.#sessions.values())
      if (open === 0 && used_at < before)
        transport.close().catch((error: unknown) => console.error("A session did not end:", error));
  }
}

/**
 * Adds a cancellation to a bounded set. A cancellation that arrives after its request was answered stays until newer
 * ones displace it.
 */
function addBounded(cancelled_early: Set<string | number>, id: string | number): void {
  cancelled_early.add(id);
  const [oldest] = cancelled_early;
  if (oldest !== undefined && cancelled_early.size > http_limits.cancelled_early_max) cancelled_early.delete(oldest);
}

function hasSameRights(one: Principal, other: Principal): boolean {
  return one.id === other.id && one.scopes.toSorted().join() === other.scopes.toSorted().join();
}
