import { treeOf } from "../json.ts";

/** The handlers for a host's messages to the view. */
export interface Hears {
  /** The arguments of the tool call. */
  input(args: Readonly<Record<string, unknown>>): void;
  /** The structured answer to the call. */
  result(answer: Readonly<Record<string, unknown>>): void;
  theme(theme: string): void;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The host of an MCP app (JSON-RPC over `postMessage`, revision 2026-01-26 of MCP Apps). Only messages from the parent
 * window are accepted.
 */
export class Host {
  readonly #hears: Hears;
  readonly #waiting = new Map<number, (answer: Json) => void>();
  #next = 0;
  #can_call = false;

  constructor(hears: Hears) {
    this.#hears = hears;
    addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
      const message = treeOf(data);
      if (source === parent && message?.["jsonrpc"] === "2.0") this.#receive(message);
    });
  }

  /** Whether the view may call its server's tools. */
  get can_call(): boolean {
    return this.#can_call;
  }

  async connect(appInfo: { readonly name: string; readonly version: string }): Promise<void> {
    const hello = await this.#ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo, appCapabilities: {} });
    const hello_result = treeOf(hello["result"]) ?? {};
    this.#can_call = treeOf(treeOf(hello_result["hostCapabilities"])?.["serverTools"]) !== undefined;
    this.#context(treeOf(hello_result["hostContext"]) ?? {});
    this.#post({ method: "ui/notifications/initialized" });
  }

  /**
   * Calls one of the server's tools. Returns the structured answer, or undefined if the host or the tool rejected the
   * call.
   */
  async call(name: string, args: Json): Promise<Json | undefined> {
    const answer = await this.#ask("tools/call", { name, arguments: args });
    return treeOf(treeOf(answer["result"])?.["structuredContent"]);
  }

  /** Requests as much space as the page needs. */
  resize(): void {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    this.#post({ method: "ui/notifications/size-changed", params: { width, height } });
  }

  #receive(message: Json): void {
    const { id, method } = message;
    const params = treeOf(message["params"]) ?? {};
    if (typeof id === "number" && method === undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (method === "ui/notifications/tool-input") this.#hears.input(treeOf(params["arguments"]) ?? {});
    else if (method === "ui/notifications/tool-result") this.#hears.result(treeOf(params["structuredContent"]) ?? {});
    else if (method === "ui/notifications/host-context-changed") this.#context(params);
    else if (id !== undefined && (method === "ping" || method === "ui/resource-teardown"))
      this.#post({ id, result: {} });
    else if (id !== undefined) this.#post({ id, error: { code: -32601, message: "unknown method" } });
  }

  #context({ theme }: Json): void {
    if (typeof theme === "string") this.#hears.theme(theme);
  }

  #ask(method: string, params: Json): Promise<Json> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#post({ id, method, params });
    });
  }

  #post(message: Json): void {
    parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}
