import type { FlattenedJWSInput, JWSHeaderParameters } from "jose";
import * as errors from "jose/errors";
import { createLocalJWKSet, type LocalJWKSet } from "jose/jwks/local";
import * as z from "zod/v4";
import { http_limits } from "../limits.ts";

/** Raised when the keys are unknown and can't be fetched now. */
export class KeysUnavailable extends Error {}

const Keys = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).max(http_limits.keys_max) });

/**
 * An issuer's public keys, fetched on demand. Each fetch is bounded in time and bytes, and there is a cool-down between
 * fetches, whatever tokens arrive. If the issuer can't be reached, the known keys are used for a while longer.
 */
export class KeySet {
  readonly #url: URL;
  #known: { readonly find: LocalJWKSet; readonly at: number } | undefined;
  #tried_at = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  /** Returns the key of a token. Raises `KeysUnavailable`, and jose's errors if there is no such key. */
  async keyFor(header: JWSHeaderParameters, token: FlattenedJWSInput) {
    const find = await this.#current();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have added a key since the last fetch.
      await this.#load();
      if (!this.#known || this.#known.find === find) throw error;
      return this.#known.find(header, token);
    }
  }

  async #current(): Promise<LocalJWKSet> {
    if (this.#age_ms > http_limits.keys_fresh_ms) await this.#load();
    if (this.#known && this.#age_ms <= http_limits.keys_kept_ms_max) return this.#known.find;
    throw new KeysUnavailable("the keys of the issuer can't be fetched");
  }

  get #age_ms(): number {
    return this.#known ? performance.now() - this.#known.at : Number.POSITIVE_INFINITY;
  }

  /** Fetches the keys, unless a fetch was attempted a moment ago. */
  #load(): Promise<void> {
    if (!this.#loading && performance.now() - this.#tried_at < http_limits.keys_cool_down_ms) return Promise.resolve();
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined;
      this.#tried_at = performance.now();
    });
    return this.#loading;
  }

  async #fetch(): Promise<void> {
    try {
      const keys = Keys.parse(JSON.parse(await fetchText(this.#url)));
      this.#known = { find: createLocalJWKSet(keys), at: performance.now() };
    } catch (error) {
      const reason = error instanceof z.ZodError ? "it is not a set of keys" : describe(error);
      console.error(`The keys of the issuer could not be fetched from ${this.#url.href}: ${reason}`);
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

async function fetchText(url: URL): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(http_limits.keys_fetch_ms_max),
  });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`it answers ${response.status}`);
  }
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const piece of response.body) {
    size += piece.length;
    // Leaving the loop closes the connection.
    if (size > http_limits.keys_bytes_max) throw new Error(`it has more than ${http_limits.keys_bytes_max} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
