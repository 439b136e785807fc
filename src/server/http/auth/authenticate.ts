import type { IncomingMessage } from "node:http";
import { http_limits } from "../limits.ts";
import { noToken, type Refusal, refusals, refusedToken, tokenInAddress } from "../refusals.ts";
import { anybody, type Identify, type Principal } from "./principal.ts";
import type { ProtectedResource } from "./resource.ts";

export interface Authentication {
  /** Identifies a token's owner; undefined if no token is required. */
  readonly identify: Identify | undefined;
  /** This server's metadata for OAuth clients; undefined if no issuer is accepted. */
  readonly resource: ProtectedResource | undefined;
}

/** Identifies the sender of a request, or returns why it is not authenticated. */
export async function authenticate(
  { headers: { authorization } }: IncomingMessage,
  query: string,
  { identify, resource }: Authentication,
): Promise<{ readonly principal: Principal } | { readonly refusal: Refusal }> {
  if (!identify) return { principal: anybody };
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (token === undefined) return { refusal: noToken(resource) };
  if (new URLSearchParams(query).has("access_token")) return { refusal: tokenInAddress(resource) };
  if (token.length > http_limits.token_chars_max) return { refusal: refusedToken("the token is too long", resource) };
  const identity = await identify(token);
  if (identity.kind === "unavailable") return { refusal: refusals.tokens_unchecked };
  if (identity.kind === "refused") return { refusal: refusedToken(identity.reason, resource) };
  return identity;
}
