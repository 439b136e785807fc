import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { isObject } from "../kernel/arguments.ts";
import { limits } from "../kernel/limits.ts";
import { excessOf } from "../kernel/text/json_size.ts";
import { unless } from "../kernel/unless.ts";
import { server_limits } from "./limits.ts";
import type { MessageLine } from "./message_lines.ts";

type Id = string | number;

/**
 * A response that is sent before the protocol sees the message. If the client has an open request, the response
 * contains the request's id.
 */
export interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id: Id | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * The result of parsing a line: a message for the protocol, or rejections. It has neither if no client is waiting for
 * an answer.
 */
export interface Envelope {
  readonly message?: JSONRPCMessage;
  readonly refusals?: readonly Refusal[];
}

const token_error = "_meta.progressToken must be a string or an integer";
const object = (name: string) => `${name} must be an object`;

/** Requests and notifications. The protocol checks the other fields of `params`. */
const Incoming = z.looseObject({
  jsonrpc: z.literal("2.0", { error: 'jsonrpc must be "2.0"' }),
  id: z.union([z.string(), z.int()], { error: "id must be a string or an integer" }).optional(),
  method: z.string({ error: "method must be a string" }),
  params: z
    .looseObject(
      {
        _meta: z
          .looseObject(
            { progressToken: z.union([z.string(), z.int()], { error: token_error }).optional() },
            { error: object("_meta") },
          )
          .optional(),
      },
      { error: object("params") },
    )
    .optional(),
});

/**
 * Parses a line so that no client waits forever: an invalid message is rejected with its request's id. Small errors
 * with a clear meaning are accepted: null and unknown fields are dropped.
 */
export function readEnvelope(line: MessageLine): Envelope {
  if (line.kind === "too_long")
    return refuse(idAtEdges(line.begin.toString(), line.end.toString()), INVALID_REQUEST, too_long);
  const text = decode(line.bytes);
  if (text === undefined) {
    const rough = line.bytes.toString("latin1");
    return refuse(idAtEdges(rough, rough), PARSE_ERROR, "Parse error: the line is not UTF-8");
  }
  if (text.trim() === "") return {};
  const excess = excessOf(line.bytes);
  if (excess !== undefined)
    return refuse(idAtEdges(text, text), INVALID_REQUEST, `Invalid request: the message ${excess}: send less at once`);
  const parsed = parsedJson(text);
  if ("failed" in parsed) {
    const hint = "a message is one line of JSON";
    return refuse(idAtEdges(text, text), PARSE_ERROR, `Parse error: ${parsed.failed}; ${hint}`);
  }
  return Array.isArray(parsed.json) ? refuseBatch(parsed.json) : readMessage(parsed.json);
}

const too_long = `The message has more than ${server_limits.message_bytes_max / 1024 ** 2} MiB and was not read: send less at once`;

function refuse(id: unknown, code: number, message: string): Envelope {
  return { refusals: [{ jsonrpc: "2.0", id: isId(id) ? id : null, error: { code, message } }] };
}

function isId(id: unknown): id is Id {
  return typeof id === "string" || typeof id === "number";
}

function decode(bytes: Buffer): string | undefined {
  return unless(TypeError, () => {
    // Removes a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  });
}

function parsedJson(text: string): { readonly json: unknown } | { readonly failed: string } {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** The protocol has no batches. Each request in a batch is rejected, since its client waits for an answer. */
function refuseBatch(batch: readonly unknown[]): Envelope {
  const ids = batch.flatMap((each) => (isObject(each) && "method" in each && isId(each["id"]) ? [each["id"]] : []));
  const answered = ids.length === 0 ? [null] : ids.slice(0, server_limits.batch_refusals_max);
  const why = "Invalid request: this protocol has no batches; send each message on a separate line";
  return { refusals: answered.flatMap((id) => refuse(id, INVALID_REQUEST, why).refusals ?? []) };
}

function readMessage(json: unknown): Envelope {
  if (!isObject(json)) return refuse(null, INVALID_REQUEST, "Invalid request: a message is a JSON object");
  if (isResponse(json)) return readResponse(json);
  const { id, jsonrpc, method, params } = json;
  const crowded = crowdedOf({ params, _meta: isObject(params) && params["_meta"] });
  if (crowded !== undefined) return refuse(id, INVALID_REQUEST, `Invalid request: ${crowded}`);
  const wrong = method === "tools/call" && isObject(params) ? wrongCall(params) : undefined;
  if (wrong !== undefined) return refuse(id, INVALID_PARAMS, wrong);
  const message = {
    jsonrpc,
    method,
    ...("id" in json && { id }),
    ...(params != null && { params: withoutNulls(params) }),
  };
  const { error } = Incoming.safeParse(message);
  const taken = error ? undefined : protocolMessage(message);
  if (taken) return { message: taken };
  const reasons = error?.issues.map((issue) => issue.message) ?? ["the protocol has no message of this form"];
  return refuse(id, INVALID_REQUEST, `Invalid request: ${reasons.join(", ")}`);
}

/**
 * Describes errors that the protocol's library handles badly: arguments that are not an object, and tool names that are
 * properties of every object.
 */
function wrongCall({ name, arguments: args }: Record<string, unknown>): string | undefined {
  if (args != null && !isObject(args)) return "arguments of tools/call must be an object with values by name";
  const is_name = typeof name !== "string" || (name.length <= limits.id_chars_max && !(name in Object.prototype));
  return is_name ? undefined : `Tool ${JSON.stringify(name.slice(0, limits.id_chars_max))} not found`;
}

/** Returns the message about an object with more fields than the protocol can need. Each field costs time. */
function crowdedOf(objects: Readonly<Record<string, unknown>>): string | undefined {
  const { message_fields_max: most } = server_limits;
  const [name] = Object.entries(objects).find(([, each]) => isObject(each) && Object.keys(each).length > most) ?? [];
  return name === undefined ? undefined : `${name} has more than ${most} fields`;
}

/** Whether an object is a response from the client. A response never needs an answer, whatever it contains. */
function isResponse(json: object): boolean {
  return !("method" in json) && ("result" in json || "error" in json);
}

function readResponse(json: object): Envelope {
  const message = protocolMessage(json);
  if (!message) console.error("The client answered in a form that can't be read.");
  return message ? { message } : {};
}

/** Returns the message as a protocol type; undefined if it has another form. */
function protocolMessage(json: object): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(json);
  } catch (error) {
    if (error instanceof Error && error.name.endsWith("ZodError")) return undefined;
    throw error;
  }
}

/**
 * Removes null fields. Everywhere except in tool arguments, null means an omitted field. The tools check their
 * arguments themselves.
 */
function withoutNulls(json: unknown): unknown {
  if (!isObject(json)) return json;
  const fields = Object.entries(json).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, name === "arguments" ? value : withoutNulls(value)]));
}

const id_value = String.raw`(-?\d{1,16}|"(?:[^"\\]|\\.)*")`;
const id_first = new RegExp(
  String.raw`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*${id_value}\s*[,}]`,
);
const id_last = new RegExp(String.raw`"id"\s*:\s*${id_value}\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*$`);

/** Returns the id of an unparsable message, from its first or last fields. */
function idAtEdges(begin: string, end: string): Id | null {
  const edge = server_limits.message_edge_bytes;
  if (!/^\s*\{/.test(begin.slice(0, edge))) return null;
  const id_text = id_first.exec(begin.slice(0, edge))?.[1] ?? id_last.exec(end.slice(-edge))?.[1];
  const id = id_text === undefined ? null : parsedJson(id_text);
  return id && "json" in id && isId(id.json) ? id.json : null;
}
