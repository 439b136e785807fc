import type { Quota } from "../usage/quota.ts";

/** What a principal may do: `solve` is for problems and models, `admin` for the metrics of the server. */
export const scopes = ["solve", "symbolic", "lean", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Who calls, and what they may. */
export interface Principal {
  /** Distinguishes this principal from all others: its state belongs to this. */
  readonly id: string;
  /** What the log calls it. */
  readonly name: string;
  /** Where its state lies, below the data directory; empty for the directory itself. */
  readonly folder: readonly string[];
  readonly scopes: readonly Scope[];
  readonly quota: Quota;
}

/** Who calls a server that requires no token. */
export const anybody: Principal = { id: "local", name: "local", folder: [], scopes, quota: {} };

/** What became of a token. The reason for a refusal is shown to the client: it has no text of the token. */
export type Identity =
  | { readonly kind: "known"; readonly principal: Principal }
  | { readonly kind: "refused"; readonly reason: string }
  /** It can't be checked now. */
  | { readonly kind: "unavailable" };

/** Finds out whose token it is. */
export type Identify = (token: string) => Promise<Identity>;
