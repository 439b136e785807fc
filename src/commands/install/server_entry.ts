import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";

const Entry = z.looseObject({ command: z.string(), args: z.array(z.string()).default([]) });

/** The command with which a client starts Verdict. */
export type ServerCommand = Pick<z.output<typeof Entry>, "command" | "args">;

const package_name = "@verdict-mcp/verdict";

/**
 * The command that runs the published package, whether or not it is installed, since npx fetches it. On Windows, a
 * client can't start `npx` directly.
 */
export function byNpx(platform: NodeJS.Platform): ServerCommand {
  const args = ["-y", package_name];
  return platform === "win32" ? { command: "cmd", args: ["/c", "npx", ...args] } : { command: "npx", args };
}

/** The command that runs the current program from its path: a clone or an unpacked package. */
export function byPath(node: string, program: string): ServerCommand {
  return { command: node, args: [program] };
}

/** Whether a program was installed by npm. If so, npx finds it by name, even after an update. */
export function isInstalled(program: string): boolean {
  return /[\\/]node_modules[\\/]/.test(program);
}

/** Whether an entry of a client's configuration starts Verdict in any way. */
export function isOurs(entry: unknown): boolean {
  const read = Entry.safeParse(entry);
  if (!read.success) return false;
  const { command, args } = read.data;
  return (
    args.includes(package_name) || [command, ...args].some((word) => /(^|[\\/])(verdict(\.cmd)?|cli\.mjs)$/.test(word))
  );
}

/** Whether an entry starts Verdict with exactly this command; it may have additional arguments. */
export function starts(entry: unknown, { command, args }: ServerCommand): boolean {
  const read = Entry.safeParse(entry);
  return read.success && read.data.command === command && args.every((word, i) => read.data.args[i] === word);
}

export type Tree = Readonly<Record<string, unknown>>;

/** The fault for a configuration text that is left unchanged. */
export function unreadable(why: string): Fault {
  return new Fault("input_rejected", `the file was left as it is: ${why}`, ["correct the file, and run this again"]);
}
