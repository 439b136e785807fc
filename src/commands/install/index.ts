import { dirname } from "node:path";
import type { Installation } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import { makeDirectory } from "../../kernel/files/make_directory.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import { tellFault } from "../engines.ts";
import { type Client, clients, filesOf, usualFile } from "./clients.ts";
import { difference } from "./difference.ts";
import { type Change, edited } from "./edit.ts";
import { readConfigFile, replaceConfigFile } from "./file.ts";
import { type Machine, shortened, thisMachine } from "./machine.ts";
import { byNpx, byPath, isInstalled, type ServerCommand } from "./server_entry.ts";

export interface InstallFlags {
  /** The names of clients; by default, all clients on this machine. */
  readonly client?: readonly string[];
  readonly dryRun?: boolean;
  readonly uninstall?: boolean;
  /** How clients start Verdict: with `npx`, or by the `path` of this program. */
  readonly by?: string;
}

/** The exit codes: everything was done, a client's file was left unchanged, or there was a fault. */
const exit_codes = { done: 0, left: 1, fault: 2 } as const;

/** Adds Verdict to the configuration of the clients on this machine, and reports what it did. Returns the exit code. */
export async function install({ places, node, program }: Installation, flags: InstallFlags): Promise<number> {
  try {
    const machine = thisMachine(places);
    const change: Change = flags.uninstall
      ? { kind: "remove" }
      : { kind: "add", command: commandOf(machine.platform, node, program, flags.by) };
    const chosen = choose(flags.client, machine);
    if (chosen.length === 0) throw noClient();
    const lines = await Promise.all(chosen.map((each) => applyChange(each, change, machine, flags.dryRun ?? false)));
    console.log(lines.map(({ text }) => text).join("\n"));
    const is_changed = lines.some(({ state }) => state === "changed");
    if (is_changed) console.log(flags.dryRun ? "\nNothing was written (--dry-run)." : "\nRestart these clients now.");
    return lines.some(({ state }) => state === "left") ? exit_codes.left : exit_codes.done;
  } catch (thrown) {
    tellFault(thrown);
    return exit_codes.fault;
  }
}

/** A published package is started with npx; a clone by its path, since npx would fetch the published package. */
function commandOf(platform: NodeJS.Platform, node: string, program: string, by: string | undefined): ServerCommand {
  switch (by ?? (isInstalled(program) ? "npx" : "path")) {
    case "npx":
      return byNpx(platform);
    case "path":
      return byPath(node, program);
    default:
      throw new Fault("invalid_argument", `--by takes npx or path. Given: ${by}.`, ["omit it for the default"]);
  }
}

interface Target {
  readonly client: Client;
  readonly file: string;
}

function choose(names: readonly string[] | undefined, machine: Machine): readonly Target[] {
  const targets = (client: Client, files: readonly string[]) => files.map((file) => ({ client, file }));
  if (names === undefined) return clients.flatMap((client) => targets(client, filesOf(client, machine)));
  return names.map(clientNamed).flatMap((client) => {
    const files = filesOf(client, machine);
    return targets(client, files.length > 0 ? files : [usualFile(client, machine)]);
  });
}

function clientNamed(name: string): Client {
  const client = clients.find(({ id, title }) => id === name || title.toLowerCase() === name.toLowerCase());
  if (client) return client;
  const ids = clients.map(({ id }) => id);
  const near = nearest(name, ids);
  throw new Fault("invalid_argument", `There is no client "${name}" that Verdict knows.`, [
    ...(near.length > 0 ? [`write ${near.join(" or ")} if you meant that`] : []),
    `choose from: ${ids.join(", ")}`,
    "docs/install.md says how to add a server to any other client",
  ]);
}

interface Report {
  readonly state: "changed" | "same" | "left";
  readonly text: string;
}

const prepositions = { added: "to", updated: "in", removed: "from" } as const;

async function applyChange(
  { client, file }: Target,
  change: Change,
  machine: Machine,
  is_dry: boolean,
): Promise<Report> {
  const where = shortened(machine, file);
  try {
    const old = await readConfigFile(file);
    const { text, done } = edited(client, old.text, change);
    if (done === "nothing") return same(client, where, change);
    if (is_dry) return { state: "changed", text: `${client.title}:\n${difference(where, old.text, text)}` };
    await makeDirectory(dirname(old.path));
    const backup = await replaceConfigFile(old, text, new Date());
    const backup_note = backup === undefined ? "a new file" : `the old file is saved as ${shortened(machine, backup)}`;
    return { state: "changed", text: `✓ ${client.title}: ${done} ${prepositions[done]} ${where} (${backup_note})` };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const by_hand = change.kind === "add" ? [client.by_hand.replace("COMMAND", commandLine(change.command))] : [];
    const steps = [...thrown.steps, ...by_hand].map((step, i) => `(${i + 1}) ${step}`).join("; ");
    return { state: "left", text: `✗ ${client.title}: ${where}: ${thrown.message}.\n  What to do: ${steps}.` };
  }
}

function commandLine({ command, args }: ServerCommand): string {
  return [command, ...args].map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word)).join(" ");
}

function same(client: Client, where: string, change: Change): Report {
  const words = change.kind === "add" ? "is already configured" : "is not configured";
  return { state: "same", text: `= ${client.title}: verdict ${words} (${where})` };
}

function noClient(): Fault {
  return new Fault("invalid_argument", "None of the clients that Verdict knows was found on this machine.", [
    `name one to create its file: verdict install --client ${clients.map(({ id }) => id).join("|")}`,
    "docs/install.md says how to add a server by hand",
  ]);
}
