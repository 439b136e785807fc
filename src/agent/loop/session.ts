import { Client, type Transport } from "@modelcontextprotocol/client";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { version } from "../../version.ts";
import { asRecord, type JsonRecord } from "../evidence/json.ts";
import { isItemLanguage, type Language } from "../languages.ts";
import { agent_limits } from "../limits.ts";

/** Opens a connection to an MCP server, which may be restricted to this language. */
export type OpenTransport = (language: Language) => Promise<Transport>;

/** A tool as listed by the server. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonRecord;
}

/** The result of a tool call. */
export interface Observation {
  readonly text: string;
  readonly structured: JsonRecord;
  readonly is_fault: boolean;
}

/**
 * A connection to an MCP server. The agent and its reviewer have separate ones, since the model under construction
 * belongs to a connection.
 */
export class Session {
  readonly language: Language;
  readonly #client: Client;

  private constructor(client: Client, language: Language) {
    this.#client = client;
    this.language = language;
  }

  /** Raises `engine_missing` if there is no server, and `cancelled` if the user interrupts. */
  static async open(openTransport: OpenTransport, language: Language, deadline: Deadline): Promise<Session> {
    const limit = deadline.atMost(agent_limits.connect_ms_max);
    const client = new Client({ name: "verdict-agent", version });
    const connect = async () =>
      client.connect(await openTransport(language), { timeout: limit.left_ms, signal: limit.signal });
    try {
      if ((await limit.within(connect())) === "expired") throw unreachable("it did not answer in time");
    } catch (error) {
      // A server that we started must end with its connection, even if connecting failed.
      await closed(client);
      if (error instanceof Fault) throw error;
      throw unreachable(causeOf(error));
    }
    return new Session(client, language);
  }

  /** The server's tools, in the order in which it lists them. */
  async tools(deadline: Deadline): Promise<readonly ListedTool[]> {
    const { tools } = await this.#client.listTools({}, { timeout: deadline.left_ms, signal: deadline.signal });
    return tools.map(({ name, description = "", inputSchema }) => ({
      name,
      description,
      input: asRecord(inputSchema),
    }));
  }

  /** The server's guide to a language; empty if there isn't one. */
  async guide(deadline: Deadline): Promise<string> {
    const { language } = this;
    const options = { timeout: deadline.left_ms, signal: deadline.signal };
    const { prompts } = await this.#client.listPrompts({}, options);
    if (!prompts.some(({ name }) => name === "instructions")) return "";
    const { messages } = await this.#client.getPrompt({ name: "instructions", arguments: { language } }, options);
    return messages.flatMap(({ content }) => (content.type === "text" ? [content.text] : [])).join("\n\n");
  }

  /**
   * Calls a tool. A rejection by the server is returned as an observation, too; only a cancelled call or a lost server
   * raises.
   */
  async call(name: string, args: JsonRecord, deadline: Deadline): Promise<Observation> {
    const result = await this.#client.callTool(
      { name, arguments: { ...args } },
      { timeout: Math.max(1, deadline.left_ms), signal: deadline.signal },
    );
    const texts = result.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`));
    return {
      text: texts.join("\n"),
      structured: asRecord(result.structuredContent),
      is_fault: result.isError === true,
    };
  }

  /** Closes the connection, without waiting for a server that does not answer. */
  close(): Promise<void> {
    return closed(this.#client);
  }
}

async function closed(client: Client): Promise<void> {
  await Promise.race([
    client.close().catch(() => {}),
    new Promise((done) => setTimeout(done, agent_limits.close_ms_max).unref()),
  ]);
}

/**
 * Fills in the conversation's language in a call's arguments. Returns a string with the reason if they specify another
 * language.
 */
export function inLanguage(tool: ListedTool, args: JsonRecord, language: Language): JsonRecord | string {
  const takes_language = Object.hasOwn(asRecord(tool.input["properties"]), "language");
  if (!takes_language || !isItemLanguage(language)) return args;
  const named = args["language"];
  if (named === undefined || named === language) return { ...args, language };
  return `This conversation uses the language "${language}"; omit the argument "language", and write the model in ${language}.`;
}

/** The root cause: "fetch failed" says less than "connect ECONNREFUSED". */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}

function unreachable(why: string): Fault {
  return new Fault("engine_missing", `The MCP server can't be reached: ${why}.`, [
    "check the address or the command that --mcp names",
    "leave --mcp out to use the server in this program",
  ]);
}
