import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Engines } from "../engines/index.ts";
import { local_owner, openOffer } from "../jobs/index.ts";
import type { Backing } from "../jobs/queue.ts";
import type { Toolset } from "../kernel/tool.ts";
import type { Principal, Scope } from "../server/http/auth/principal.ts";
import type { Offer } from "../server/http/http.ts";
import { http_limits } from "../server/http/limits.ts";
import type { Uploads } from "../server/http/uploads.ts";
import { type Watch, watched } from "../server/http/usage/watched.ts";
import { buildServer } from "../server/mcp.ts";
import { default_toolsets, openToolsets, type ToolsetName } from "../tools/index.ts";

const scope_of: Readonly<Record<ToolsetName, Scope>> = {
  smtlib: "solve",
  model: "solve",
  memo: "solve",
  jobs: "solve",
  symbolic: "symbolic",
  lean: "lean",
};
const scopes = new Map<string, Scope>(Object.entries(scope_of));

/** The scope required by a toolset. An unknown toolset requires the admin scope. */
function scopeOf(toolset: string): Scope {
  return scopes.get(toolset) ?? "admin";
}

/** The scope required by each tool of the requested toolsets. */
export function scopesOfTools(engines: Engines, config: Config): ReadonlyMap<string, Scope> {
  const names = (config.tools ?? default_toolsets).filter((name) => name !== "jobs");
  const rows = names.flatMap((name) =>
    openToolsets(engines, { ...config, tools: [name] })
      .flatMap((set) => set.session())
      .map((tool) => [tool.name, scopeOf(name)] as const),
  );
  return new Map(rows);
}

interface Kept extends Offer {
  readonly isIdle: () => boolean;
  readonly handOver: () => void;
  readonly close: () => void;
  readonly used_at: number;
}

/** The tools of each principal, with separate models, jobs and memos. The engines are shared. */
export class Principals {
  /** The tools of each principal; the least recently used entry comes first. */
  readonly #offers = new Map<string, Kept>();
  readonly #engines: Engines;
  readonly #backing: Backing;
  readonly #uploads: Uploads;
  readonly #config: Config;
  readonly #watch: Watch;

  constructor(
    { engines, backing, uploads }: { readonly engines: Engines; readonly backing: Backing; readonly uploads: Uploads },
    config: Config,
    watch: Watch,
  ) {
    this.#engines = engines;
    this.#backing = backing;
    this.#uploads = uploads;
    this.#config = config;
    this.#watch = watch;
  }

  /** Turns running calls into jobs. */
  handOver(): void {
    for (const { handOver } of this.#offers.values()) handOver();
  }

  /** Ends the jobs of all principals. */
  close(): void {
    for (const { close } of this.#offers.values()) close();
    this.#offers.clear();
  }

  offerFor(principal: Principal): Offer {
    const key = `${principal.id} ${principal.scopes.toSorted().join()}`;
    const offer = this.#offers.get(key) ?? this.#offer(principal);
    this.#offers.delete(key);
    this.#offers.set(key, { ...offer, used_at: performance.now() });
    this.#forgetOld();
    return offer;
  }

  /**
   * Forgets principals that have been idle for a day, and their models, since an issuer may have any number of
   * subjects.
   */
  #forgetOld(): void {
    const before = performance.now() - http_limits.principal_idle_ms_max;
    for (const [key, { used_at, isIdle, close }] of this.#offers) {
      if (used_at > before) return;
      if (!isIdle()) continue;
      close();
      this.#offers.delete(key);
    }
  }

  #offer(principal: Principal): Kept {
    const { folder, scopes } = principal;
    const data_directory = join(this.#config.data_directory, ...folder);
    const wanted = this.#config.tools ?? default_toolsets;
    const tools = wanted.filter((each) => scopes.includes(scopeOf(each)));
    const data_roots = [this.#uploads.directoryOf(principal), ...this.#config.data_roots];
    const own = { ...this.#config, tools, data_directory, data_roots, takes_uploads: true };
    const owner = folder.length === 0 ? local_owner : folder.join("/");
    const { jobs, isIdle, handOver, close, ...offer } = openOffer(this.#engines, own, this.#backing, owner);
    const toolsets = offer.toolsets.map((set) => watched(set, principal, this.#watch, (id) => jobs?.ended(id)));
    const shared = toolsets.map(withOneSession);
    return {
      isIdle,
      handOver,
      close,
      used_at: performance.now(),
      forSession: () => buildServer(toolsets, this.#engines, { jobs }),
      forRequest: () => buildServer(shared, this.#engines, { jobs }),
    };
  }
}

/** Makes all users of a toolset share its state. */
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
