import { createHash, scryptSync } from "node:crypto";
import type { Config } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the address to listen on. The daemon has no password, so it must be reachable only from this machine. Raises
 * `forbidden`.
 */
export function localAddress(host: string): string {
  if (host === "localhost") return "127.0.0.1";
  if (/^127\.\d+\.\d+\.\d+$|^::1$/.test(host)) return host;
  throw new Fault("forbidden", `The daemon listens only on this machine, and ${host} is a different address.`, [
    "unset TACTIC_SERVER_HOST, or set it to localhost",
    "for a model on another machine, run a completions server there: VERDICT_LEAN_MODEL=openai:NAME and VERDICT_LEAN_URL",
  ]);
}

/**
 * Identifies the settings of a daemon with this configuration by a hash. The key in them is hashed with a slow hash, so
 * that it can't be guessed.
 */
export function servedBy({ tactics }: Config): string {
  const { model, url, key, prompt, gpu, threads, context_tokens } = tactics;
  const hidden = key === undefined ? null : scryptSync(key, "verdict-tactics", 16).toString("hex");
  const settings = JSON.stringify([model, url, hidden, prompt, gpu, threads, context_tokens]);
  return createHash("sha256").update(settings).digest("hex").slice(0, 16);
}
