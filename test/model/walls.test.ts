import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { warningOf } from "../../src/engines/python/interpreter.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children, type Program } from "../../src/kernel/process/child.ts";
import { runToEnd } from "../../src/kernel/process/run.ts";
import { command } from "../support/command_line.ts";
import { scratchDirectory } from "../support/directories.ts";
import { has_python, openModels } from "../support/models.ts";
import { sees_processes } from "../support/processes.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

const on_linux = process.platform === "linux";
const canary = "canary-7f31";
const satisfied = { status: "sat", model: { x: 6 } };

describe.skipIf(!has_python || !on_linux)("a system without a wall around files", () => {
  const children = new Children(readConfig({}).child_environment, process.cwd());
  const directory = scratchDirectory();
  let python: { data: string; python: string };
  beforeAll(async () => {
    python = await privatePython();
    writeFileSync(
      join(directory, "easy.py"),
      "from z3 import *\nx = Int('x')\ns = Solver()\ns.add(x > 5, x < 7)\nprint(s.check())\n",
    );
    writeFileSync(join(directory, "f.py"), "def f(n: int) -> int:\n    assert n != 77 * 77\n    return n\n");
    writeFileSync(join(directory, "easy.mzn"), "var 6..6: x;\nsolve satisfy;\n");
  }, real_setup_ms_max);
  afterAll(() => children.stopAll());

  /** `verdict` with these arguments, on a kernel that answers that it does not know Landlock. */
  async function verdict(...args: string[]) {
    const launcher = resolve("test/fixtures/without_landlock.py");
    const program: Program = {
      command: python.python,
      args: ["-I", launcher, process.execPath, resolve("dist/cli.mjs"), ...args],
      environment: { VERDICT_DATA: python.data },
    };
    const { ending, stdout, stderr } = await runToEnd(children.start(program), new Deadline(120_000));
    return { code: ending.kind === "exited" ? ending.code : ending, stdout, stderr };
  }
  const file = (name: string) => join(directory, name);

  it("runs no program, and says which wall is missing and what else is possible", async () => {
    const { code, stderr } = await verdict("solve", file("easy.py"), "--language", "z3", "--quiet");
    expect(code).toBe(2);
    expect(stderr).toContain("no wall around files");
    for (const way of ["container", "minizinc, asp or SMT-LIB", "--allow-unconfined"]) expect(stderr).toContain(way);
  });

  it("runs no code under test", async () => {
    const { stdout, stderr } = await verdict("check", `${file("f.py")}::f`);
    expect(`${stdout}${stderr}`).toContain("no wall around files");
  });

  it("solves in languages that run no program", async () => {
    expect(await verdict("solve", file("easy.mzn"), "--quiet")).toMatchObject({ code: 0 });
  });

  it("runs programs if the user allows it", async () => {
    const { code, stdout } = await verdict(
      "solve",
      file("easy.py"),
      "--language",
      "z3",
      "--quiet",
      "--allow-unconfined",
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("6")]);
  });

  it("is shown by doctor, with and without leave", async () => {
    const engine = async (...flags: string[]) =>
      JSON.parse((await verdict("doctor", "--json", ...flags)).stdout).engines.find(
        ({ name }: { name: string }) => name === "pysat",
      );
    expect(await engine()).toMatchObject({ found: false, isolation: "off", why: expect.stringContaining("files") });
    expect(await engine("--allow-unconfined")).toMatchObject({
      found: true,
      isolation: expect.stringContaining("NO WALL around files"),
    });
  });

  it("can't be allowed for others", async () => {
    for (const args of [["serve", "--http", "0"], ["worker"]]) {
      const { code, stderr } = await verdict(...args, "--allow-unconfined");
      expect([code, stderr]).toEqual([1, expect.stringContaining("never without confinement by the operating system")]);
    }
  });
});

describe("a CPython with a memory error that programs can use", () => {
  it.each(["3.10.19", "3.11.2", "3.11.14", "3.12.4"])("%s is warned of", (version) => {
    expect(warningOf(version)).toMatch(/gh-120384.*use 3\.1\d\.\d+ or newer/);
  });

  it.each(["3.10.20", "3.11.15", "3.12.5", "3.13.0", "3.14.0"])("%s is not", (version) => {
    expect(warningOf(version)).toBe("");
  });

  it.skipIf(!has_python)("is shown by doctor", async () => {
    const { data } = await privatePython();
    const { stdout } = await command(["doctor", "--json"], { env: { VERDICT_DATA: data } });
    const python = JSON.parse(stdout).engines.find(({ name }: { name: string }) => name === "python");
    expect(python.why.includes("gh-120384")).toBe(warningOf(python.version) !== "");
  });
});

describe.skipIf(!sees_processes)("the environment of a server", () => {
  it("can't be read by a process of the same user", async () => {
    const server = spawn(process.execPath, [resolve("dist/cli.mjs"), "serve"], {
      env: { ...process.env, SOME_API_KEY: canary, VERDICT_TOOLS: "memo" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    try {
      const initialize = {
        ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      };
      server.stdin.write(`${JSON.stringify(initialize)}\n`);
      const [answer] = await once(server.stdout, "data");
      expect(String(answer)).toContain("serverInfo");
      const environment = readFileSync(`/proc/${server.pid}/environ`, "latin1");
      expect(environment).toContain("PATH=");
      expect(environment).not.toContain(canary);
      expect(environment).not.toContain("SOME_API_KEY");
    } finally {
      server.kill("SIGKILL");
    }
  });
});

describe.skipIf(!has_python || !on_linux)("the launcher of macOS", () => {
  const directory = scratchDirectory();
  const seen = join(directory, "arguments");
  const launcher = join(directory, "sandbox-exec");

  it("gets a profile that denies by default, the places that are read, and the command", async () => {
    writeFileSync(
      launcher,
      `#!/bin/sh\nprintf '%s\\n' "$@" >${seen}\nwhile [ "$1" = -D ]; do shift 2; done\nshift 2\nexec "$@"\n`,
    );
    chmodSync(launcher, 0o755);
    const models = await openModels({ forks: false, sandbox_exec: launcher });
    try {
      expect(await models.solve("z3", ["x = Int('x')", "And(x > 5, x < 7)"])).toMatchObject(satisfied);
    } finally {
      models.close();
    }
    const lines = readFileSync(seen, "utf8").split("\n");
    expect(lines.slice(0, 2)).toEqual(["-D", expect.stringMatching(/^PLACE_0=\//)]);
    expect(lines.slice(lines.indexOf("-p"), lines.indexOf("-p") + 3)).toEqual(["-p", "(version 1)", "(deny default)"]);
    expect(lines.join("\n")).not.toMatch(/allow (network|process-fork|file-write\*)/);
    const names = lines.filter((line) => line.startsWith("PLACE_")).map((line) => line.split("=")[0]);
    for (const name of names) expect(lines.join("\n")).toContain(`(subpath (param "${name}"))`);
  });
});
