import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import type { Engines } from "../../engines/index.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { cancelled, endedFromOutside, Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import type { Child } from "../../kernel/process/child.ts";
import { metered, outgrown } from "../../kernel/process/output_meter.ts";
import { whileThereIsTime } from "../../kernel/process/processor_time.ts";
import { again } from "../../kernel/step.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { eachLine } from "../../kernel/text/line_reader.ts";
import type { Answer, CallContext, RemoteCall, Tool, Toolset } from "../../kernel/tool.ts";
import { faultOf } from "../job.ts";
import { job_limits } from "../limits.ts";
import { endingIn } from "../stored.ts";
import type { Order } from "./host.ts";

/** A line of the process's output: an event in the running call, or the call's end. */
const Line = z.looseObject({
  progress: z.string().optional(),
  event: z.string().optional(),
  session_update: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Makes a toolset run large calls in a separate process: reading a large script, model or answer blocks a process, and
 * the server must answer its other clients meanwhile.
 */
export function withLargeCallsApart(set: Toolset, engines: Engines, config: Config): Toolset {
  const apart = async (tool: Tool, args: unknown, context: CallContext): Promise<Answer> => {
    const remoteCall = await tool.remoteCall(args, context);
    if (!remoteCall) return tool.call(args, context);
    const deadline = new Deadline(tool.limit_ms(args, context));
    if (JSON.stringify(remoteCall.question.arguments).length <= job_limits.call_chars_max) {
      const answer = await unlessOutgrown(deadline, context.signal, (signal) =>
        tool.call(args, { ...context, signal }),
      );
      if (answer) return answer;
    }
    const { left_ms } = deadline;
    return whileThereIsTime(context.signal, async (signal) =>
      engines.runProgram(config.call_host, deadline.withSignal(signal), (child) =>
        callIn(child, remoteCall, { ...context, signal, left_ms }, config),
      ),
    );
  };
  return {
    ...set,
    session: () => set.session().map((tool) => ({ ...tool, call: (args, context) => apart(tool, args, context) })),
  };
}

/**
 * Runs a call in this process; returns undefined if an engine's answer is too large to read here and there is enough
 * time left to repeat the call.
 */
async function unlessOutgrown(
  deadline: Deadline,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | undefined> {
  const again_ms = deadline.left_ms * job_limits.again_share;
  const stop = new AbortController();
  const meter = (chars: number) => {
    if (chars > job_limits.answer_chars_max && deadline.left_ms > again_ms) stop.abort(outgrown);
  };
  const [made] = await Promise.allSettled([metered(meter, () => call(AbortSignal.any([signal, stop.signal])))]);
  if (stop.signal.aborted && !signal.aborted) return undefined;
  if (made.status === "rejected") throw made.reason;
  return made.value;
}

async function callIn(
  child: Child,
  remoteCall: RemoteCall<Answer>,
  context: CallContext & { readonly left_ms: number },
  config: Config,
): Promise<Answer> {
  let last: unknown;
  child.onText = eachLine((line) => {
    last = jsonOf(line);
    const { progress, event } = Line.safeParse(last).data ?? {};
    if (progress !== undefined) context.progress(progress);
    if (event !== undefined) context.onEvent(event);
  }, limits.stdout_bytes_max);
  const { timeout_ms_max, left_ms } = context;
  child.arm(new Deadline(left_ms + job_limits.call_grace_ms, context.signal));
  const order: Order = {
    config: withoutSecrets(config),
    question: remoteCall.question,
    ...(timeout_ms_max && { timeout_ms_max }),
    left_ms,
  };
  child.write(JSON.stringify(order));
  child.end();
  const ended = await child.ended;
  const ending = endingIn(last);
  const session_update = Line.safeParse(last).data?.session_update;
  const made = ending && "answer" in ending ? ending.answer : undefined;
  // A worker passes on the update to the session, which its server then applies.
  if (session_update) context.onSessionUpdate?.(session_update);
  const answer = context.onSessionUpdate ? made : remoteCall.settle({ answer: made, session_update });
  if (ending && "fault" in ending) {
    if (ending.fault.code === "internal") console.error(child.stderr);
    throw faultOf(ending.fault);
  }
  if (answer) return answer;
  throw unanswered(ended);
}

/** Removes the secrets from the configuration, since no call needs them. */
function withoutSecrets({ tactics, ...config }: Config): Config {
  return { ...config, redis: undefined, tactics: { ...tactics, key: undefined, environment: {} } };
}

function unanswered(ended: Awaited<Child["ended"]>): Fault {
  const smaller = "make the script, model or data smaller";
  const why = ended.kind === "stopped" ? ended.why : undefined;
  if (why === "cancelled" || why === "closed") return cancelled();
  if (why !== undefined) {
    const limit = { deadline: "time limit", memory: "memory limit", output: "limit on its answer" }[why];
    return new Fault("timeout", `This large call exceeded its ${limit}; nothing was decided.`, [
      smaller,
      again("or send the call again, with more time"),
    ]);
  }
  const how = ended.kind === "not_started" ? ended.detail : ended.kind === "signalled" ? ended.signal : ended.kind;
  return (
    endedFromOutside("the process of this large call", how) ??
    new Fault("engine_failed", "The process of this large call exited without an answer; nothing was decided.", [
      again("send the call again"),
      smaller,
    ])
  );
}
