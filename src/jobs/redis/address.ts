import { Fault } from "../../kernel/fault.ts";

/** The address of Redis. It may contain a password, so no message shows it. */
export interface RedisAddress {
  readonly url: string;
}

/**
 * Returns the given address if it is valid. Raises `invalid_argument` without quoting it: it may contain a password.
 */
export function readAddress(text: string): RedisAddress {
  if (URL.canParse(text)) {
    const { protocol, hostname, pathname } = new URL(text);
    if (["redis:", "rediss:"].includes(protocol) && hostname !== "" && /^\/?\d{0,4}$/.test(pathname))
      return { url: text };
  }
  throw new Fault("invalid_argument", "VERDICT_REDIS is not the address of a Redis server.", [
    "write redis://HOST:6379, or redis://:PASSWORD@HOST:6379/0; rediss:// with TLS",
    "write password characters that are special in URLs as %XX",
  ]);
}
