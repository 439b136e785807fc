import { Fault } from "../../kernel/fault.ts";

/** Where Redis is. It can have a password, so no message shows it. */
export interface RedisAddress {
  readonly url: string;
}

/** What was given as the address, if it can be one. Raises `invalid_argument`, without the text: it may have a password. */
export function readAddress(text: string): RedisAddress {
  if (URL.canParse(text)) {
    const { protocol, hostname, pathname } = new URL(text);
    if (["redis:", "rediss:"].includes(protocol) && hostname !== "" && /^\/?\d{0,4}$/.test(pathname))
      return { url: text };
  }
  throw new Fault("invalid_argument", "VERDICT_REDIS is not the address of a Redis.", [
    "write redis://HOST:6379, or redis://:PASSWORD@HOST:6379/0; rediss:// with TLS",
    "characters of a password that have a meaning in addresses are written as %XX",
  ]);
}
