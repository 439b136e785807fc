import { isIPv6 } from "node:net";
import { Fault } from "../../kernel/fault.ts";

/** The address to listen on. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const loopback_names = ["127.0.0.1", "::1", "localhost"];

/** Parses `[HOST:]PORT`; the default host is 127.0.0.1. Raises `invalid_argument`. */
export function readAddress(text: string): Address {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:\s]+)):)?(\d{1,5})$/.exec(text.trim()) ?? [];
  const port = Number(digits);
  if (digits !== undefined && port <= 65_535 && (bracketed === undefined || isIPv6(bracketed)))
    return { host: bracketed ?? plain ?? "127.0.0.1", port };
  throw new Fault("invalid_argument", `--http takes [HOST:]PORT, not ${JSON.stringify(text.slice(0, 100))}.`, [
    "name a port: verdict serve --http 8321",
    "or a host too: verdict serve --http 0.0.0.0:8321 --tokens FILE",
    "write an IPv6 address in brackets: [::1]:8321",
  ]);
}

/** Whether only this machine can reach the address. */
export function isLoopback({ host }: Address): boolean {
  return loopback_names.includes(host);
}

/**
 * Returns the names by which clients may address the server. Clients' `Host` and `Origin` headers are checked against
 * these names.
 */
export function hostNames({ host }: Address, more: readonly string[]): string[] {
  const own = isIPv6(host) ? `[${host}]` : host;
  return [...new Set(["localhost", "127.0.0.1", "[::1]", own, ...more])];
}
