import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Config, readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { chargeTime, charging } from "../../src/kernel/process/processor_time.ts";
import { runToEnd } from "../../src/kernel/process/run.ts";
import { quietContext } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { has_python } from "../support/models.ts";
import { pythonData } from "../support/python.ts";
import { endless } from "../support/scripts.ts";

const children = new Children({ PATH: process.env["PATH"] }, tmpdir());
const on_linux = process.platform === "linux";
afterAll(() => children.stopAll());

/** Burns processor time until the process has used so much, and prints what it used, in ms. */
const burning = (ms: number) =>
  `let used = 0; while (used < ${ms}) { const { user, system } = process.cpuUsage(); used = (user + system) / 1000; }
   process.stdout.write(String(used));`;
const node = (script: string) => ({ command: process.execPath, args: ["-e", script] });

class Account {
  ms = 0;
  add(ms: number): void {
    this.ms += ms;
  }
}

async function used(program: { command: string; args: string[] }, limit_ms = 60_000) {
  const account = new Account();
  const { stdout, ending } = await charging(account, () => runToEnd(children.start(program), new Deadline(limit_ms)));
  return { ms: account.ms, printed_ms: Number(stdout), ending };
}

describe.runIf(on_linux)("the processor time of a job", () => {
  it("is that of its process, which says so itself", async () => {
    const { ms, printed_ms } = await used(node(burning(300)));
    expect(printed_ms).toBeGreaterThanOrEqual(300);
    // Both clocks of the system are cut down to 10 ms.
    expect(ms).toBeGreaterThanOrEqual(printed_ms - 30);
    // What the process needs to end comes on top.
    expect(ms).toBeLessThan(printed_ms + 500);
  });

  it("is that of its descendants too", async () => {
    const script = burning(300).replaceAll("\n", " ");
    const { ms } = await used({ command: "/bin/sh", args: ["-c", `"$0" -e "$1" & wait`, process.execPath, script] });
    expect(ms).toBeGreaterThanOrEqual(270);
  });

  it("is known when it is killed in the middle", async () => {
    const { ms, ending } = await used(node("for (;;);"), 800);
    expect(ending).toEqual({ kind: "stopped", why: "deadline" });
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(800 * 4);
  });

  it("is little where a process sleeps, and never nothing", async () => {
    const { ms } = await used({ command: "/bin/sleep", args: ["1"] });
    expect(ms).toBeGreaterThanOrEqual(10);
    expect(ms).toBeLessThan(500);
  });

  it("goes to the call of each of several processes that end together", async () => {
    const [much, little, none] = await Promise.all([
      used(node(burning(800))),
      used({ command: "/bin/sleep", args: ["1"] }),
      runToEnd(children.start(node(burning(100))), new Deadline(60_000)),
    ]);
    expect(none.ending).toEqual({ kind: "exited", code: 0 });
    expect(much.ms).toBeGreaterThanOrEqual(much.printed_ms - 150);
    expect(little.ms).toBeLessThan(600);
  });

  it("counts from one job of a process to the next, and not what came before", async () => {
    const serve = `const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
      process.stdin.on("data", () => {
        const end = used() + 400;
        while (used() < end);
        process.stdout.write("done");
      });`;
    const child = children.start(node(serve));
    const ask = () =>
      new Promise<void>((resolve) => {
        child.onText = () => resolve();
        child.write("go");
      });
    const [first, second] = [new Account(), new Account()];
    for (const account of [first, second]) {
      await charging(account, async () => {
        child.arm(new Deadline(60_000));
        await ask();
        child.disarm();
      });
    }
    child.stop("closed");
    await child.ended;
    expect(second.ms).toBeGreaterThanOrEqual(300);
    expect(second.ms).toBeLessThan(1_000);
    expect(first.ms).toBeLessThan(1_500);
  });
});

describe("an account", () => {
  it("receives nothing outside of its call", async () => {
    const account = new Account();
    await charging(account, async () => chargeTime(5));
    chargeTime(7);
    await runToEnd(children.start(node("1")), new Deadline(60_000));
    expect(account.ms).toBe(5);
  });
});

describe.runIf(on_linux)("the processor time of a tool call", () => {
  let config: Config;
  let engines: Engines;
  beforeAll(async () => {
    config = readConfig({}, has_python ? { ...process.env, VERDICT_DATA: await pythonData() } : process.env);
    engines = new Engines(config);
  });
  afterAll(() => engines.close());
  const tool = (name: string) => {
    const match = openToolsets(engines, config)
      .flatMap((set) => set.session())
      .find((each) => each.name === name);
    if (!match) throw new Error(`there is no ${name}`);
    return match;
  };
  const charged = async (name: string, args: object) => {
    const account = new Account();
    await charging(account, () => tool(name).call(args, quietContext()));
    return account;
  };

  it("of Z3 is counted", async () => {
    // No answer within the limit: the process is busy until then.
    const account = await withEnoughTime(
      (timeout_ms) => charged("solve_smtlib", { smtlib: endless, timeout_ms, engine: "z3" }),
      ({ ms }) => ms >= 100,
    );
    expect(account.ms).toBeGreaterThanOrEqual(100);
  });

  it.runIf(has_python)("of a Python program comes from the process that forked it", async () => {
    const items = ["total = sum(range(10_000_000))", "s = Solver()", "export_solution(solver=s)"];
    const account = await charged("solve", { language: "z3", items, timeout_ms: 100_000 });
    // The last word comes just after the answer.
    expect(account.ms).toBeGreaterThanOrEqual(100);
  });
});
