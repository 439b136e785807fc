import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Connection, cli, connect } from "../support/client.ts";
import { nativeZ3 } from "../support/engines.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import {
  cpuSeconds,
  endAll,
  gone_ms_max,
  isReaper,
  leftOver,
  processesWith,
  runs,
  sees_processes,
  until,
} from "../support/processes.ts";
import { some } from "../support/runs_all.ts";
import { endless } from "../support/scripts.ts";

const client_to_be_killed = fileURLToPath(new URL("../fixtures/client.mjs", import.meta.url));
const native = nativeZ3();

let fakes: FakeSolvers;

beforeEach(() => {
  fakes = openFakes();
});

afterEach(() => {
  if (sees_processes) endAll(fakes.directory);
  fakes.remove();
});

interface Solver {
  readonly name: string;
  readonly z3: () => string | undefined;
  /** Whether the solve is under way, so that the server dies in the midst of it. */
  readonly solving: () => boolean;
}

/** What runs for the server: its directory for temporary files is its marker, and theirs too. */
function family() {
  return processesWith(fakes.directory);
}

/** A process besides the server that has used so much processor time is one that solves. */
function busy(seconds: number, without: RegExp): () => boolean {
  return () =>
    family().some((seen) => !isReaper(seen) && !without.test(seen.command) && cpuSeconds(seen.pid) > seconds);
}

function sleeper(): boolean {
  return family().some(({ command }) => command.startsWith("sleep"));
}

const not_solvers = /cli\.mjs|client\.mjs/;
const native_z3: Solver = { name: "a native Z3", z3: () => native, solving: busy(0.3, not_solvers) };
const wasm: Solver = { name: "the embedded Z3", z3: () => "wasm", solving: busy(1.5, not_solvers) };
const forks: Solver = {
  name: "a solver that has started a process",
  z3: () => fakes.path("forks"),
  solving: sleeper,
};
const forks_session: Solver = {
  name: "a solver that has started a process in a session of its own",
  z3: () => fakes.path("forks_session"),
  solving: sleeper,
};
const real = [...(native === undefined ? [] : [native_z3]), wasm];

function environment(solver: Solver): Record<string, string> {
  return { TMPDIR: fakes.directory, VERDICT_Z3: solver.z3() ?? "", VERDICT_SCRIPT: endless };
}

async function solving(solver: Solver): Promise<void> {
  const begun = await until(solver.solving, 120_000);
  // Shows who ran instead, should it not have begun.
  expect({ begun, family: begun ? [] : family() }).toEqual({ begun: true, family: [] });
}

async function nothingLeft(): Promise<void> {
  expect(await leftOver(fakes.directory)).toEqual([]);
}

/** `verdict call` in the midst of an endless solve. */
async function callInMidst(solver: Solver): Promise<ChildProcess> {
  const args = [cli, "call", "solve_smtlib", "--json", JSON.stringify({ smtlib: endless, timeout_ms: 600_000 })];
  const server = spawn(process.execPath, args, { stdio: "ignore", env: { ...process.env, ...environment(solver) } });
  await solving(solver);
  return server;
}

/** A server on stdio in the midst of an endless solve, with the client that asked for it. */
async function serveInMidst(solver: Solver): Promise<Connection> {
  const connection = await connect({ env: environment(solver) });
  const call = { name: "solve_smtlib", arguments: { smtlib: endless, timeout_ms: 600_000 } };
  // The server goes before it answers, and the client then gives up.
  connection.client.callTool(call, { timeout: 600_000 }).catch(() => {});
  await solving(solver);
  return connection;
}

describe.skipIf(!sees_processes)("a server that is killed in the midst of a solve", () => {
  test.each([...real, forks])("leaves no process of $name, and no reaper", async (solver) => {
    const server = await callInMidst(solver);
    expect(family().some(isReaper)).toBe(true);
    server.kill("SIGKILL");
    await once(server, "exit");
    await nothingLeft();
  });

  test("leaves nothing of a solver that has started a process in a session of its own", async () => {
    const server = await callInMidst(forks_session);
    server.kill("SIGKILL");
    await once(server, "exit");
    await nothingLeft();
  });

  test.each(some(["SIGABRT", "SIGQUIT", "SIGUSR2"] as const))("by %s leaves nothing either", async (signal) => {
    const server = await callInMidst(forks);
    server.kill(signal);
    await once(server, "exit");
    await nothingLeft();
  });

  test("by SIGKILL while it finds out which Z3 to use leaves nothing", async () => {
    const finding_out = { ...forks, z3: () => fakes.path("never_answers") };
    const server = await callInMidst({
      ...finding_out,
      solving: () => family().some(({ command }) => command.includes("never_answers")),
    });
    server.kill("SIGKILL");
    await once(server, "exit");
    await nothingLeft();
  });
});

describe.skipIf(!sees_processes)("`verdict call` in the midst of a solve", () => {
  test.each(some(["SIGINT", "SIGTERM"] as const))(
    "is cancelled by %s: it says so, ends, and leaves nothing",
    async (signal) => {
      const server = await callInMidst(real[0] ?? wasm);
      server.kill(signal);
      const [code] = await once(server, "exit");
      expect(code).toBe(1);
      await nothingLeft();
    },
  );

  test("leaves nothing when its terminal hangs up", async () => {
    const server = await callInMidst(real[0] ?? wasm);
    server.kill("SIGHUP");
    await once(server, "exit");
    await nothingLeft();
  });
});

describe.skipIf(!sees_processes)("a server in the midst of a solve", () => {
  test.each(some(["SIGTERM", "SIGHUP", "SIGINT"] as const, 2))("ends on %s and leaves nothing", async (signal) => {
    const { pid, close } = await serveInMidst(real[0] ?? wasm);
    process.kill(pid, signal);
    expect(await until(() => !runs(pid), gone_ms_max)).toBe(true);
    await nothingLeft();
    await close();
  });

  test.each([...some(real), ...some([forks_session, forks])])(
    "with $name ends and leaves nothing when its client leaves",
    async (solver) => {
      const { pid, close } = await serveInMidst(solver);
      await close();
      expect(await until(() => !runs(pid), gone_ms_max)).toBe(true);
      await nothingLeft();
    },
  );

  test.each([forks, ...some(real)])("with $name ends and leaves nothing when its client is killed", async (solver) => {
    const client = spawn(process.execPath, [client_to_be_killed, cli], {
      stdio: "ignore",
      env: { ...process.env, ...environment(solver) },
    });
    await solving(solver);
    client.kill("SIGKILL");
    await once(client, "exit");
    await nothingLeft();
  });

  test("whose reaper was killed still ends its solvers when it ends by itself", async () => {
    const { pid, close } = await serveInMidst(forks);
    for (const reaper of family().filter(isReaper)) process.kill(reaper.pid, "SIGKILL");
    process.kill(pid, "SIGTERM");
    await nothingLeft();
    await close();
  });
});
