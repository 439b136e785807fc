import type { Scope } from "./auth/principal.ts";
import { challenge, type ProtectedResource } from "./auth/resource.ts";
import { http_limits } from "./limits.ts";

/** A rejection: its HTTP status, a JSON-RPC code, and what to do. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rejections that are the same for every request. */
export const refusals = {
  not_found: {
    status: 404,
    code: -32_601,
    message: "There is nothing at this address: MCP is at /mcp, and data files are sent to /files/NAME",
  },
  old_transport: {
    status: 405,
    code: -32_600,
    message:
      "The older transport HTTP+SSE is not served: set your client to Streamable HTTP (type http) with the address /mcp, or let it start `verdict` on stdio",
    headers: { allow: "POST" },
  },
  method: { status: 405, code: -32_600, message: "This method is not served here" },
  no_file: { status: 404, code: -32_600, message: "You have no such file" },
  too_large: {
    status: 413,
    code: -32_600,
    message: "The message is larger than 10 MiB",
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
    message: "The server is shutting down: send the request again in a moment",
    headers: { "retry-after": "2", connection: "close" },
  },
  tokens_unchecked: {
    status: 503,
    code: -32_000,
    message: "The token can't be checked now, since the keys of its issuer can't be fetched: send the request again",
    headers: { "retry-after": String(Math.ceil(http_limits.keys_cool_down_ms / 1000)) },
  },
  internal: { status: 500, code: -32_603, message: "Internal error" },
} as const satisfies Record<string, Refusal>;

/**
 * Rejects a request without a token. This is not the client's error, since it may not have known that a token is
 * required.
 */
export function noToken(resource: ProtectedResource | undefined): Refusal {
  return {
    status: 401,
    code: -32_001,
    message: "A valid token is required: send `Authorization: Bearer TOKEN`; tokens in the address are not read",
    headers: { "www-authenticate": challenge({ scopes: ["solve"] }, resource) },
  };
}

/** Rejects a token. */
export function refusedToken(reason: string, resource: ProtectedResource | undefined): Refusal {
  return {
    status: 401,
    code: -32_001,
    message: `The token is not accepted: ${reason}`,
    headers: { "www-authenticate": challenge({ error: "invalid_token", description: reason }, resource) },
  };
}

/** Rejects a request with a token in its URL, where logs and histories would store the token. */
export function tokenInAddress(resource: ProtectedResource | undefined): Refusal {
  const description = "the token belongs in the header Authorization, never in the address";
  return {
    status: 400,
    code: -32_600,
    message: `The request has a token in its address: ${description}. Treat this token as known to others`,
    headers: { "www-authenticate": challenge({ error: "invalid_request", description }, resource) },
  };
}

/** Rejects a token without the required scope. */
export function noScope(scope: Scope, resource: ProtectedResource | undefined): Refusal {
  const description = `this needs the scope ${scope}`;
  return {
    status: 403,
    code: -32_001,
    message: `This token does not have the scope ${scope}`,
    headers: {
      "www-authenticate": challenge({ error: "insufficient_scope", description, scopes: [scope] }, resource),
    },
  };
}

/** Rejects a request of a principal that has exceeded its quota. */
export function overQuota(what: string, wait_s: number): Refusal {
  return {
    status: 429,
    code: -32_000,
    message: `This principal's quota is used up: ${what}. Send the request again in ${wait_s} s`,
    headers: { "retry-after": String(wait_s) },
  };
}
