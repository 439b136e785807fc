import { spawnSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Checker } from "../../src/engines/python/checker/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

/** A process that takes two requests and then ends by this signal. */
const endsBy = (signal: string) => `
process.stdin.on("data", (data) => {
  if (String(data).includes('"id":1')) process.kill(process.pid, ${JSON.stringify(signal)});
});`;

it.skipIf(process.platform === "win32").each([
  ["SIGPROF", ["too_long", undefined]],
  ["SIGSEGV", [undefined, undefined]],
] as const)("a checker that ends by %s blames only the text that it read", async (signal, expected) => {
  const { child_environment, child_directory } = readConfig({});
  const children = new Children(child_environment, child_directory);
  onTestFinished(() => children.stopAll());
  const child = children.start({ command: process.execPath, args: ["-e", endsBy(signal)] });
  const checker = new Checker(child);
  const deadline = new Deadline(60_000);
  const both = [checker.syntax("x", {}, deadline), checker.syntax("y", {}, deadline)];
  expect(await Promise.all(both)).toEqual(expected);
});

it.skipIf(!has_python || process.platform === "win32")(
  "a check is bounded by the processor time that it takes, not by the time that it waits",
  async () => {
    const { python } = await privatePython();
    const run = (work: string) => {
      const bound = "from verdict_runner.sandbox.walls import bound_check; bound_check(0.2)";
      return spawnSync(python, ["-c", `${bound}\n${work}`], { cwd: "python" });
    };
    expect(run("while True: pass").signal).toBe("SIGPROF");
    expect(run("import time; time.sleep(1); bound_check(0)\nfor i in range(10**7): pass").status).toBe(0);
  },
  real_setup_ms_max,
);
