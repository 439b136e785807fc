import type { Deadline } from "../../../kernel/deadline.ts";
import { cancelled, Fault } from "../../../kernel/fault.ts";
import { limits } from "../../../kernel/limits.ts";
import { cut } from "../../../kernel/text/cut.ts";
import { engine_limits } from "../../limits.ts";

/** A server that runs a model. */
export interface Remote {
  readonly url: string;
  readonly key: string | undefined;
}

/** A server, with suggestions for the user in case it fails. */
export interface Server extends Remote {
  readonly steps: readonly string[];
}

/** A server's rejection of a request; some rejections concern only one field of it. */
export class Refusal extends Fault {
  readonly words: string;
  readonly about_fields: boolean;

  constructor(server: Server, http_status: number, words: string) {
    const { code, message, steps } = failed(server, `it answered ${http_status}: ${words}`);
    super(code, message, steps);
    this.words = words;
    this.about_fields = [400, 422, 500, 501].includes(http_status);
  }
}

/**
 * Sends JSON and returns the JSON in the answer; "expired" if time ran out. Raises `cancelled`, `engine_failed`
 * (including a `Refusal`), and `invalid_input` for a state that does not fit into the server's context.
 */
export async function post(server: Server, path: string, body: object, deadline: Deadline): Promise<unknown> {
  const { url, key } = server;
  const text = await exchange(server, `${url.replace(/\/+$/, "")}${path}`, deadline, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  if (text === undefined) return "expired";
  try {
    return JSON.parse(text);
  } catch {
    throw failed(server, "its answer is not JSON");
  }
}

/**
 * Returns a server's answer at its root address, whatever it is; undefined if time ran out. Raises the same faults as
 * `post`.
 */
export function greeting(server: Server, deadline: Deadline): Promise<string | undefined> {
  return exchange(server, new URL("/", server.url).href, deadline, { method: "GET" }, true);
}

async function exchange(
  server: Server,
  address: string,
  deadline: Deadline,
  request: RequestInit,
  takes_refusals = false,
): Promise<string | undefined> {
  if (deadline.is_over && !deadline.signal.aborted) return undefined;
  return deadline.signalling(async (signal) => {
    try {
      // Redirects are not followed: the key and the states must reach only the server that the user specified.
      const response = await fetch(address, { ...request, signal, redirect: takes_refusals ? "manual" : "error" });
      const text = await boundedBody(server, response);
      if (response.ok || takes_refusals) return text;
      throw refusal(server, response.status, text.trim());
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (deadline.signal.aborted) throw cancelled();
      if (signal.aborted) return undefined;
      throw failed(server, reasonOf(error));
    }
  });
}

async function boundedBody(server: Server, response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > engine_limits.tactic_http_bytes_max)
      throw failed(server, `its answer has more than ${engine_limits.tactic_http_bytes_max} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Matches servers' messages that a prompt does not fit: its context, tokens or input exceed a limit. */
const too_long =
  /\b(context|input|inputs|prompt|sequence|tokens?)\b[^\n]{0,200}(exceed|too (long|large|many)|longer than|must (be|have) (<=|less)|larger than)|(exceed\w*|maximum|too long|too many|longer than)\b[^\n]{0,80}\b(context|inputs?|prompt|tokens)\b/i;

function refusal(server: Server, http_status: number, answer: string): Fault {
  // Some servers quote the key that they reject.
  const words = server.key ? answer.replaceAll(server.key, "…") : answer;
  if ([400, 413, 422, 500].includes(http_status) && too_long.test(words.slice(0, 2_000).replaceAll("_", " ")))
    return tooLong(`its server answered ${http_status}: ${cut(words, limits.fault_quote_chars_max)}`);
  return new Refusal(server, http_status, words);
}

/** The fault for a state of which the model could see only a part. */
export function tooLong(why: string): Fault {
  return new Fault("invalid_input", `The state with a tactic is longer than the context of the model: ${why}.`, [
    "send the first goal only, and clear hypotheses that are not needed",
    "or give a smaller max_tokens",
    "the user can raise the context: with VERDICT_LEAN_CONTEXT for Ollama, otherwise when starting the server (llama-server -c, vllm --max-model-len)",
  ]);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  if (code === "ECONNREFUSED") return "no server listens there (ECONNREFUSED)";
  if (code === "ENOTFOUND") return "there is no such host (ENOTFOUND)";
  return code ?? (error instanceof Error ? error.message : "unknown error");
}

/** The fault for a failure of the remote server, including answers in an unknown format. */
export function failed(server: Server, why: string): Fault {
  const words = `The model's server at ${show(server.url)} failed: ${cut(why, limits.fault_quote_chars_max)}.`;
  return new Fault("engine_failed", words, [...server.steps, "then call again"]);
}

/** Returns an address without the parts that may contain a secret. */
function show(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Runs a number of tasks, a few at a time. Each task receives its number; the results are in order. */
export async function several<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    try {
      for (let at = next++; at < count; at = next++) results[at] = await work(at);
    } catch (error) {
      // After one task has failed, no further tasks are started.
      next = count;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, engine_limits.tactic_http_at_once) }, lane));
  return results;
}
