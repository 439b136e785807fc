import { randomUUID } from "node:crypto";
import { closeSync, copyFileSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { type Child, type ChildLimits, Children, type Program } from "../../src/kernel/process/child.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import {
  endAll,
  gone_ms_max,
  isReaper,
  leftOver,
  processesWith,
  type Seen,
  sees_processes,
  stateOf,
  until,
} from "../support/processes.ts";

const mib = 1024 ** 2;
const roomy: ChildLimits = { stdout_bytes_max: 8 * mib, stderr_bytes_max: 64 * 1024, rss_bytes_max: 1024 * mib };
const check = '(get-info :version)\n(check-sat)\n(echo "done")\n';

let fakes: FakeSolvers;
let marker: string;
let children: Children;
const running_children: Child[] = [];

beforeEach(() => {
  fakes = openFakes();
  marker = `VERDICT_TEST_${randomUUID()}`;
  children = new Children({ PATH: process.env["PATH"], VERDICT_MARKER: marker }, tmpdir());
});

afterEach(async () => {
  children.stopAll();
  await Promise.all(running_children.splice(0).map(({ ended }) => ended));
  if (sees_processes) endAll(marker);
  fakes.remove();
});

/** What runs of ours, but for the reaper, which lives as long as we do. */
function ours(): Seen[] {
  return processesWith(marker).filter((seen) => !isReaper(seen));
}

function reapers(): Seen[] {
  return processesWith(marker).filter(isReaper);
}

function job(left_ms: number, signal = new AbortController().signal): Deadline {
  return new Deadline(left_ms, signal);
}

interface Started {
  readonly child: Child;
  text(): string;
}

function start(program: Program, limits = roomy): Started {
  const child = children.start(program, limits);
  running_children.push(child);
  let text = "";
  child.onText = (piece) => {
    text += piece;
  };
  return { child, text: () => text };
}

/** A fake solver that was asked to check, on its job. */
function ask(behaviour: string, wanted = job(120_000), limits = roomy): Started {
  const started = start({ command: fakes.path(behaviour), args: ["-in"] }, limits);
  started.child.arm(wanted);
  started.child.write(check);
  return started;
}

function script(text: string): Program {
  return { command: process.execPath, args: ["-e", text] };
}

async function nothingLeft(): Promise<void> {
  if (sees_processes) expect(await leftOver(marker, (seen) => !isReaper(seen))).toEqual([]);
}

/** Waits until a number of our processes run, the reaper not counted. */
async function running(count: number): Promise<void> {
  expect(await until(() => ours().length >= count, 120_000)).toBe(true);
}

async function answered({ text }: Started): Promise<void> {
  expect(await until(() => text().includes("9.9.9"), 120_000)).toBe(true);
}

describe("a child that behaves", () => {
  test("hands its output over before it has ended, and says with which code it ended", async () => {
    const { child, text } = start(script('process.stdout.write("é".repeat(70000)); process.exitCode = 7'));
    expect(await child.ended).toEqual({ kind: "exited", code: 7 });
    expect(text()).toBe("é".repeat(70_000));
  });

  test("answers what it is asked, until its stdin closes", async () => {
    const started = ask("good");
    expect(await until(() => started.text().endsWith("done\n"), 120_000)).toBe(true);
    expect(started.child.ending).toBeUndefined();
    started.child.end();
    expect(await started.child.ended).toEqual({ kind: "exited", code: 0 });
    expect(started.text()).toBe('(:version "9.9.9")\nsat\ndone\n');
  });

  test("is counted while it runs and no longer", async () => {
    const { child } = ask("hang");
    expect(children.count).toBe(1);
    child.stop("closed");
    await child.ended;
    expect(children.count).toBe(0);
  });

  test("sees nothing of our environment but what it is given", async () => {
    vi.stubEnv("VERDICT_SECRET_FOR_TEST", "s3cret");
    const { child, text } = start(script("console.log(JSON.stringify(process.env))"));
    await child.ended;
    vi.unstubAllEnvs();
    expect(Object.keys(JSON.parse(text())).sort()).toEqual(["PATH", "VERDICT_MARK", "VERDICT_MARKER"]);
  });

  test("runs in the directory that it is given", async () => {
    const elsewhere = new Children({ PATH: process.env["PATH"] }, fakes.directory);
    const child = elsewhere.start(script("console.log(process.cwd())"), roomy);
    let text = "";
    child.onText = (piece) => {
      text += piece;
    };
    await child.ended;
    expect(text.trim().endsWith(fakes.directory)).toBe(true);
  });

  test("gets each argument as it is, whatever a shell would make of it", async () => {
    const odd = "$(touch x); `id` \"'*";
    const program = { command: process.execPath, args: ["-e", "console.log(process.argv[1])", odd] };
    const { child, text } = start(program);
    await child.ended;
    expect(text()).toBe(`${odd}\n`);
  });
});

describe("the deadline", () => {
  test("stops a child that hangs, and leaves no process", async () => {
    const { child } = ask("hang", job(300));
    expect(await child.ended).toEqual({ kind: "stopped", why: "deadline" });
    await nothingLeft();
  });

  test.each([0, 1, 2, 20])("of %i ms is kept, although the child has hardly started", async (left_ms) => {
    const { child } = ask("hang", job(left_ms));
    expect(await child.ended).toEqual({ kind: "stopped", why: "deadline" });
    await nothingLeft();
  });

  test("stops a child that never read anything of what it was sent", async () => {
    const started = start({ command: fakes.path("never_answers"), args: [] });
    started.child.arm(job(300));
    started.child.write("(assert true)\n".repeat(500_000));
    expect(await started.child.ended).toEqual({ kind: "stopped", why: "deadline" });
    await nothingLeft();
  });

  test("stops a child that ignores SIGTERM", async () => {
    const started = ask("ignores_sigterm", job(1_000));
    await answered(started);
    const { pid } = started.child;
    if (pid !== undefined) process.kill(pid, "SIGTERM");
    expect(await started.child.ended).toEqual({ kind: "stopped", why: "deadline" });
    await nothingLeft();
  });

  test("stops a child that was halted by SIGSTOP, and names that, not the time", async () => {
    const started = ask("hang", job(120_000));
    await answered(started);
    const { pid } = started.child;
    if (pid !== undefined) process.kill(pid, "SIGSTOP");
    started.child.arm(job(300));
    expect(await started.child.ended).toEqual({ kind: "signalled", signal: "SIGSTOP" });
    await nothingLeft();
  });

  test("of a later job replaces that of the one before", async () => {
    const { child } = ask("hang", job(50));
    child.arm(job(60_000));
    await sleep(300);
    expect(child.ending).toBeUndefined();
    child.stop("closed");
    expect(await child.ended).toEqual({ kind: "stopped", why: "closed" });
  });

  test("does not hold for a child without a job", async () => {
    const { child } = start({ command: fakes.path("good"), args: [] });
    await sleep(200);
    expect(child.ending).toBeUndefined();
  });
});

describe("a cancelled job", () => {
  test("stops its child in the middle, and leaves no process", async () => {
    const cancel = new AbortController();
    const started = ask("hang", job(120_000, cancel.signal));
    await answered(started);
    cancel.abort();
    expect(await started.child.ended).toEqual({ kind: "stopped", why: "cancelled" });
    await nothingLeft();
  });

  test("stops its child although it was cancelled before it began", async () => {
    const { child } = ask("hang", job(120_000, AbortSignal.abort()));
    expect(await child.ended).toEqual({ kind: "stopped", why: "cancelled" });
    await nothingLeft();
  });

  test.each([0, 1, 5, 20, 60])("stops its child %i ms after the start, in the midst of it", async (after_ms) => {
    const cancel = new AbortController();
    const { child } = ask("slow_start", job(120_000, cancel.signal));
    setTimeout(() => cancel.abort(), after_ms);
    expect(await child.ended).toEqual({ kind: "stopped", why: "cancelled" });
    await nothingLeft();
  });

  test("is cancelled, whatever reason for a stop comes afterwards", async () => {
    const cancel = new AbortController();
    const { child } = ask("hang", job(120_000, cancel.signal));
    cancel.abort();
    cancel.abort();
    child.stop("deadline");
    child.stop("memory");
    const ending = await child.ended;
    expect(ending).toEqual({ kind: "stopped", why: "cancelled" });
    child.stop("closed");
    expect(child.ending).toBe(ending);
  });

  test("does no harm to a child that had already ended", async () => {
    const cancel = new AbortController();
    const { child } = ask("exit_0", job(120_000, cancel.signal));
    await child.ended;
    cancel.abort();
    expect(child.ending).toEqual({ kind: "exited", code: 0 });
  });

  test("that replaced another one is not stopped by the signal of that other one", async () => {
    const before = new AbortController();
    const { child } = ask("hang", job(120_000, before.signal));
    child.arm(job(120_000));
    before.abort();
    await sleep(100);
    expect(child.ending).toBeUndefined();
  });
});

describe("memory", () => {
  const limits = { ...roomy, rss_bytes_max: 300 * mib };

  test.skipIf(process.platform === "win32")("past its limit stops the child, long before its deadline", async () => {
    const { child } = ask("eats_memory", job(60_000), limits);
    expect(await child.ended).toEqual({ kind: "stopped", why: "memory" });
    await nothingLeft();
  });

  test.skipIf(process.platform === "win32")("of a grandchild counts as well", async () => {
    const shell = `"${fakes.path("eats_memory")}" -in <&0; :`;
    const { child } = start({ command: "/bin/sh", args: ["-c", shell] }, limits);
    child.arm(job(60_000));
    child.write(check);
    expect(await child.ended).toEqual({ kind: "stopped", why: "memory" });
    await nothingLeft();
  });

  test("below its limit is left alone", async () => {
    const { child } = ask("hang", job(1_500), limits);
    expect(await child.ended).toEqual({ kind: "stopped", why: "deadline" });
  });
});

describe("output", () => {
  test("on stdout past its limit stops the child, and what was handed over is within the limit", async () => {
    const { child, text } = ask("flood_stdout", job(60_000), { ...roomy, stdout_bytes_max: 1_000_000 });
    expect(await child.ended).toEqual({ kind: "stopped", why: "output" });
    expect(text().length).toBeGreaterThan(0);
    expect(text().length).toBeLessThanOrEqual(1_000_000);
    await nothingLeft();
  });

  test("on stderr past its limit is dropped, and the child goes on to its deadline", async () => {
    const { child } = ask("flood_stderr", job(1_000), { ...roomy, stderr_bytes_max: 5_000 });
    expect(await child.ended).toEqual({ kind: "stopped", why: "deadline" });
    expect(child.stderr).toHaveLength(5_000);
    expect(child.stderr.startsWith("flood flood")).toBe(true);
    await nothingLeft();
  });

  test("of exactly the limit is let through", async () => {
    const { child, text } = start(script('process.stdout.write("x".repeat(1000))'), {
      ...roomy,
      stdout_bytes_max: 1_000,
    });
    expect(await child.ended).toEqual({ kind: "exited", code: 0 });
    expect(text()).toHaveLength(1_000);
  });

  test("that splits a letter between two pieces is put together again", async () => {
    const halves =
      "process.stdout.write(Buffer.from([0xe2, 0x82])); setTimeout(() => process.stdout.write(Buffer.from([0xac])), 100)";
    const { child, text } = start(script(halves));
    await child.ended;
    expect(text()).toBe("€");
  });

  test("comes no more after the child was stopped", async () => {
    const started = ask("flood_stdout", job(60_000), { ...roomy, stdout_bytes_max: 1024 * mib });
    await answered(started);
    started.child.stop("cancelled");
    const { length } = started.text();
    await started.child.ended;
    expect(started.text()).toHaveLength(length);
  });
});

describe("an end that nobody asked for", () => {
  test("by a signal names the signal", async () => {
    expect(await ask("segfault").child.ended).toEqual({ kind: "signalled", signal: "SIGSEGV" });
  });

  test("by an exit gives the code, and what was on stderr", async () => {
    const { child } = ask("exit_101");
    expect(await child.ended).toEqual({ kind: "exited", code: 101 });
    expect(child.stderr).toContain("out of memory");
  });

  test("by SIGKILL from outside is not a stop of ours", async () => {
    const started = ask("hang");
    await answered(started);
    const { pid } = started.child;
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    expect(await started.child.ended).toEqual({ kind: "signalled", signal: "SIGKILL" });
  });

  test.skipIf(!sees_processes)("leaves no zombie", async () => {
    const { child } = ask("segfault");
    await child.ended;
    expect(stateOf(child.pid ?? 0)).toBeUndefined();
    const other = ask("hang", job(200)).child;
    await other.ended;
    expect(stateOf(other.pid ?? 0)).toBeUndefined();
  });

  test("settles once, although a stop, a job and a write come after it", async () => {
    const { child } = ask("exit_0");
    let settled = 0;
    void child.ended.then(() => settled++);
    const ending = await child.ended;
    child.stop("cancelled");
    child.write("more\n");
    child.end();
    await sleep(200);
    expect(settled).toBe(1);
    expect(child.ending).toBe(ending);
  });
});

describe("a job for a child that has ended", () => {
  test("leaves no timer behind", async () => {
    const { child } = ask("exit_0");
    await child.ended;
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    child.arm(job(60_000));
    expect(timers()).toBe(before);
  });
});

describe("a program that can't be started", () => {
  test.each([
    ["that is not there", "/nonexistent/z3", "ENOENT"],
    ["that is a directory", tmpdir(), "EACCES"],
  ])("%s ends as not started", async (_, command, detail) => {
    const { child } = start({ command, args: [] });
    child.arm(job(120_000));
    child.write(check);
    expect(child.pid).toBeUndefined();
    expect(await child.ended).toEqual({ kind: "not_started", detail });
    expect(children.count).toBe(0);
  });

  test("ends as not started although its job was cancelled, or stopped, before that was known", async () => {
    const { child } = start({ command: "/nonexistent/z3", args: [] });
    child.arm(job(0, AbortSignal.abort()));
    child.stop("closed");
    expect(await child.ended).toMatchObject({ kind: "not_started" });
  });

  test("in a directory that is not there ends as not started", async () => {
    const nowhere = new Children({ PATH: process.env["PATH"] }, "/nonexistent");
    expect(await nowhere.start(script(""), roomy).ended).toEqual({ kind: "not_started", detail: "ENOENT" });
  });

  test("because its path leads through a file ends as not started", async () => {
    const { child } = start({ command: `${fakes.path("good")}/z3`, args: [] });
    expect(await child.ended).toMatchObject({ kind: "not_started" });
  });

  test("because it is being written at this moment ends as not started", { skip: !sees_processes }, async () => {
    const copy = join(fakes.directory, "being_written");
    copyFileSync(process.execPath, copy);
    const file = openSync(copy, "r+");
    try {
      const { child } = start({ command: copy, args: [] });
      expect(await child.ended).toMatchObject({ kind: "not_started" });
    } finally {
      closeSync(file);
    }
  });
});

describe("stdin", () => {
  test("of a child that is gone takes what is written, without a word", async () => {
    const { child } = ask("exit_0");
    await child.ended;
    child.write("x".repeat(mib));
    child.end();
    child.end();
  });

  test("of a child that dies while it is written to breaks nothing", async () => {
    const { child } = start(script("process.exit(0)"));
    for (let i = 0; i < 50; i++) child.write("x".repeat(mib));
    expect(await child.ended).toEqual({ kind: "exited", code: 0 });
  });

  test("closed by the child itself breaks nothing, and the deadline holds", async () => {
    const started = start({ command: fakes.path("closes_stdin"), args: [] });
    started.child.arm(job(1_000));
    started.child.write('(echo "ready")\n');
    expect(await until(() => started.text() !== "", 120_000)).toBe(true);
    await sleep(100);
    for (let i = 0; i < 10; i++) started.child.write(check.repeat(10_000));
    expect(await started.child.ended).toEqual({ kind: "stopped", why: "deadline" });
  });
});

describe.skipIf(!sees_processes)("what a child has started", () => {
  test("in its own group dies with it", async () => {
    const { child } = ask("forks");
    await running(2);
    child.stop("cancelled");
    await child.ended;
    await nothingLeft();
  });

  test("in a session of its own dies with it", async () => {
    const { child } = ask("forks_session");
    await running(2);
    child.stop("cancelled");
    await child.ended;
    await nothingLeft();
  });

  test("in a session of its own, by a parent that is gone, dies with it", async () => {
    const { child } = start({ command: "/bin/sh", args: ["-c", "(setsid sleep 600 &); sleep 600"] });
    child.arm(job(120_000));
    await running(3);
    child.stop("cancelled");
    await child.ended;
    await nothingLeft();
  });

  test("dies with the deadline too", async () => {
    const { child } = ask("forks_session", job(1_500));
    expect(await child.ended).toEqual({ kind: "stopped", why: "deadline" });
    await nothingLeft();
  });

  test("dies when the child ends by itself, and does not hold its end up by holding its stdout", async () => {
    const { child } = ask("leaves_child", job(20_000));
    expect(await child.ended).toEqual({ kind: "exited", code: 0 });
    await nothingLeft();
  });

  test("and left in another session does not hold up the child's end by holding its stdout", async () => {
    const { child } = ask("leaves_session", job(20_000));
    expect(await child.ended).toEqual({ kind: "exited", code: 0 });
  });

  test("and left in another session is gone when the child has ended by itself", async () => {
    const { child } = ask("leaves_session", job(20_000));
    await child.ended;
    await nothingLeft();
  });

  test("dies to the last of a whole chain of shells", async () => {
    const chain = 'sh -c "sh -c \'sh -c \\"sleep 600; :\\"; :\'; :"; :';
    const { child } = start({ command: "/bin/sh", args: ["-c", chain] });
    child.arm(job(120_000));
    await running(5);
    child.stop("deadline");
    await child.ended;
    await nothingLeft();
  });
});

describe("all children together", () => {
  test("are stopped at once, however many and whatever they do", async () => {
    const started = ["hang", "flood_stderr", "forks", "ignores_sigterm", "slow_start", "never_answers"].map((name) =>
      ask(name),
    );
    await Promise.all(started.slice(0, 4).map(answered));
    children.stopAll();
    children.stopAll();
    const endings = await Promise.all(started.map(({ child }) => child.ended));
    expect(endings).toEqual(started.map(() => ({ kind: "stopped", why: "closed" })));
    expect(children.count).toBe(0);
    if (sees_processes) expect(await leftOver(marker), "the reaper ends, too").toEqual([]);
    const { child } = ask("hang");
    expect(await child.ended).toEqual({ kind: "stopped", why: "closed" });
    if (sees_processes) expect(await leftOver(marker), "no other one begins").toEqual([]);
  });

  test("have one reaper, and a new one when it was killed", { skip: !sees_processes }, async () => {
    const first = ask("hang");
    await running(1);
    expect(reapers()).toHaveLength(1);
    const [reaper] = reapers();
    if (reaper) process.kill(reaper.pid, "SIGKILL");
    await until(() => reapers().length === 0, gone_ms_max);
    await sleep(50);
    const second = ask("hang");
    await running(2);
    expect(reapers()).toHaveLength(1);
    expect(reapers()[0]?.pid).not.toBe(reaper?.pid);
    expect(first.child.ending).toBeUndefined();
    expect(second.child.ending).toBeUndefined();
  });

  test("leave nothing running after fifty starts and stops in a row", { skip: !sees_processes }, async () => {
    for (let i = 0; i < 50; i++) start({ command: "/bin/sh", args: ["-c", "sleep 600"] }).child.stop("cancelled");
    expect(await until(() => children.count === 0, 120_000)).toBe(true);
    await nothingLeft();
  });
});
