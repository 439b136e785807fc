import { join } from "node:path";
import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { openOffer } from "../jobs/index.ts";
import { Deadline } from "../kernel/deadline.ts";
import { Fault } from "../kernel/fault.ts";
import type { Toolset } from "../kernel/tool.ts";
import { isLoopback, readAddress } from "../server/http/address.ts";
import { anybody, HttpService, type Offer } from "../server/http/http.ts";
import { http_limits } from "../server/http/limits.ts";
import { Metrics } from "../server/http/metrics.ts";
import { type Principal, type Scope, Tokens } from "../server/http/tokens.ts";
import { buildServer } from "../server/mcp.ts";
import { default_toolsets } from "../tools/index.ts";

export interface HttpFlags {
  /** `[HOST:]PORT` */
  readonly http: string;
  readonly tokens?: string | undefined;
  readonly allowHost?: readonly string[] | undefined;
}

/** The scope that each toolset needs. */
const scope_of: Readonly<Record<string, Scope>> = {
  smtlib: "solve",
  model: "solve",
  memo: "solve",
  jobs: "solve",
  symbolic: "symbolic",
  lean: "lean",
};

/**
 * The MCP server over HTTP, until a signal. Raises `invalid_argument` for a bad address or file of tokens, and for an
 * address that others can reach without tokens.
 */
export async function serveHttp(config: Config, flags: HttpFlags): Promise<void> {
  const address = readAddress(flags.http);
  const tokens = flags.tokens === undefined ? undefined : new Tokens(flags.tokens);
  if (!tokens && !isLoopback(address)) throw unprotected(address.host);
  await tokens?.load();
  const engines = new Engines(config);
  let metrics: Metrics | undefined;
  const counted = (toolsets: readonly Toolset[]) => toolsets.map((set) => metrics?.counting(set) ?? set);
  const principals = new Principals(engines, config, counted);
  const service = new HttpService({
    address,
    host_names: flags.allowHost ?? [],
    principalOf: tokens && ((token) => tokens.principalOf(token)),
    offerFor: (principal) => principals.offerFor(principal),
    makeMetrics: (sessions) => {
      metrics = new Metrics(sessions);
      return metrics;
    },
  });
  const port = await listening(service, flags.http);
  console.error(
    `Verdict serves MCP at http://${address.host.includes(":") ? `[${address.host}]` : address.host}:${port}/mcp`,
  );
  const close = () => {
    principals.close();
    engines.close();
  };
  const leave = async () => {
    await service.drain(new Deadline(http_limits.drain_ms_max));
    close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => void leave());
  process.once("exit", close);
}

async function listening(service: HttpService, given: string): Promise<number> {
  try {
    return await service.listen();
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Fault("invalid_argument", `The server can't listen at ${given} (${reason}).`, [
      "EADDRINUSE: another program listens there; choose another port",
      "EACCES: ports below 1024 need rights; choose a higher one",
    ]);
  }
}

function unprotected(host: string): Fault {
  return new Fault("invalid_argument", `Others could reach ${host}, and no token would be required.`, [
    "name a file of tokens: --tokens FILE (`verdict token NAME --file FILE` makes one)",
    "or listen on this machine only: --http PORT",
  ]);
}

/** What each principal has: tools with models, jobs and memos of its own. The engines are shared. */
class Principals {
  readonly #offers = new Map<string, Offer>();
  readonly #closing: (() => void)[] = [];
  readonly #engines: Engines;
  readonly #config: Config;
  readonly #counted: (toolsets: readonly Toolset[]) => readonly Toolset[];

  constructor(engines: Engines, config: Config, counted: (toolsets: readonly Toolset[]) => readonly Toolset[]) {
    this.#engines = engines;
    this.#config = config;
    this.#counted = counted;
  }

  /** Ends the jobs of all of them. */
  close(): void {
    for (const close of this.#closing.splice(0)) close();
  }

  /** The number of principals is bounded by the file of tokens. */
  offerFor(principal: Principal): Offer {
    const key = `${principal.name} ${principal.scopes.toSorted().join()}`;
    const known = this.#offers.get(key);
    if (known) return known;
    const made = this.#offer(principal);
    this.#offers.set(key, made);
    return made;
  }

  #offer(principal: Principal): Offer {
    const { name, scopes } = principal;
    const data_directory =
      principal === anybody ? this.#config.data_directory : join(this.#config.data_directory, "principals", name);
    const tools = (this.#config.tools ?? default_toolsets).filter((each) => scopes.includes(scope_of[each] ?? "admin"));
    const { jobs, close, ...offer } = openOffer(this.#engines, { ...this.#config, tools, data_directory });
    this.#closing.push(close);
    const toolsets = this.#counted(offer.toolsets);
    const shared = toolsets.map(withOneSession);
    return {
      forSession: () => buildServer(toolsets, this.#engines, jobs),
      forRequest: () => buildServer(shared, this.#engines, jobs),
    };
  }
}

/** A toolset whose state is the same for all who use it. */
function withOneSession(set: Toolset): Toolset {
  let tools: ReturnType<Toolset["session"]> | undefined;
  return {
    ...set,
    session: () => {
      tools ??= set.session();
      return tools;
    },
  };
}
