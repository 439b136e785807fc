import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { hostHeaderValidation, originValidation, toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type McpServer,
} from "@modelcontextprotocol/server";
import type { Deadline } from "../../kernel/deadline.ts";
import { type Address, hostNames } from "./address.ts";
import { readBody } from "./body.ts";
import { http_limits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import { Sessions } from "./sessions.ts";
import type { Principal } from "./tokens.ts";

/** Makes the servers of a principal. */
export interface Offer {
  /** For a session, which has state of its own. */
  forSession(): McpServer;
  /** For one request of a client without sessions: all of them share the principal's state. */
  forRequest(): McpServer;
}

export interface HttpServices {
  readonly address: Address;
  /** Further names by which clients address the server, such as that of a proxy. */
  readonly host_names: readonly string[];
  /** Finds out who calls; undefined where no token is required. */
  readonly principalOf: ((token: string) => Promise<Principal | undefined>) | undefined;
  readonly offerFor: (principal: Principal) => Offer;
  readonly makeMetrics: (sessions: () => number) => Metrics;
}

/** Who calls a server that requires no token. */
export const anybody: Principal = { name: "local", scopes: ["solve", "symbolic", "lean", "admin"] };

/** A refusal: its HTTP status, a code of JSON-RPC, and what to do. */
interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusals = {
  no_token: {
    status: 401,
    code: -32_001,
    message: "A valid token is required: send `Authorization: Bearer TOKEN`; tokens in the address are not read",
    headers: { "www-authenticate": 'Bearer realm="verdict", error="invalid_token"' },
  },
  no_scope: {
    status: 403,
    code: -32_001,
    message: "This token does not have the scope admin",
    headers: { "www-authenticate": 'Bearer realm="verdict", error="insufficient_scope", scope="admin"' },
  },
  not_found: { status: 404, code: -32_601, message: "There is nothing at this address: MCP is at /mcp" },
  method: {
    status: 405,
    code: -32_600,
    message: "This method is not served here",
    headers: { allow: "POST, GET, DELETE" },
  },
  too_large: {
    status: 413,
    code: -32_600,
    message: "The message has more than 10 MiB",
    headers: { connection: "close" },
  },
  too_many: {
    status: 429,
    code: -32_000,
    message: `More than ${http_limits.principal_requests_max} requests at once: wait until some are answered`,
    headers: { "retry-after": "1" },
  },
  no_session: { status: 404, code: -32_001, message: "Session not found: initialize a new one" },
  no_session_id: { status: 400, code: -32_000, message: "The header Mcp-Session-Id is required" },
  too_many_sessions: {
    status: 503,
    code: -32_000,
    message: "Too many sessions are open: end some with DELETE, or wait until idle ones have expired",
    headers: { "retry-after": "10" },
  },
  draining: {
    status: 503,
    code: -32_000,
    message: "The server is ending: send the request again in a moment",
    headers: { "retry-after": "2", connection: "close" },
  },
  internal: { status: 500, code: -32_603, message: "Internal error" },
} as const satisfies Record<string, Refusal>;

/** A request as a server has it: with a method and an address. */
type Incoming = IncomingMessage & { method: string; url: string; auth?: AuthInfo };

/** MCP over Streamable HTTP, for clients of the 2025 revisions (with sessions) and of 2026-07-28 (without). */
export class HttpService {
  readonly #services: HttpServices;
  readonly #sessions = new Sessions();
  readonly #metrics: Metrics;
  readonly #isOwnHost: ReturnType<typeof hostHeaderValidation>;
  readonly #isOwnOrigin: ReturnType<typeof originValidation>;
  readonly #modern: ReturnType<typeof toNodeHandler>;
  readonly #server: Server;
  readonly #requests = new Map<string, number>();
  readonly #principals = new WeakMap<AuthInfo, Principal>();
  #is_draining = false;

  constructor(services: HttpServices) {
    this.#services = services;
    this.#metrics = services.makeMetrics(() => this.#sessions.size);
    const names = hostNames(services.address, services.host_names);
    this.#isOwnHost = hostHeaderValidation(names);
    this.#isOwnOrigin = originValidation(names);
    const build = ({ authInfo }: { readonly authInfo?: AuthInfo }) => this.#serverFor(authInfo);
    const onerror = (error: Error) => console.error(error.message);
    this.#modern = toNodeHandler(createMcpHandler(build, { legacy: "reject", onerror }));
    this.#server = createServer(
      {
        headersTimeout: http_limits.headers_ms_max,
        requestTimeout: http_limits.request_ms_max,
        connectionsCheckingInterval: 1_000,
      },
      (request, response) => void this.#answer(request, response),
    );
    this.#server.maxConnections = http_limits.connections_max;
  }

  /** Begins to listen; gives the port. Raises the system's errors. */
  listen(): Promise<number> {
    const { host, port } = this.#services.address;
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  }

  /** Takes no new calls, waits for the running ones until the deadline, and closes what is left. */
  async drain(deadline: Deadline): Promise<void> {
    this.#is_draining = true;
    while (this.#running > 0 && !deadline.is_over) await deadline.within(sleep(50));
    await this.#sessions.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #running(): number {
    return [...this.#requests.values()].reduce((sum, each) => sum + each, 0);
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: Incoming = Object.assign(message, { method: message.method ?? "", url: message.url ?? "/" });
    try {
      const refusal = await this.#route(request, response);
      if (refusal) this.#refuse(request, response, refusal);
    } catch (error) {
      console.error(error);
      this.#refuse(request, response, refusals.internal);
    }
  }

  /** Answers the request, or gives the refusal. */
  async #route(request: Incoming, response: ServerResponse): Promise<Refusal | undefined> {
    const path = request.url.split("?", 1)[0];
    if (path === "/healthz") return plain(response, 200, "ok\n");
    if (path === "/readyz") return this.#is_draining ? refusals.draining : plain(response, 200, "ready\n");
    // Both answer themselves where the header is not ours.
    if (!this.#isOwnHost(request, response) || !this.#isOwnOrigin(request, response)) return undefined;
    const principal = await this.#principalOf(request);
    if (!principal) return refusals.no_token;
    if (path === "/metrics")
      return principal.scopes.includes("admin")
        ? plain(response, 200, await this.#metrics.text(), "text/plain; version=0.0.4")
        : refusals.no_scope;
    if (path !== "/mcp") return refusals.not_found;
    if (!["POST", "GET", "DELETE"].includes(request.method)) return refusals.method;
    if (this.#is_draining) return refusals.draining;
    return this.#counted(principal, request, response);
  }

  async #principalOf(request: Incoming): Promise<Principal | undefined> {
    const { principalOf } = this.#services;
    if (!principalOf) return anybody;
    const token = /^Bearer +(\S{1,4096})$/i.exec(request.headers.authorization ?? "")?.[1];
    const principal = token === undefined ? undefined : await principalOf(token);
    // The token itself goes no further.
    if (principal) request.auth = { token: "", clientId: principal.name, scopes: [...principal.scopes] };
    if (principal && request.auth) this.#principals.set(request.auth, principal);
    return principal;
  }

  /** Bounds the requests of a principal. A stream that waits for news of the server (GET) is none. */
  async #counted(principal: Principal, request: Incoming, response: ServerResponse): Promise<Refusal | undefined> {
    const { name } = principal;
    if (request.method === "GET") return this.#serve(principal, request, response);
    const before = this.#requests.get(name) ?? 0;
    if (before >= http_limits.principal_requests_max) return refusals.too_many;
    this.#requests.set(name, before + 1);
    response.once("close", () => {
      const left = (this.#requests.get(name) ?? 1) - 1;
      if (left > 0) this.#requests.set(name, left);
      else this.#requests.delete(name);
    });
    return this.#serve(principal, request, response);
  }

  async #serve(principal: Principal, request: Incoming, response: ServerResponse): Promise<Refusal | undefined> {
    let message: JSONRPCMessage | undefined;
    if (request.method === "POST") {
      const body = await readBody(request);
      if (!body) return refusals.too_large;
      if (body.refusals) return json(response, 400, body.refusals.length === 1 ? body.refusals[0] : body.refusals);
      message = body.message;
    }
    if (!(await isLegacyRequest(await toWebRequest(request, message), message))) {
      await this.#modern(request, response, message);
      return undefined;
    }
    return this.#serveSession(principal, request, response, message);
  }

  async #serveSession(
    principal: Principal,
    request: Incoming,
    response: ServerResponse,
    message: JSONRPCMessage | undefined,
  ): Promise<Refusal | undefined> {
    const id = request.headers["mcp-session-id"];
    if (typeof id !== "string" && !isInitializeRequest(message)) return refusals.no_session_id;
    if (typeof id !== "string" && !this.#sessions.hasRoom(principal.name)) return refusals.too_many_sessions;
    const session =
      typeof id === "string"
        ? this.#sessions.find(id, principal.name)
        : await this.#sessions.open(principal.name, this.#services.offerFor(principal).forSession());
    if (!session) return refusals.no_session;
    await this.#sessions.handle(session, request, response, message);
    return undefined;
  }

  /** The server for a request without a session. Raises an error where tokens are required and no principal is known. */
  #serverFor(authInfo: AuthInfo | undefined): McpServer {
    const principal = authInfo && this.#principals.get(authInfo);
    if (!principal && this.#services.principalOf) throw new Error("a request has no principal");
    return this.#services.offerFor(principal ?? anybody).forRequest();
  }

  #refuse(request: Incoming, response: ServerResponse, { status, code, message, headers }: Refusal): void {
    this.#metrics.refused(status);
    if (response.headersSent) return void response.destroy();
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    // What the client still sends is not read.
    if (!request.complete) response.setHeader("connection", "close");
    json(response, status, { jsonrpc: "2.0", id: null, error: { code, message } });
  }
}

function plain(response: ServerResponse, status: number, text: string, type = "text/plain"): undefined {
  response.writeHead(status, { "content-type": type }).end(text);
}

function json(response: ServerResponse, status: number, body: unknown): undefined {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
