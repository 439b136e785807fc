import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../kernel/arguments.ts";
import { Fault } from "../../kernel/fault.ts";
import { unless } from "../../kernel/unless.ts";
import type { Client } from "./clients.ts";
import { editJson, readJson } from "./json_text.ts";
import { isOurs, type ServerCommand, starts, type Tree, unreadable } from "./server_entry.ts";
import { editToml, readToml } from "./toml_text.ts";

/** The server's name in client configurations. */
export const server_name = "verdict";

/** What to do with the server's entry. */
export type Change = { readonly kind: "add"; readonly command: ServerCommand } | { readonly kind: "remove" };

export interface Edited {
  readonly text: string;
  readonly done: "added" | "updated" | "removed" | "nothing";
}

/**
 * Adds the server to a client's configuration text, or removes it. Everything else in the text, including comments, is
 * preserved. Raises `input_rejected` for a text that can't be read or changed safely.
 */
export function edited(client: Client, text: string, change: Change): Edited {
  const before = read(client, text);
  const entry = entryIn(before, client);
  if (entry !== undefined && !isOurs(entry)) throw nameTaken(client);
  if (change.kind === "remove" ? entry === undefined : starts(entry, change.command)) return { text, done: "nothing" };
  const value = change.kind === "remove" ? undefined : entryOf(client, entry, change.command);
  const edit = client.format === "toml" ? editToml : editJson;
  const after = edit(text, [client.key, server_name], value);
  expectOnlyThat(client, before, after, value);
  return { text: after, done: change.kind === "remove" ? "removed" : entry === undefined ? "added" : "updated" };
}

/** Creates a new entry, or replaces the command in the old one; the user's other settings are preserved. */
function entryOf(client: Client, entry: unknown, { command, args }: ServerCommand): Tree {
  const old = isObject(entry) ? entry : { ...client.fields };
  const { command: _command, args: _args, ...others } = old;
  return { command, args: [...args], ...others };
}

function read(client: Client, text: string): Tree {
  const tree = client.format === "toml" ? readToml(text) : readJson(text, client.format === "jsonc");
  if (!isObject(tree)) throw unreadable("it is not an object");
  return tree;
}

function entryIn(tree: Tree, client: Client): unknown {
  return serversIn(tree, client)[server_name];
}

/** Returns the servers in a configuration; a missing object counts as empty. */
function serversIn(tree: Tree, { key }: Client): Tree {
  const servers = tree[key] ?? {};
  if (!isObject(servers)) throw unreadable(`"${key}" is not an object`);
  return servers;
}

/** Checks that the edited text differs from the old one only in the server's entry; otherwise, the edit is not used. */
function expectOnlyThat(client: Client, before: Tree, text: string, value: Tree | undefined): void {
  const after = readAgain(client, text);
  const { [server_name]: _, ...others } = serversIn(before, client);
  const servers = value === undefined ? others : { ...others, [server_name]: value };
  const expected = { ...before, [client.key]: servers };
  if (!after || !isDeepStrictEqual(plain({ ...after, [client.key]: serversIn(after, client) }), plain(expected)))
    throw unreadable("its form can't be changed safely");
}

/** Parses an edited text; undefined if the edit broke it. */
function readAgain(client: Client, text: string): Tree | undefined {
  return unless(Fault, () => read(client, text));
}

/** Removes prototypes and special classes, which differ between parsers. */
function plain(tree: Tree): unknown {
  return JSON.parse(JSON.stringify(tree, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)));
}

function nameTaken({ key }: Client): Fault {
  return new Fault("input_rejected", `the file was left as it is: "${key}" has another server named "${server_name}"`, [
    "rename that server, and run this again",
  ]);
}
