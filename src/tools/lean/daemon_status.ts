import * as z from "zod/v4";
import { engine_limits } from "../../engines/limits.ts";
import { type Listener, other_settings, type Tactics } from "../../engines/tactic/index.ts";
import { Status } from "../../engines/tactic/protocol.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";

const { pid, uptime_seconds, state, load_percent, model_error, requests, memory_bytes } = Status.shape;
/** The names of these fields explain their contents, and listing the contents would cost tokens. */
const details = z.record(z.string(), z.unknown());

const output = z.object({
  status: z.enum(["running", "stopped", "unresponsive"]),
  port: z.int(),
  pid: pid.nullable(),
  uptime_seconds: uptime_seconds.nullable(),
  model_loaded: z.boolean(),
  /** Only Verdict's own daemon reports the following fields. */
  state: state.optional(),
  load_percent: load_percent.optional(),
  model_error: model_error.optional(),
  model: details.nullish(),
  queue: details.optional(),
  requests: requests.optional(),
  cache: details.optional(),
  latency_ms: details.optional(),
  memory_bytes: memory_bytes.optional(),
  note: z.string().optional(),
});

type Answer = z.output<typeof output>;

/** `bfs_daemon_status`: reports whether the daemon is running, and its state. Does not start the daemon. */
export function daemonStatus(tactics: Tactics): Tool {
  return defineTool({
    name: "bfs_daemon_status",
    description:
      "Whether the tactic daemon is running, and its model, queue and response times. The daemon starts automatically when it is needed.",
    annotations: annotated("Tactic daemon", "reads"),
    input: z.strictObject({}),
    output,
    limit_ms: () => 2 * engine_limits.tactic_handshake_ms_max,
    async run(_, { deadline }) {
      const listener = await tactics.look(deadline);
      const known = await statusOf(tactics, listener, deadline);
      const notes = [...tactics.wrong_settings, ...(known.note ? [known.note] : [])];
      return { ...known, port: tactics.settings.port, ...(notes.length > 0 && { note: notes.join(" ") }) };
    },
    render: (answer) => [JSON.stringify(answer, null, 2)],
  });
}

async function statusOf(tactics: Tactics, listener: Listener, deadline: Deadline): Promise<Omit<Answer, "port">> {
  const unknown = { pid: null, uptime_seconds: null, model_loaded: false };
  switch (listener.kind) {
    case "ours": {
      const status = await tactics.status(deadline);
      if (!status)
        return { status: "unresponsive", ...unknown, note: "It answered the handshake, but nothing after that." };
      const { connections: _, status: __, ...known } = status;
      const other = `${other_settings} \`verdict daemon restart\` changes that.`;
      return { status: "running", ...pick(known), ...(!tactics.servesOurs(listener.hello) && { note: other }) };
    }
    case "plain":
      return {
        status: "running",
        ...unknown,
        pid: await tactics.notedPid(),
        model_loaded: true,
        note: "It is a different kind of daemon and reports nothing else.",
      };
    case "stranger":
    case "mute":
      return {
        status: "unresponsive",
        ...unknown,
        note: "Another program listens on this port: set TACTIC_SERVER_PORT.",
      };
    case "silent":
      return {
        status: "unresponsive",
        ...unknown,
        note: "A program listens but does not answer: `verdict daemon restart`.",
      };
    case "nobody":
      return { status: "stopped", ...unknown, note: stoppedNote(tactics, listener.detail) };
    default:
      return listener satisfies never;
  }
}

/** Drops the fields of a newer daemon that this version does not know. */
function pick(known: Omit<Status, "connections" | "status">): Omit<Answer, "port" | "status"> {
  return output.omit({ status: true, port: true }).parse(known);
}

function stoppedNote({ settings }: Tactics, detail: string): string {
  const named = settings.model !== undefined;
  return `No daemon listens (${detail}). ${named ? "The first call starts it." : "No model is configured: the user has to set VERDICT_LEAN_MODEL (see the guide `lean`)."}`;
}
