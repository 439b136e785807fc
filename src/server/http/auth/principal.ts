import type { Quota } from "../usage/quota.ts";

/** The permissions of a principal: `solve` covers problems and models, `admin` the server's metrics. */
export const scopes = ["solve", "symbolic", "lean", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** A caller and its permissions. */
export interface Principal {
  /** The unique id of this principal, which owns its state. */
  readonly id: string;
  /** The principal's name in the log. */
  readonly name: string;
  /** The path of the principal's state below the data directory; empty for the data directory itself. */
  readonly folder: readonly string[];
  readonly scopes: readonly Scope[];
  readonly quota: Quota;
}

/** The caller of a server that requires no token. */
export const anybody: Principal = { id: "local", name: "local", folder: [], scopes, quota: {} };

/**
 * The result of checking a token. The reason for a rejection is shown to the client, and contains no text from the
 * token.
 */
export type Identity =
  | { readonly kind: "known"; readonly principal: Principal }
  | { readonly kind: "refused"; readonly reason: string }
  /** The token can't be checked now. */
  | { readonly kind: "unavailable" };

/** Identifies a token's owner. */
export type Identify = (token: string) => Promise<Identity>;
