import type { Config } from "../config.ts";
import { engine_limits } from "../engines/limits.ts";
import { TacticDaemon } from "../engines/tactic/daemon/daemon.ts";
import { other_settings, Tactics } from "../engines/tactic/index.ts";
import { checkSettings } from "../engines/tactic/settings.ts";
import { Deadline } from "../kernel/deadline.ts";
import { tellFault } from "./engines.ts";

const actions = ["start", "stop", "restart", "status", "run"] as const;
type Action = (typeof actions)[number];

/** `verdict daemon ACTION`: the Lean tactic daemon; returns the exit code. */
export async function daemon(config: Config, word: string | undefined, automatic = false): Promise<number> {
  const action = actions.find((each) => each === word);
  if (!action) {
    console.error("verdict daemon takes start, stop, restart, status, or run (in the foreground).");
    return 2;
  }
  try {
    checkSettings(config);
    return action === "run" ? await run(config, automatic) : await manage(new Tactics(config), config, action);
  } catch (thrown) {
    tellFault(thrown);
    return 1;
  }
}

/** Runs the daemon in this process until a signal ends it or its last client disconnects. */
function run(config: Config, automatic: boolean): Promise<never> {
  return new Promise((_, reject) => {
    let is_leaving = false;
    const leave = () => {
      if (is_leaving) return;
      is_leaving = true;
      // The exit does not wait for a library that is slow to free the model.
      setTimeout(() => process.exit(0), engine_limits.tactic_let_go_ms_max).unref();
      served.close().then(() => process.exit(0), reject);
    };
    const served = new TacticDaemon(config, leave, automatic);
    // The listeners are not added with `once`: signal-exit, a dependency of llama.cpp, ends the process if no other
    // listener is left.
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, leave);
    served.start().then(({ host, port }) => console.error(`The tactic daemon listens on ${host}:${port}.`), reject);
  });
}

async function manage(tactics: Tactics, config: Config, action: Exclude<Action, "run">): Promise<number> {
  const deadline = new Deadline(engine_limits.tactic_start_ms_max * 2);
  if (action === "stop" || action === "restart") {
    const was_there = await tactics.stop(deadline);
    console.log(was_there ? "The tactic daemon has stopped." : "No tactic daemon was running.");
  }
  if (action === "start" || action === "restart") {
    const listener = await tactics.start(deadline);
    if (listener === "expired" || listener.kind !== "ours") {
      console.error(
        "Another program, not Verdict's daemon, listens on the daemon's port: see `verdict daemon status`.",
      );
      return 1;
    }
    console.log(
      `The tactic daemon runs (pid ${listener.hello.pid}, port ${config.tactics.port}); its model is being loaded.`,
    );
    if (!tactics.servesOurs(listener.hello)) console.log(`${other_settings} \`verdict daemon restart\` changes that.`);
  }
  return action === "status" ? status(tactics, config) : 0;
}

async function status(tactics: Tactics, config: Config): Promise<number> {
  const deadline = new Deadline(2 * engine_limits.tactic_handshake_ms_max);
  const listener = await tactics.look(deadline);
  const known = listener.kind === "ours" ? await tactics.status(deadline) : undefined;
  const { status: _, ...rest } = known ?? {};
  const words = {
    ours: "running",
    plain: "running",
    stranger: "unresponsive",
    silent: "unresponsive",
    mute: "unresponsive",
    nobody: "stopped",
  };
  console.log(JSON.stringify({ status: words[listener.kind], port: config.tactics.port, ...rest }, null, 2));
  return words[listener.kind] === "running" ? 0 : 1;
}
