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
import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import { type Address, hostNames } from "./address.ts";
import { type Authentication, authenticate } from "./auth/authenticate.ts";
import type { Principal, Scope } from "./auth/principal.ts";
import { metadataAt } from "./auth/resource.ts";
import { readBody } from "./body.ts";
import { http_limits } from "./limits.ts";
import { noScope, type Refusal, refusals } from "./refusals.ts";
import { Sessions } from "./sessions.ts";
import type { Uploads } from "./uploads.ts";
import type { Watch } from "./usage/watched.ts";

/** Creates the MCP servers for a principal. */
export interface Offer {
  /** Creates a server for a session, which has its own state. */
  forSession(): McpServer;
  /** Creates a server for one request of a client without sessions. Such requests share the principal's state. */
  forRequest(): McpServer;
}

export interface HttpServices extends Authentication, Watch {
  readonly address: Address;
  /** Additional names by which clients address the server, such as a proxy's. */
  readonly host_names: readonly string[];
  /** Returns the scope that a tool requires; undefined for a tool that this server does not have. */
  readonly scopeOf: (tool: string) => Scope | undefined;
  readonly offerFor: (principal: Principal) => Offer;
  readonly uploads: Uploads;
}

/** A request received by a server, which always has a method and an address. */
type Incoming = IncomingMessage & { method: string; url: string; auth?: AuthInfo };

/** MCP over Streamable HTTP, for clients of the 2025 revisions (with sessions) and of 2026-07-28 (without). */
export class HttpService {
  readonly #services: HttpServices;
  readonly #sessions = new Sessions();
  readonly #isOwnHost: ReturnType<typeof hostHeaderValidation>;
  readonly #isOwnOrigin: ReturnType<typeof originValidation>;
  readonly #modern: ReturnType<typeof toNodeHandler>;
  readonly #server: Server;
  readonly #requests = new Map<string, number>();
  readonly #principals = new WeakMap<AuthInfo, Principal>();
  #is_draining = false;

  constructor(services: HttpServices) {
    this.#services = services;
    services.metrics.gauge(
      "verdict_sessions",
      "Open sessions of clients of the 2025 revision.",
      () => this.#sessions.size,
    );
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
        // A client whose machine disappears never closes its connection. Without keep-alive, its open stream would keep
        // its session forever.
        keepAlive: true,
        keepAliveInitialDelay: http_limits.keep_alive_ms,
      },
      (request, response) => void this.#answer(request, response),
    );
    // `100 Continue` is sent only when the body is read, so that a rejected client does not send it.
    this.#server.on("checkContinue", (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = http_limits.connections_max;
  }

  /** Starts listening and returns the port. Raises the system's errors. */
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

  /** Accepts no new calls, waits for running ones until the deadline, and then closes everything. */
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
      // The client disconnected before its request was complete. This is not the server's error, and nobody reads an
      // answer.
      if (request.destroyed && !request.complete) return void response.destroy();
      console.error(error);
      this.#refuse(request, response, refusals.internal);
    }
  }

  /** Answers a request, or returns a rejection. */
  async #route(request: Incoming, response: ServerResponse): Promise<Refusal | undefined> {
    const [path = "/", query = ""] = request.url.split("?", 2);
    if (path === "/healthz") return plain(response, 200, "ok\n");
    if (path === "/readyz") return this.#is_draining ? refusals.draining : plain(response, 200, "ready\n");
    // Both checks send their own response if a header is not acceptable.
    if (!this.#isOwnHost(request, response) || !this.#isOwnOrigin(request, response))
      return this.#note(response.statusCode, "the header Host or Origin names another server");
    const { resource } = this.#services;
    const metadata = resource && request.method === "GET" ? metadataAt(path, resource) : undefined;
    if (metadata) return json(response, 200, metadata);
    const identity = await authenticate(request, query, this.#services);
    if ("refusal" in identity) return identity.refusal;
    const { principal } = identity;
    // The token itself is not passed on.
    request.auth = { token: "", clientId: principal.id, scopes: [...principal.scopes] };
    this.#principals.set(request.auth, principal);
    if (path === "/metrics")
      return principal.scopes.includes("admin")
        ? plain(response, 200, await this.#services.metrics.text(), "text/plain; version=0.0.4")
        : noScope("admin", resource);
    if (path === "/sse") return refusals.old_transport;
    const file = /^\/files\/([^/]*)$/.exec(path)?.[1];
    if (path !== "/mcp" && file === undefined) return refusals.not_found;
    if (principal.scopes.length === 0) return noScope("solve", resource);
    const methods = file === undefined ? ["POST", "GET", "DELETE"] : ["PUT", "DELETE"];
    if (!methods.includes(request.method)) return { ...refusals.method, headers: { allow: methods.join(", ") } };
    if (this.#is_draining) return refusals.draining;
    return this.#counted(principal, request, response, file);
  }

  /** Stores or deletes a data file. */
  async #serveFile(principal: Principal, name: string, request: Incoming, response: ServerResponse) {
    const { uploads, scopeOf, meters, resource } = this.#services;
    const scope = scopeOf("read_data");
    if (scope === undefined) return refusals.not_found;
    if (!principal.scopes.includes(scope)) return noScope(scope, resource);
    if (request.method === "DELETE")
      return uploads.remove(principal, name) ? void response.writeHead(204).end() : refusals.no_file;
    if (request.headers.expect !== undefined) response.writeContinue();
    const meter = meters.of(principal);
    const sent = await uploads.put(principal, name, request, (count) => meter.addBytes(count));
    return "status" in sent ? sent : json(response, 201, { ...sent, data_files: [sent.name] });
  }

  /** Limits a principal's requests and bytes. A stream that waits for server messages (GET) does not count. */
  async #counted(
    principal: Principal,
    request: Incoming,
    response: ServerResponse,
    file: string | undefined,
  ): Promise<Refusal | undefined> {
    const { id } = principal;
    if (request.method === "GET") return this.#serve(principal, request, response);
    const before = this.#requests.get(id) ?? 0;
    if (before >= http_limits.principal_requests_max) return refusals.too_many;
    const meter = this.#services.meters.of(principal);
    const { socket } = request;
    const written_before = socket.bytesWritten;
    this.#requests.set(id, before + 1);
    response.once("close", () => {
      meter.addBytes(socket.bytesWritten - written_before);
      const left = (this.#requests.get(id) ?? 1) - 1;
      if (left > 0) this.#requests.set(id, left);
      else this.#requests.delete(id);
    });
    const refusal = meter.refusesMessage();
    if (refusal) return refusal;
    return file === undefined
      ? this.#serve(principal, request, response)
      : this.#serveFile(principal, file, request, response);
  }

  async #serve(principal: Principal, request: Incoming, response: ServerResponse): Promise<Refusal | undefined> {
    let message: JSONRPCMessage | undefined;
    if (request.method === "POST") {
      const meter = this.#services.meters.of(principal);
      if (request.headers.expect !== undefined) response.writeContinue();
      const body = await readBody(request, (count) => meter.addBytes(count));
      if (!body) return refusals.too_large;
      if (body.refusals) return json(response, 400, body.refusals.length === 1 ? body.refusals[0] : body.refusals);
      message = body.message;
    }
    const refusal = this.#refusesCall(principal, message);
    if (refusal) return refusal;
    // Passes on the parsed message, since reparsing the body would be wasted work.
    const is_legacy = await isLegacyRequest(await toWebRequest(request, message && {}), message);
    // The client cancelled the request before it began.
    if (response.destroyed) return undefined;
    if (!is_legacy) {
      await this.#modern(request, response, message);
      return undefined;
    }
    return this.#serveSession(principal, request, response, message);
  }

  /** Returns the reason why the tool in a message must not be called: the tool's scope, or the quota. */
  #refusesCall(principal: Principal, message: JSONRPCMessage | undefined): Refusal | undefined {
    const tool = calledTool(message);
    if (tool === undefined) return undefined;
    const { scopeOf, takesTurn, meters, resource } = this.#services;
    const scope = scopeOf(tool);
    if (scope !== undefined && !principal.scopes.includes(scope)) return noScope(scope, resource);
    return takesTurn(tool) ? meters.of(principal).refusesCall() : undefined;
  }

  async #serveSession(
    principal: Principal,
    request: Incoming,
    response: ServerResponse,
    message: JSONRPCMessage | undefined,
  ): Promise<Refusal | undefined> {
    const id = request.headers["mcp-session-id"];
    // Streamable HTTP opens a stream only within a session; HTTP+SSE starts with one.
    if (typeof id !== "string" && request.method === "GET") return refusals.old_transport;
    if (typeof id !== "string" && !isInitializeRequest(message)) return refusals.no_session_id;
    if (typeof id !== "string" && !this.#sessions.hasRoom(principal)) return refusals.too_many_sessions;
    const session =
      typeof id === "string"
        ? this.#sessions.find(id, principal)
        : await this.#sessions.open(principal, this.#services.offerFor(principal).forSession());
    if (!session) return refusals.no_session;
    await this.#sessions.handle(session, request, response, message);
    return undefined;
  }

  /** Returns the server for a request without a session. Raises an error if no principal is known. */
  #serverFor(authInfo: AuthInfo | undefined): McpServer {
    const principal = authInfo && this.#principals.get(authInfo);
    if (!principal) throw new Error("a request has no principal");
    return this.#services.offerFor(principal).forRequest();
  }

  #note(status: number, reason: string): undefined {
    this.#services.metrics.refused(status);
    this.#services.log.refused(status, reason);
  }

  #refuse(request: Incoming, response: ServerResponse, { status, code, message, headers }: Refusal): void {
    this.#note(status, message);
    if (response.headersSent) return void response.destroy();
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    // Closing the connection discards whatever the client still sends.
    if (!request.complete) response.setHeader("connection", "close");
    json(response, status, { jsonrpc: "2.0", id: null, error: { code, message } });
  }
}

const Call = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ name: z.string() }),
});

/** Returns the tool that a message calls. */
function calledTool(message: JSONRPCMessage | undefined): string | undefined {
  const call = Call.safeParse(message);
  return call.success ? call.data.params.name : undefined;
}

function plain(response: ServerResponse, status: number, text: string, type = "text/plain"): undefined {
  response.writeHead(status, { "content-type": type }).end(text);
}

function json(response: ServerResponse, status: number, body: unknown): undefined {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
