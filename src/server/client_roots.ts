import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { parse, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { errorCode } from "../kernel/files/errno.ts";
import { server_limits } from "./limits.ts";

const Listed = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });
const Envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ roots: z.looseObject({}) }),
});

/** The key of the server's question in a result of revision 2026-07-28. */
const asked = "roots";

/**
 * The directories (roots) declared by a connection's client. A client of the 2025 revisions is asked with a request, at
 * the first call that needs the roots. A client of the 2026 revision is asked with a result, and then repeats the call.
 */
export class ClientRoots {
  #server: McpServer["server"] | undefined;
  #known: readonly string[] = [];
  #answer: Promise<void> | undefined;
  /** How often the client has changed its roots. Answers to outdated questions are discarded. */
  #changes = 0;
  /** Whether the client failed to answer in time. The server waits for such a client only once. */
  #is_slow = false;

  /** Registers the handlers with the connection's server. */
  attach({ server }: McpServer): void {
    this.#server = server;
    server.setNotificationHandler("notifications/roots/list_changed", () => {
      // Directories that are no longer declared must not be used until the client answers.
      this.#changes++;
      this.#known = [];
      this.#answer = undefined;
      this.#is_slow = false;
    });
  }

  /** Returns the directories that the client has declared. Waits for a limited time. */
  async list(): Promise<readonly string[]> {
    if (!this.#server?.getClientCapabilities()?.roots) return this.#known;
    this.#answer ??= this.#ask(this.#server);
    if (!this.#is_slow) {
      const late = sleep(server_limits.roots_wait_ms, true, { ref: false });
      this.#is_slow = await Promise.race([this.#answer.then(() => false), late]);
    }
    return this.#known;
  }

  /** Reads the answer that a client of the 2026 revision sends with its call. */
  take({ mcpReq }: ServerContext): Promise<void> {
    const answer = Listed.safeParse(mcpReq.inputResponses?.[asked]);
    return answer.success ? this.#keep(answer.data) : Promise.resolve();
  }

  /** Whether the client is of the 2026 revision, has roots, and has not yet been asked for this call. */
  canAsk({ mcpReq }: ServerContext): boolean {
    return Envelope.safeParse(mcpReq.envelope).success && mcpReq.inputResponses?.[asked] === undefined;
  }

  question(): InputRequiredResult {
    return inputRequired({ inputRequests: { [asked]: inputRequired.listRoots() } });
  }

  async #ask(server: McpServer["server"]): Promise<void> {
    const before = this.#changes;
    try {
      const answer = await server.listRoots(undefined, { timeout: server_limits.roots_ms_max });
      await this.#keep(answer, before);
    } catch (error) {
      // The client has declared support for roots; if it does not answer, it has none.
      console.error("The client did not name its roots:", error instanceof Error ? error.message : error);
    }
  }

  async #keep({ roots }: z.output<typeof Listed>, changes = this.#changes): Promise<void> {
    const found = await Promise.all(roots.slice(0, server_limits.roots_max).map(({ uri }) => directoryOf(uri)));
    if (this.#changes === changes) this.#known = found.filter((each) => each !== undefined);
  }
}

/**
 * Returns the real path of a root; undefined for anything but a path on this machine, and for the home and root
 * directories.
 */
async function directoryOf(uri: string): Promise<string | undefined> {
  if (!/^file:/i.test(uri)) return undefined;
  try {
    const path = await realpath(fileURLToPath(uri));
    const home = await realpath(homedir());
    const is_wide = path === parse(path).root || `${home}${sep}`.startsWith(`${path}${sep}`);
    return is_wide ? undefined : path;
  } catch (error) {
    // An error from an invalid escape in the path has no code.
    if (error instanceof URIError || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
