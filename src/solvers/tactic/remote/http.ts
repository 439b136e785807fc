import type { Job } from "../../../kernel/child.ts";
import { cut } from "../../../kernel/cut.ts";
import { cancelled, Fault } from "../../../kernel/fault.ts";
import { limits } from "../../../kernel/limits.ts";

/** A server that models run behind. */
export interface Remote {
  readonly url: string;
  readonly key: string | undefined;
}

/** Sends JSON and gives the JSON that came back; "expired" when time ran out. Raises `cancelled`, `engine_failed`. */
export async function post({ url, key }: Remote, path: string, body: object, job: Job): Promise<unknown> {
  return exchange(`${url.replace(/\/+$/, "")}${path}`, job, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
}

async function exchange(address: string, job: Job, request: RequestInit): Promise<unknown> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), job.left_ms);
  try {
    const signal = AbortSignal.any([job.signal, deadline.signal]);
    // No redirects: the key and the states are for the server that the user named.
    const response = await fetch(address, { ...request, signal, redirect: "error" });
    const text = await bounded(response);
    if (!response.ok) throw refused(`it answered ${response.status}: ${text.trim()}`);
    return parsed(text);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (job.signal.aborted) throw cancelled();
    if (deadline.signal.aborted) return "expired";
    throw refused(reasonOf(error));
  } finally {
    clearTimeout(timer);
  }
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > limits.tactic_http_bytes_max)
      throw refused(`its answer has more than ${limits.tactic_http_bytes_max} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused("its answer is not JSON");
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  return code ?? (error instanceof Error ? error.message : "unknown error");
}

/** A fault of the remote server; also for answers of a form that is not known. */
export function refused(why: string): Fault {
  return new Fault("engine_failed", `The model's server failed: ${cut(why, limits.fault_quote_chars_max)}.`, [
    "ask the user to look whether that server runs and has the model: VERDICT_LEAN_URL, VERDICT_LEAN_MODEL",
    "then call again",
  ]);
}

/** Runs so many pieces of work, a few at a time; in order. Each one is given its number. */
export async function several<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    try {
      for (let at = next++; at < count; at = next++) results[at] = await work(at);
    } catch (error) {
      // What one of them could not do is not asked for again by the others.
      next = count;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, limits.tactic_http_at_once) }, lane));
  return results;
}
