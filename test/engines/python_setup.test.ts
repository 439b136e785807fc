import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { PythonEnvironment } from "../../src/engines/python/environment.ts";
import { Python } from "../../src/engines/python/index.ts";
import { packagesOf } from "../../src/engines/python/packages.ts";
import type { Environment } from "../../src/engines/python/whole_environment.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import type { Fault } from "../../src/kernel/fault.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { Slots } from "../../src/kernel/process/slots.ts";
import { clingo_builds } from "../support/asp.ts";
import { cli } from "../support/client.ts";
import { callWhenShort, can_limit_descriptors } from "../support/descriptors.ts";
import { removeDirectory } from "../support/directories.ts";
import { nativeZ3 } from "../support/engines.ts";
import { type FakeSolvers, openFakes } from "../support/fakes.ts";
import { faultIn as faultOf } from "../support/faults.ts";
import { quickest_minizinc } from "../support/minizinc.ts";
import { isReaper, leftOver, sees_processes, until } from "../support/processes.ts";
import { privatePython, pythonData, real_setup_ms_max } from "../support/python.ts";
import { some } from "../support/runs_all.ts";

let fakes: FakeSolvers;
let data: string;
const opened: { close(): void }[] = [];

beforeEach(() => {
  fakes = openFakes("python");
  data = join(fakes.directory, "data");
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  vi.restoreAllMocks();
  fakes.remove();
});

interface Server {
  readonly python: PythonEnvironment;
  /** How many processes it has started. */
  started(): number;
}

interface Setting {
  readonly in_background?: boolean;
  readonly python?: string;
  readonly path?: readonly string[];
  readonly group?: string;
}

/** What a server works with that has no Python but those given. */
function servicesOf({ python, path = [] }: Setting) {
  const env = { ...process.env, VERDICT_DATA: data, VERDICT_PYTHON: python ?? "", TMPDIR: fakes.directory };
  const config = {
    ...readConfig({}, env),
    path,
    python_directory: resolve("python"),
  };
  const environment = { PATH: process.env["PATH"], TMPDIR: fakes.directory };
  return { config, children: new Children(environment, config.child_directory) };
}

/** A server's environment. */
function open({ in_background = false, group, ...setting }: Setting): Server {
  const { config, children } = servicesOf(setting);
  const start = vi.spyOn(children, "start");
  const opened_python = new PythonEnvironment({ config, children, in_background, group });
  opened.push({
    close() {
      opened_python.close();
      children.stopAll();
    },
  });
  return { python: opened_python, started: () => start.mock.calls.length };
}

function job(left_ms = 120_000, signal = new AbortController().signal) {
  return new Deadline(left_ms, signal);
}

const silent = () => {};

async function ready({ python }: Server): Promise<Environment> {
  const made = await python.ready(job(), silent);
  if (made === "expired") throw new Error("expired");
  return made;
}

/** Ends the installations that are held. */
function letGo(): void {
  writeFileSync(join(fakes.directory, "let_go"), "");
}

/** What the fakes were asked to do. */
function log(): string[] {
  const file = join(fakes.directory, "fake.log");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

function installs(): number {
  return log().filter((line) => line === "install").length;
}

/** What lies in the place of the environments. */
function environments(): string[] {
  const place = join(data, "python");
  return existsSync(place) ? readdirSync(place) : [];
}

/** A fault is for a model: it has a remedy, and reveals nothing of this machine or its user. */
function expectDiscreet(fault: Fault): void {
  expect(fault.steps.length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(fault.report())).not.toMatch(/secret|mirror\.example|\/tmp\/|\/place\//);
  expect(JSON.stringify(fault.report())).not.toContain(fakes.directory);
}

describe("the interpreter", () => {
  it("is the one of VERDICT_PYTHON, under its own name for itself", async () => {
    const interpreter = await open({ python: fakes.path("good") }).python.interpreter(job());
    expect(interpreter).toMatchObject({ python: fakes.path("good"), version: "3.12.1" });
  });

  it("is looked for on PATH until a good one is found, and asked once", async () => {
    fakes.path("good");
    mkdirSync(join(fakes.directory, "a"));
    mkdirSync(join(fakes.directory, "b"));
    symlinkSync(fakes.path("old"), join(fakes.directory, "a", "python3.13"));
    symlinkSync(fakes.path("good"), join(fakes.directory, "b", "python3.12"));
    symlinkSync(fakes.path("good"), join(fakes.directory, "b", "python3.11"));
    const server = open({ path: [join(fakes.directory, "a"), join(fakes.directory, "b")] });
    expect(await server.python.interpreter(job())).toMatchObject({ version: "3.12.1" });
    await server.python.interpreter(job());
    expect(server.started()).toBe(2);
  });

  it.each([
    ["old", "is 3.9.2"],
    ["ancient", "is 2.7.18"],
    ["newest", "is 3.99.0"],
    ["pypy", "is pypy, not CPython"],
    ["nonsense", "does not answer like Python"],
    ["lies", "does not answer like Python"],
    ["exits", "ends with code 127"],
  ])("is not one that behaves as %s, and the fault says why", async (behaviour, why) => {
    const fault = await faultOf(open({ python: fakes.path(behaviour) }).python.ready(job(), silent));
    expect(fault.code).toBe("engine_missing");
    expect(fault.message).toContain(`the one of VERDICT_PYTHON ${why}`);
    expectDiscreet(fault);
  });

  it("is not silently another one when VERDICT_PYTHON names none", async () => {
    mkdirSync(join(fakes.directory, "a"));
    symlinkSync(fakes.path("good"), join(fakes.directory, "a", "python3.12"));
    const server = open({ python: fakes.path("old"), path: [join(fakes.directory, "a")] });
    const fault = await faultOf(server.python.interpreter(job()));
    expect(fault.message).toContain("the one of VERDICT_PYTHON is 3.9.2");
    expect(server.started()).toBe(1);
  });

  it("is not one that hangs, and the search for it does not hang either", async () => {
    mkdirSync(join(fakes.directory, "a"));
    symlinkSync(fakes.path("hang"), join(fakes.directory, "a", "python3.12"));
    const fault = await faultOf(open({ path: [join(fakes.directory, "a")] }).python.interpreter(job()));
    expect(fault.message).toContain("python3.12 on PATH does not answer");
  });

  it.runIf(can_limit_descriptors)(
    "is not called missing by a server that is short of descriptors, and its environment stays",
    async () => {
      await ready(open({ python: fakes.path("good") }));
      const code = "def f(x: int) -> int:\n    return x";
      const env = {
        VERDICT_DATA: data,
        VERDICT_PYTHON: fakes.path("good"),
        TMPDIR: fakes.directory,
        PATH: "/usr/bin:/bin",
      };
      expect(await callWhenShort("symbolic_check", { code, function_name: "f" }, env)).toMatchObject({
        code: "engine_failed",
        remedy: expect.stringContaining("ulimit -n"),
      });
      expect(environments()).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)]);
    },
  );

  it("is missing where there is none, and the fault says how to get it", async () => {
    const fault = await faultOf(open({}).python.ready(job(), silent));
    expect(fault.code).toBe("engine_missing");
    expect(fault.remedy).toContain("VERDICT_PYTHON");
    expectDiscreet(fault);
    expect(environments()).toEqual([]);
  });

  it("is also one without venv, which can't make an environment", async () => {
    const server = open({ python: fakes.path("no_venv") });
    expect(await server.python.interpreter(job())).toMatchObject({ has_venv: false });
    const fault = await faultOf(server.python.ready(job(), silent));
    expect(fault.code).toBe("engine_failed");
    expect(fault.remedy).toContain("python3-venv");
    expectDiscreet(fault);
  });
});

describe("the private environment", () => {
  it("is made once, and costs no process later", async () => {
    const made = await ready(open({ python: fakes.path("good") }));
    expect(made).toMatchObject({
      version: "3.12.1",
      packages: { z3: "9.9.9.0", pysat: "9.9.dev9", crosshair: "9.9.9" },
    });
    expect(made.reads).toEqual([made.directory, "/opt/base"]);
    expect(existsSync(made.python)).toBe(true);
    expect(environments()).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)]);

    const later = open({});
    expect(await ready(later)).toEqual(made);
    expect(later.started()).toBe(0);
    expect(installs()).toBe(1);
  });

  it("is made by uv where uv is there", async () => {
    mkdirSync(join(fakes.directory, "bin"));
    symlinkSync(fakes.path("uv"), join(fakes.directory, "bin", "uv"));
    const heard: string[] = [];
    const server = open({ python: fakes.path("no_venv"), path: [fakes.directory] });
    await server.python.ready(job(), (message) => heard.push(message));
    expect(log()).toEqual(["introduced", "uv venv", "uv pip install"]);
    expect(heard).toContainEqual(expect.stringMatching(/^downloading z3-solver \(31.6MiB\), \d+ %$/));
  });

  it("reports its progress to each who waits, whoever began it, and goes on when that one gives up", async () => {
    const server = open({ python: fakes.path("held") });
    const cancel = new AbortController();
    const first = server.python.ready(job(120_000, cancel.signal), silent);
    const heard: string[] = [];
    const second = server.python.ready(job(), (message) => heard.push(message));
    expect(await until(() => heard.some((message) => message.startsWith("downloading six-1.17.0-py2")), 120_000)).toBe(
      true,
    );
    cancel.abort();
    expect((await faultOf(first)).code).toBe("cancelled");
    expect(await server.python.ready(job(20), silent)).toBe("expired");
    letGo();
    expect(await second).toMatchObject({ version: "3.12.1" });
    expect(heard).toContainEqual(
      expect.stringMatching(/^downloading six-1.17.0-py2.py3-none-any.whl \(11 kB\), \d+ %$/),
    );
    expect(heard.at(-1)).toBe("checking that the engines start, 90 %");
    const shares = heard.map((message) => Number(/(\d+) %$/.exec(message)?.[1] ?? 0));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(heard.join()).not.toMatch(/secret|mirror/);
    expect(installs()).toBe(1);
  });

  it("is made ahead if `prepare` is set, silently if that fails", async () => {
    const server = open({ python: fakes.path("good") });
    expect(await server.python.installed()).toBeUndefined();
    server.python.prepare();
    expect(await until(() => environments().some((name) => /^[0-9a-f]{12}$/.test(name)), 120_000)).toBe(true);
    open({}).python.prepare();
  });

  const failures = [
    ["no_network", "could not be reached", "HTTPS_PROXY"],
    ["no_space", "no space left", "VERDICT_DATA"],
    ["odd_end", "that nobody foresaw", "stderr"],
    ["no_engines", "cannot open shared object file", "stderr"],
    ["no_permission", "can't be written", "VERDICT_DATA"],
    ["hash_mismatch", "hash is not the expected one", "cache"],
    ["no_wheel", "no wheel for this Python", "VERDICT_PYTHON"],
    ["no_certificate", "certificate", "SSL_CERT_FILE"],
  ] as const;
  it.each(some(failures, 4))(
    "that can't be made for %s is a fault with the remedy, and leaves nothing",
    async (behaviour, why, remedy) => {
      const server = open({ python: fakes.path(behaviour) });
      const fault = await faultOf(server.python.ready(job(), silent));
      expect(fault.code).toBe("engine_failed");
      expect(fault.message).toContain(why);
      expect(fault.remedy).toContain(remedy);
      expectDiscreet(fault);
      expect(environments()).toEqual([]);

      const started = server.started();
      expect(await faultOf(server.python.ready(job(), silent))).toBe(fault);
      expect(server.started(), "not tried again at once").toBe(started);
    },
  );

  it("that can't be made since the data directory is a file is a fault, too", async () => {
    writeFileSync(data, "not a directory");
    const fault = await faultOf(open({ python: fakes.path("good") }).python.ready(job(), silent));
    expect(fault).toMatchObject({ code: "engine_failed", message: expect.stringContaining("can't be written") });
    expectDiscreet(fault);
  });

  it("is made anew when it does not start any more, and only then", async () => {
    const server = open({ python: fakes.path("good") });
    const { python } = await ready(server);
    await server.python.discard();
    expect(await server.python.installed(), "it works, so it stays").toBeDefined();
    unlinkSync(python);
    await server.python.discard();
    expect(await server.python.installed()).toBeUndefined();
    await ready(server);
    expect(installs()).toBe(2);
    expect(environments()).toHaveLength(1);
  });

  it("that is only slow to start is kept", async () => {
    const server = open({ python: fakes.path("good") });
    const { python } = await ready(server);
    unlinkSync(python);
    symlinkSync(fakes.path("slow_engines"), python);
    // The server ends while it looks, which stops the interpreter as the deadline does, only sooner.
    const discarded = server.python.discard();
    expect(await until(() => log().includes("slow to import"), 120_000)).toBe(true);
    server.python.close();
    expect(await discarded).toBe("unclear");
    expect(await open({ python: fakes.path("good") }).python.installed()).toBeDefined();
  });

  const passing = [
    ["no_descriptors", "it can't open files"],
    ["no_memory", "it has no memory"],
    ["killed", "it is killed"],
  ] as const;
  it.each(some(passing))("is kept when the interpreter fails for %s", async (behaviour) => {
    const server = open({ python: fakes.path("good") });
    const { python } = await ready(server);
    unlinkSync(python);
    symlinkSync(fakes.path(behaviour), python);
    expect(await server.python.discard()).toBe("unclear");
    expect(await server.python.installed()).toBeDefined();
  });

  it("is kept when the interpreter can't be started", async () => {
    const server = open({ python: fakes.path("good") });
    const { python } = await ready(server);
    unlinkSync(python);
    writeFileSync(python, "");
    expect(await server.python.discard()).toBe("unclear");
    expect(await server.python.installed()).toBeDefined();
  });

  it("is kept when it fails to import once, and moved aside when it does so twice", async () => {
    const server = open({ python: fakes.path("good") });
    const { python } = await ready(server);
    unlinkSync(python);
    symlinkSync(fakes.path("fails_once"), python);
    expect(await server.python.discard()).toBe("good");
    expect(await server.python.installed()).toBeDefined();
    unlinkSync(python);
    symlinkSync(fakes.path("no_engines"), python);
    expect(await server.python.discard()).toBe("gone");
    expect(await server.python.installed()).toBeUndefined();
  });

  it("is never moved aside while another server uses it", async () => {
    const [one, other] = [open({ python: fakes.path("good") }), open({ python: fakes.path("good") })];
    const environment = await ready(one);
    await other.python.inUse(environment);
    unlinkSync(environment.python);
    expect(await one.python.discard()).toBe("in use");
    expect(await one.python.installed()).toBeDefined();
    other.python.close();
    expect(await one.python.discard()).toBe("gone");
  });

  it.each([
    [
      "can't be read by jobs in the sandbox",
      "good",
      /not inside the sandbox/,
      /chmod -R a\+rX.*VERDICT_DATA.*verdict setup/,
    ],
    ["gets no processes for the sandbox", "no_processes", /short of memory, processes/, /ulimit -u/],
  ])("that works, but %s, is named with what to do, and kept", async (_, fake, message, remedy) => {
    // The fake imports the engines, and no process of it greets as a fork server does.
    const setting = { python: fakes.path(fake) };
    const server = open(setting);
    await ready(server);
    const services = servicesOf(setting);
    const python = new Python({ ...services, slots: new Slots(1, 1) });
    opened.push({
      close() {
        python.close();
        services.children.stopAll();
      },
    });
    const fault = await faultOf(python.run("z3", { items: [] }, job(), silent));
    expect(fault).toMatchObject({
      code: "engine_failed",
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
    expectDiscreet(fault);
    expect(await server.python.installed()).toBeDefined();
  });

  it("whose note is damaged is made anew", async () => {
    const { directory } = await ready(open({ python: fakes.path("good") }));
    writeFileSync(join(directory, "verdict.json"), '{"version":');
    await ready(open({ python: fakes.path("good") }));
    expect(installs()).toBe(2);
  });
});

/** The command line with these fakes, in an environment that has Node on its PATH and nothing else. */
function run(args: readonly string[], python?: string): { child: ChildProcess; text(): string } {
  const bin = join(fakes.directory, "only_node");
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, "node"))) symlinkSync(process.execPath, join(bin, "node"));
  const child = spawn(process.execPath, [cli, ...args], {
    env: {
      PATH: bin,
      TMPDIR: fakes.directory,
      VERDICT_DATA: data,
      // Each look at an embedded engine is a second of processor time, and none of them is the subject.
      VERDICT_Z3: nativeZ3() ?? "wasm",
      VERDICT_MINIZINC: quickest_minizinc,
      VERDICT_CLINGO: clingo_builds.findLast(({ clingo }) => clingo !== undefined)?.clingo ?? "wasm",
      ...(python && { VERDICT_PYTHON: python }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
  }
  return { child, text: () => text };
}

async function finish({ child, text }: ReturnType<typeof run>): Promise<{ code: number; text: string }> {
  const [code] = await once(child, "close");
  return { code: Number(code), text: text() };
}

describe("an installation in the background", () => {
  /** A server that leaves the installation to a process of its own. */
  const openServer = (behaviour: string) => open({ python: fakes.path(behaviour), in_background: true });

  it("goes on when its server ends, and another server joins it", async () => {
    const first = openServer("held");
    const cancel = new AbortController();
    const given_up = faultOf(first.python.ready(job(120_000, cancel.signal), silent));
    expect(await until(() => installs() === 1, 120_000)).toBe(true);
    cancel.abort();
    expect((await given_up).code).toBe("cancelled");
    first.python.close();

    const heard: string[] = [];
    const environment = await openServer("held").python.ready(job(), (message) => {
      heard.push(message);
      if (message.endsWith("%")) letGo();
    });
    expect(environment).toMatchObject({ version: "3.12.1" });
    expect(heard).toContainEqual(expect.stringMatching(/, \d+ %$/));
    expect(new Set(heard).size, "each piece of news once").toBe(heard.length);
    expect(installs()).toBe(1);
    // The process that installs removes its note when the environment is there.
    const others = () => environments().filter((name) => !/^([0-9a-f]{12}|setup\.log)$/.test(name));
    await expect.poll(others, { timeout: 60_000 }).toEqual([]);
  });

  it("says how far it is when the time of a call runs out", async () => {
    const server = openServer("held");
    expect(await server.python.ready(job(20), silent)).toBe("expired");
    const far = async () => /\d+ %$/.test((await server.python.installing())?.doing ?? "");
    while (!(await far())) await new Promise((resolve) => setTimeout(resolve, 20));
    letGo();
    await ready(server);
    expect(await server.python.installing()).toBeUndefined();
  });

  it("is named to a call whose time is over before its first message", async () => {
    const server = openServer("held");
    expect(await server.python.ready(job(20), silent)).toBe("expired");
    let first: string | undefined;
    while (first === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      first = (await server.python.installing())?.doing;
    }
    expect(first).toMatch(/^(looking for a Python|starting$)/);
    letGo();
    await ready(server);
  });

  it("of a group of packages leaves the environment of all others as it is, and says what and how much", async () => {
    const common = await ready(open({ python: fakes.path("good") }));
    const server = open({ python: fakes.path("held"), in_background: true, group: "cp" });
    expect(await server.python.installed()).toBeUndefined();
    expect(await server.python.ready(job(20), silent)).toBe("expired");
    while (!(await server.python.installing())) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await server.python.installing()).toMatchObject({
      purpose: "the languages cpmpy and ortools",
      download_mb: expect.any(Number),
    });
    letGo();
    const { directory } = await ready(server);
    expect(directory).not.toBe(common.directory);
    expect((await open({}).python.installed())?.directory).toBe(common.directory);
    expect(environments().filter((name) => /^[0-9a-f]{12}$/.test(name))).toHaveLength(2);
  });

  it("that fails gives the fault with its remedy, and is tried again by another server", async () => {
    const fault = await faultOf(openServer("no_space").python.ready(job(), silent));
    expect(fault.message).toContain("no space left");
    expect(fault.remedy).toContain("VERDICT_DATA");
    expectDiscreet(fault);
    await ready(openServer("good"));
  });

  it("is one process for servers that begin together", async () => {
    const both = Promise.all([ready(openServer("held")), ready(openServer("held"))]);
    expect(await until(() => installs() > 0, 120_000)).toBe(true);
    letGo();
    await both;
    expect(installs()).toBe(1);
  });
});

describe("verdict setup", () => {
  it("shows what it does, ends with what is there, and does nothing the second time", async () => {
    const first = await finish(run(["setup"], fakes.path("good")));
    expect(first).toMatchObject({ code: 0, text: expect.stringContaining("downloading six-1.17.0") });
    expect(first.text).toContain("✓ z3 9.9.9.0");
    // Nobody uses pip there any more, and scanners of images find its old versions.
    expect(log()).toContain("uninstalled");
    const second = await finish(run(["setup"], fakes.path("good")));
    expect(second).toMatchObject({ code: 0, text: expect.stringMatching(/^Everything is installed/) });
    expect(installs()).toBe(1);
  });

  it("installs a group of packages by its name, and knows no other names", async () => {
    const { code, text } = await finish(run(["setup", "smt"], fakes.path("good")));
    expect(code).toBe(0);
    expect(text).toMatch(/This downloads \d+ MB/);
    expect(text).toContain("cvc5");
    const wrong = await finish(run(["setup", "spt"], fakes.path("good")));
    expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining("use one of: cp, smt") });
  });

  it("exits with 1 and the remedy when it can't be done", async () => {
    const { code, text } = await finish(run(["setup"], fakes.path("no_network")));
    expect(code).toBe(1);
    expect(text).toContain("could not be reached");
    expect(text).toContain("What to do: (1)");
  });

  it("installs once when two are started together", async () => {
    const python = fakes.path("held");
    const started = [run(["setup"], python), run(["setup"], python)];
    const ended = Promise.all(started.map(finish));
    expect(await until(() => started.every(({ text }) => text() !== ""), 120_000)).toBe(true);
    letGo();
    const both = await ended;
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(installs()).toBe(1);
    expect(environments()).toHaveLength(1);
  });

  it("finishes what another one could not that was killed half-way", async () => {
    const killed = run(["setup"], fakes.path("stuck"));
    expect(await until(() => installs() === 1, 120_000)).toBe(true);
    const over = finish(killed);
    killed.child.kill("SIGKILL");
    await over;
    if (sees_processes) expect(await leftOver(fakes.directory, (seen) => !isReaper(seen))).toEqual([]);
    expect(environments().every((name) => name.startsWith("staging-"))).toBe(true);

    expect(await finish(run(["setup"], fakes.path("good")))).toMatchObject({ code: 0 });
    expect(environments()).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)]);
    expect(readdirSync(data)).toEqual(["python"]);
  });

  it("stops its installer when it is interrupted", async () => {
    const interrupted = run(["setup"], fakes.path("stuck"));
    expect(await until(() => installs() === 1, 120_000)).toBe(true);
    const over = finish(interrupted);
    interrupted.child.kill("SIGINT");
    expect((await over).code).toBe(1);
    if (sees_processes) expect(await leftOver(fakes.directory, (seen) => !isReaper(seen))).toEqual([]);
    expect(environments()).toEqual([]);
  });
});

describe("verdict doctor", () => {
  it("says what is missing where there is no Python, and exits with 0", async () => {
    const { code, text } = await finish(run(["doctor", "--json"]));
    expect(code).toBe(0);
    expect(JSON.parse(text).engines).toMatchObject([
      { name: "z3", found: true },
      { name: "python", found: false, why: expect.stringContaining("none on PATH") },
      { name: "z3 in python", found: false, why: expect.stringContaining("does not exist yet") },
      { name: "pysat", found: false, how_to_get: expect.stringContaining("verdict setup") },
      { name: "crosshair", found: false },
      { name: "cpmpy", found: false, how_to_get: expect.stringContaining("verdict setup cp") },
      { name: "ortools", found: false },
      { name: "cvc5", found: false, how_to_get: expect.stringContaining("verdict setup smt") },
      { name: "bitwuzla", found: false },
      {
        name: "exact",
        found: false,
        why: expect.stringContaining("only `verdict setup solvers` creates it"),
        how_to_get: expect.stringContaining("verdict setup solvers"),
      },
      { name: "pumpkin", found: false, why: expect.not.stringContaining("the first call") },
      { name: "minizinc", found: true },
      { name: "clingo", found: true },
      { name: "lean tactics", found: false },
      { name: "lean repl", found: false },
    ]);
    expect(environments()).toEqual([]);
  });

  it("reports the versions of what is installed, and of an environment that does not start any more", async () => {
    const { python } = await ready(open({ python: fakes.path("good") }));
    const whole = await finish(run(["doctor", "--json"]));
    expect(JSON.parse(whole.text).engines.slice(1)).toMatchObject([
      { name: "python", found: true, version: "3.12.1" },
      { name: "z3 in python", found: true, version: "9.9.9.0" },
      { name: "pysat", found: true, version: "9.9.dev9" },
      { name: "crosshair", found: true, version: "9.9.9" },
      { name: "cpmpy", found: false },
      { name: "ortools", found: false },
      { name: "cvc5", found: false },
      { name: "bitwuzla", found: false },
      { name: "exact", found: false, how_to_get: expect.stringContaining("verdict setup solvers") },
      { name: "pumpkin", found: false },
      { name: "minizinc", found: true },
      { name: "clingo", found: true },
      { name: "lean tactics", found: false },
      { name: "lean repl", found: false },
    ]);
    unlinkSync(python);
    const broken = await finish(run(["doctor", "--json"]));
    expect(broken.code).toBe(0);
    expect(JSON.parse(broken.text).engines[2]).toMatchObject({
      found: false,
      why: expect.stringContaining("does not start"),
    });
  });
});

describe("a real environment", () => {
  // Where CrossHair has no wheel, it takes less.
  const has_all = process.platform === "linux" && process.arch === "x64";
  if (has_all)
    it(
      "takes as much of the disk as the setup says, by a tenth more or less",
      async () => {
        const { data, python } = await privatePython();
        const { disk_mb } = await packagesOf({ ...servicesOf({}).config, data_directory: data });
        const place = dirname(dirname(python));
        // Other test files use the environment meanwhile: a lease of theirs is there when it is listed, and gone then.
        const files = readdirSync(place, { recursive: true, withFileTypes: true })
          .filter((each) => each.isFile())
          .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false }))
          .filter((each) => each !== undefined);
        // Node 24 follows lib64, which is a link to lib.
        const blocks = new Map(files.map(({ ino, blocks }) => [ino, blocks]));
        const bytes = 512 * [...blocks.values()].reduce((sum, each) => sum + each, 0);
        expect(Math.abs(bytes / 1_000_000 / disk_mb - 1)).toBeLessThan(0.1);
      },
      real_setup_ms_max,
    );

  it(
    "is found where VERDICT_ENVIRONMENTS says, apart from the data",
    async () => {
      const environments = join(await pythonData(), "python");
      const env = {
        PATH: dirname(process.execPath),
        HOME: data,
        VERDICT_DATA: data,
        VERDICT_ENVIRONMENTS: environments,
      };
      const { stdout } = spawnSync(process.execPath, [cli, "doctor", "--json"], { encoding: "utf8", env });
      expect(JSON.parse(stdout).engines).toContainEqual(expect.objectContaining({ name: "pysat", found: true }));
      expect(existsSync(join(data, "python"))).toBe(false);
      const { setup } = readConfig({}, env);
      expect(setup.environment).toMatchObject({ VERDICT_ENVIRONMENTS: environments });
    },
    real_setup_ms_max,
  );

  it(
    "imports its engines, and brings a native Z3 that solve_smtlib uses",
    async () => {
      const real = await pythonData();
      const home = mkdtempSync(join(tmpdir(), "verdict-home-"));
      try {
        const env = { PATH: dirname(process.execPath), VERDICT_DATA: real, HOME: home, TMPDIR: home };
        const { stdout, status } = spawnSync(process.execPath, [cli, "doctor", "--json"], { encoding: "utf8", env });
        expect(status).toBe(0);
        const [z3, ...python] = JSON.parse(stdout).engines;
        expect(python.map(({ name, found }: { name: string; found: boolean }) => [name, found])).toEqual([
          ["python", true],
          ["z3 in python", true],
          ["pysat", true],
          ["crosshair", true],
          // Other tests may have installed these groups.
          ["cpmpy", expect.any(Boolean)],
          ["ortools", expect.any(Boolean)],
          ["cvc5", expect.any(Boolean)],
          ["bitwuzla", expect.any(Boolean)],
          ["exact", expect.any(Boolean)],
          ["pumpkin", expect.any(Boolean)],
          ["minizinc", true],
          ["clingo", true],
          ["lean tactics", false],
          ["lean repl", false],
        ]);
        const on_path = existsSync(join(dirname(process.execPath), "z3"));
        if (!on_path) expect(z3).toMatchObject({ kind: "native", why: expect.stringContaining("Python environment") });
      } finally {
        removeDirectory(home);
      }
    },
    real_setup_ms_max,
  );
});
