import { type Scope, scopes } from "./principal.ts";

const well_known = "/.well-known/oauth-protected-resource";

/** The public metadata of this server for clients without a token (RFC 9728). */
export interface ProtectedResource {
  /** The address with which clients reach this server. */
  readonly url: URL;
  readonly issuer: string;
  readonly scope_prefix: string;
}

/** Returns a resource's metadata if `path` is the metadata's path. */
export function metadataAt(path: string, resource: ProtectedResource): object | undefined {
  if (path !== well_known && path !== metadataUrl(resource).pathname && path !== `${well_known}/mcp`) return undefined;
  return {
    resource: resource.url.href,
    authorization_servers: [resource.issuer],
    scopes_supported: scopes.map((scope) => `${resource.scope_prefix}${scope}`),
    bearer_methods_supported: ["header"],
    resource_name: "Verdict",
  };
}

/** Returns the metadata's URL: the well-known path followed by the resource's path. */
function metadataUrl({ url }: ProtectedResource): URL {
  return new URL(`${well_known}${url.pathname === "/" ? "" : url.pathname}`, url);
}

/** The details of an authentication challenge. */
export interface Challenge {
  readonly error?: "invalid_token" | "invalid_request" | "insufficient_scope";
  readonly description?: string;
  /** The scopes required by the request. */
  readonly scopes?: readonly Scope[];
}

/** Returns the value of `WWW-Authenticate` (RFC 6750, RFC 9728). Without OAuth, it refers to no issuer. */
export function challenge(details: Challenge, resource: ProtectedResource | undefined): string {
  const { error, description, scopes: needed = [] } = details;
  const prefix = resource?.scope_prefix ?? "";
  const parts = {
    realm: "verdict",
    error,
    error_description: description,
    scope: needed.length > 0 ? needed.map((scope) => `${prefix}${scope}`).join(" ") : undefined,
    resource_metadata: resource && metadataUrl(resource).href,
  };
  const named = Object.entries(parts).filter(([, value]) => value !== undefined);
  return `Bearer ${named.map(([name, value]) => `${name}="${quotable(value ?? "")}"`).join(", ")}`;
}

/** Prepares a text for a quoted string in a header. */
function quotable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, "?");
}
