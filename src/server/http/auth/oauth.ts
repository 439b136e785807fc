import { createHash } from "node:crypto";
import type { JWTPayload } from "jose";
import * as errors from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import type { HttpSettings } from "../../../config.ts";
import { Fault } from "../../../kernel/fault.ts";
import { isLoopback } from "../address.ts";
import { http_limits } from "../limits.ts";
import { type Quota, usual_quotas } from "../usage/quota.ts";
import { KeySet, KeysUnavailable } from "./key_set.ts";
import { type Identity, type Principal, type Scope, scopes } from "./principal.ts";

/** The access tokens to accept. */
export interface OAuthSettings {
  /** The address with which clients reach this server. */
  readonly url: URL;
  readonly issuer: string;
  readonly jwks: URL;
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** The claims that may contain the scopes; the first one present counts. */
  readonly scope_claims: readonly string[];
  readonly scope_prefix: string;
}

/**
 * The accepted algorithms. Only public-key signatures are accepted: with a shared secret, anyone who can check tokens
 * can also create them.
 */
const known_algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
const usual_algorithms = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** Reads the settings. Returns undefined if no issuer is named. Raises `invalid_argument`. */
export function readOAuth(
  wishes: Partial<HttpSettings["oauth"]>,
  public_url: URL | undefined,
): OAuthSettings | undefined {
  const { issuer, jwks, audience, algorithms, scope_claim, scope_prefix = "" } = wishes;
  if (issuer === undefined) {
    const [idle] = Object.entries(wishes).find(([, value]) => value !== undefined) ?? [];
    if (idle !== undefined) throw unusable(`oauth-${idle.replace("_", "-")} is set, but no issuer`);
    return undefined;
  }
  readSafeUrl("oauth-issuer", issuer);
  if (jwks === undefined) throw unusable("the address of the issuer's keys is missing (oauth-jwks)");
  const url =
    public_url ?? (audience === undefined ? undefined : readSafeUrl("oauth-audience, without public-url,", audience));
  if (url === undefined) throw unusable("the address of this server is missing (public-url)");
  const wanted = algorithms?.split(",").map((name) => name.trim()) ?? usual_algorithms;
  const unknown = wanted.find((name) => !known_algorithms.includes(name));
  if (unknown !== undefined)
    throw unusable(`the algorithm ${JSON.stringify(unknown)} is not one of ${known_algorithms.join(", ")}`);
  return {
    url,
    issuer,
    jwks: readSafeUrl("oauth-jwks", jwks),
    audience: audience ?? url.href,
    algorithms: wanted,
    scope_claims: scope_claim === undefined ? ["scope", "scp"] : [scope_claim],
    scope_prefix,
  };
}

/** Parses a URL that uses TLS or points to this machine. Raises `invalid_argument`. */
export function readSafeUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  if (url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback({ host, port: 0 })))) return url;
  throw unusable(
    `${name} must be an https address (http only on this machine), not ${JSON.stringify(text.slice(0, 200))}`,
  );
}

function unusable(reason: string): Fault {
  return new Fault("invalid_argument", `The OAuth settings can't be used: ${reason}.`, [
    "name the issuer, its keys and the address of this server: --oauth-issuer URL --oauth-jwks URL --public-url URL",
    "docs/http.md lists all settings and their variables",
  ]);
}

/** Accepts access tokens of one issuer: signed JSON web tokens for this server (RFC 9068). */
export class OAuth {
  readonly #settings: OAuthSettings;
  readonly #quota: Quota;
  readonly #keys: KeySet;

  /** `quota` applies to each principal. */
  constructor(settings: OAuthSettings, quota: Quota = usual_quotas.oauth) {
    this.#settings = settings;
    this.#quota = quota;
    this.#keys = new KeySet(settings.jwks);
  }

  /** Identifies a token's owner. */
  async identify(token: string): Promise<Identity> {
    const { issuer, audience, algorithms } = this.#settings;
    try {
      const { payload } = await jwtVerify(token, (header, input) => this.#keys.keyFor(header, input), {
        issuer,
        audience,
        algorithms: [...algorithms],
        requiredClaims: ["exp", "sub"],
        clockTolerance: http_limits.clock_tolerance_s,
      });
      return this.#principal(payload);
    } catch (error) {
      if (error instanceof KeysUnavailable) return { kind: "unavailable" };
      if (error instanceof errors.JOSEError) return { kind: "refused", reason: reasonOf(error) };
      throw error;
    }
  }

  #principal(payload: JWTPayload): Identity {
    const { issuer } = this.#settings;
    // A signed token can contain any JSON here, whatever the library's types claim.
    const sub: unknown = payload.sub;
    if (typeof sub !== "string" || sub === "" || sub.length > http_limits.subject_chars_max)
      return { kind: "refused", reason: "the claim sub of the token is not usable" };
    const folder = createHash("sha256").update(`${issuer}#${sub}`).digest("hex").slice(0, 40);
    const principal: Principal = {
      id: `oauth:${issuer}#${sub}`,
      name: `${issuer}#${sub}`,
      // No static token has a name that begins with "@".
      folder: ["principals", `@${folder}`],
      scopes: this.#scopes(payload),
      quota: this.#quota,
    };
    return { kind: "known", principal };
  }

  /** Returns Verdict's scopes in the claim, which is a space-separated string or a list. */
  #scopes(payload: JWTPayload): Scope[] {
    const { scope_claims, scope_prefix } = this.#settings;
    const claim = scope_claims.map((name) => payload[name]).find((value) => value !== undefined);
    const words: unknown[] = typeof claim === "string" ? claim.split(" ") : Array.isArray(claim) ? claim : [];
    return scopes.filter((scope) => words.includes(`${scope_prefix}${scope}`));
  }
}

/** Returns the reason for rejecting a token, as shown to its client. It contains nothing from the token. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "the token has expired";
  if (error instanceof errors.JWTClaimValidationFailed)
    return ["aud", "iss", "sub", "exp", "nbf", "iat"].includes(error.claim)
      ? `the claim ${error.claim} of the token is missing or not accepted`
      : "a claim of the token is not accepted";
  if (error instanceof errors.JOSEAlgNotAllowed) return "the algorithm of the token is not accepted";
  if (error instanceof errors.JWKSNoMatchingKey) return "the key of the token is unknown";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "the token does not name its key";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the signature of the token is wrong";
  return "the token can't be read";
}
