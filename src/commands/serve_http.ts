import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { openBacking } from "../jobs/backing.ts";
import type { Backing } from "../jobs/queue.ts";
import { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import { has_proc, residentBytes, treeOf } from "../kernel/process/process_tree.ts";
import { type Address, isLoopback, readAddress } from "../server/http/address.ts";
import { OAuth, readOAuth, readSafeUrl } from "../server/http/auth/oauth.ts";
import type { Identify } from "../server/http/auth/principal.ts";
import { Tokens, token_prefix } from "../server/http/auth/tokens.ts";
import { HttpService } from "../server/http/http.ts";
import { http_limits } from "../server/http/limits.ts";
import { Uploads } from "../server/http/uploads.ts";
import { CallLog } from "../server/http/usage/log.ts";
import { Meters } from "../server/http/usage/meter.ts";
import { Metrics } from "../server/http/usage/metrics.ts";
import { readQuota, usual_quotas } from "../server/http/usage/quota.ts";
import type { Watch } from "../server/http/usage/watched.ts";
import { expectConfined } from "./engines.ts";
import { Principals, scopesOfTools } from "./principals.ts";

export interface HttpFlags {
  /** `[HOST:]PORT` */
  readonly http: string;
  readonly tokens?: string | undefined;
  readonly allowHost?: readonly string[] | undefined;
}

/**
 * Runs the MCP server over HTTP until a signal ends it. Raises `invalid_argument` for an invalid address, token file or
 * setting, for `--allow-unconfined`, and for an address reachable by others without tokens.
 */
export async function serveHttp(config: Config, flags: HttpFlags): Promise<void> {
  expectConfined(config, "The server over HTTP");
  const address = readAddress(flags.http);
  const { public_url } = config.http;
  const url = public_url === undefined ? undefined : readSafeUrl("public-url", public_url);
  const oauth = readOAuth(config.http.oauth, url);
  const quota = config.http.quota === undefined ? undefined : readQuota(config.http.quota);
  const tokens =
    flags.tokens === undefined ? undefined : new Tokens(flags.tokens, quota && { ...usual_quotas.token, ...quota });
  if (!tokens && !oauth && !isLoopback(address)) throw unprotected(address.host);
  await tokens?.load();
  const backing = await openBacking(config);
  const engines = new Engines(config);
  const tool_scopes = scopesOfTools(engines, config);
  const watch = watchOf({ engines, backing }, config, (tool) => tool_scopes.has(tool) || tool === "start_job");
  const uploads = new Uploads(config.scratch_directory);
  const principals = new Principals({ engines, backing, uploads }, config, watch);
  const service = new HttpService({
    address,
    host_names: [...(flags.allowHost ?? []), ...(url ? [url.hostname] : [])],
    identify: identifier(tokens, oauth && new OAuth(oauth, { ...usual_quotas.oauth, ...quota })),
    resource: oauth,
    scopeOf: (tool) => tool_scopes.get(tool),
    offerFor: (principal) => principals.offerFor(principal),
    uploads,
    ...watch,
  });
  const port = await listening(service, flags.http);
  console.error(`Verdict serves MCP at ${urlOf({ ...address, port }).href}`);
  const close = () => {
    principals.close();
    uploads.close();
    backing.close();
    engines.close();
  };
  const leave = async () => {
    setTimeout(() => principals.handOver(), http_limits.drain_handover_ms).unref();
    await service.drain(new Deadline(http_limits.drain_ms_max));
    close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => void leave());
  process.once("exit", close);
}

interface Services {
  readonly engines: Engines;
  readonly backing: Backing;
}

/** Creates the observer that logs and counts calls. */
function watchOf({ engines, backing }: Services, { http }: Config, takesTurn: Watch["takesTurn"]): Watch {
  const metrics = new Metrics();
  metrics.gauge("verdict_calls_waiting", "Calls and jobs waiting for a solver.", async () => {
    return engines.waiting + (await backing.queue.waiting());
  });
  metrics.gauge("verdict_solver_processes", "Solver processes.", () => ownProcesses().length);
  metrics.gauge("verdict_solver_resident_bytes", "Memory of all solver processes.", () =>
    residentBytes(ownProcesses()),
  );
  // A log reader that exits must not end the server.
  process.stderr.on("error", () => {});
  const log = new CallLog((line) => void process.stderr.write(line), http.log_questions);
  return { metrics, meters: new Meters(), log, takesTurn };
}

/** The ids of this process's descendants; none are found on systems without /proc. */
function ownProcesses(): number[] {
  return has_proc ? treeOf(process.pid).slice(1) : [];
}

/** Identifies a token's owner; Verdict's own tokens have a recognisable prefix. Undefined if no token is required. */
function identifier(tokens: Tokens | undefined, oauth: OAuth | undefined): Identify | undefined {
  if (!tokens) return oauth && ((token) => oauth.identify(token));
  if (!oauth) return (token) => tokens.identify(token);
  return (token) => (token.startsWith(token_prefix) ? tokens : oauth).identify(token);
}

function urlOf({ host, port }: Address): URL {
  return new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}/mcp`);
}

async function listening(service: HttpService, address: string): Promise<number> {
  try {
    return await service.listen();
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Fault("invalid_argument", `The server can't listen at ${address} (${reason}).`, [
      "EADDRINUSE: another program listens there; choose another port",
      "EACCES: ports below 1024 need privileges; choose a higher one",
    ]);
  }
}

function unprotected(host: string): Fault {
  return new Fault("invalid_argument", `${host} is reachable from other machines, and no token would be required.`, [
    "name a token file: --tokens FILE (`verdict token NAME --file FILE` creates one)",
    "or accept the tokens of an issuer: --oauth-issuer URL --oauth-jwks URL --public-url URL",
    "or listen only on this machine: --http PORT",
  ]);
}
