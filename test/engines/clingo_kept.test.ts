import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Host, type Question } from "../../src/engines/clingo/host.ts";
import { Clingo } from "../../src/engines/clingo/index.ts";
import { engine_limits } from "../../src/engines/limits.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Child, Children } from "../../src/kernel/process/child.ts";
import { Slots } from "../../src/kernel/process/slots.ts";

const config = readConfig({}, { ...process.env, VERDICT_CLINGO: "wasm" });
/** More than any of these calls needs beside twenty busy programs. */
const ample_ms = 900_000;
const children = new Children(config.child_environment, config.child_directory);
afterAll(() => children.stopAll());

/** Two pigeons too many for as many holes: takes longer than any test waits. */
const hopeless = "{p(X,H) : H=1..12} = 1 :- X=1..14. :- p(X,H), p(Y,H), X<Y.";
/** A term so deep that its reader overruns the stack: an error of JavaScript, which ends the process. */
const crashing = `a(${"f(".repeat(100_000)}1${")".repeat(100_000)}).`;

function openClingo(): Clingo {
  return new Clingo({ config, children, slots: new Slots(1, 20) });
}

async function solve(clingo: Clingo, program: string, args: readonly string[] = [], deadline = new Deadline(ample_ms)) {
  const solved = await clingo.run(deadline, { program, args });
  if (solved === "expired") throw new Error("the time ran out");
  return solved.answer;
}

describe("calls of the embedded clingo, one after the other", () => {
  const clingo = openClingo();
  // The first process is there before the tests compare which one was used.
  beforeAll(() => solve(clingo, "a."));
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => clingo.close());

  /** The processes in which this work was done, by each of its messages to them. */
  async function processesOf(work: () => Promise<unknown>) {
    const written = vi.spyOn(Child.prototype, "write");
    await work();
    const pids = written.mock.contexts.map((child) => (child instanceof Child ? child.pid : undefined));
    written.mockRestore();
    return [...new Set(pids)];
  }

  it("share a process: solves, checks, short questions, and what is grounded", async () => {
    const pids = await processesOf(async () => {
      expect(await solve(clingo, "a. :- a.")).toMatchObject({ kind: "unsat" });
      expect(JSON.stringify(await clingo.check("a :- b c.", new Deadline(ample_ms)))).toContain("syntax error");
      expect(await clingo.askMany(new Deadline(ample_ms), (ask) => ask("{b}."))).toBe("sat");
      expect(await clingo.ground(new Deadline(ample_ms), "a(1..3).", () => {})).toBe(true);
      expect(await solve(clingo, "a :-")).toMatchObject({ kind: "error" });
      expect(await solve(clingo, "b.")).toMatchObject({ kind: "sat", witness: { atoms: ["b"] } });
    });
    expect(pids).toEqual([expect.any(Number)]);
  });

  it("find nothing of the call before", async () => {
    const plain = "{a(1..n)} = 1. b(@f(n)) :- a(1).";
    const programs = ["#const n = 3. {a(1..n)} = 1. #minimize{X : a(X)}.", "a(n).", plain, "secret.", "a :- secret."];
    const alone: unknown[] = [];
    for (const program of programs) {
      const unused = openClingo();
      alone.push(await solve(unused, program));
      unused.close();
    }
    for (const round of [1, 2]) {
      const answers: unknown[] = [];
      for (const program of programs) answers.push(await solve(clingo, program, [], new Deadline(ample_ms)));
      expect({ round, answers }).toEqual({ round, answers: alone });
    }
    const [first, second] = [await solve(clingo, "a(n)."), await solve(clingo, "a :- secret.")];
    expect(first).toMatchObject({ witness: { atoms: ["a(n)"] } });
    expect(second).toMatchObject({ witness: { atoms: [] } });
    expect(JSON.stringify(second.messages)).toContain("secret");
  });

  it("are each put to a new instance, and the questions of one call to the same", async () => {
    const orders: string[] = [];
    const write = Child.prototype.write;
    vi.spyOn(Child.prototype, "write").mockImplementation(function (this: Child, text) {
      orders.push(JSON.parse(text).kind);
      write.call(this, text);
    });
    await clingo.askMany(new Deadline(ample_ms), async (ask) => [await ask("a."), await ask("b."), await ask("c.")]);
    await solve(clingo, "a.");
    expect(orders).toEqual(["run", "run", "run", "next", "run", "next"]);
  });

  it("are answered in another process after one that was given up while it ran, or whose time ran out", async () => {
    const end = { given_up: new AbortController(), ms: ample_ms };
    setTimeout(() => end.given_up.abort(), 300);
    const [before] = await processesOf(async () => {
      const given_up = solve(clingo, hopeless, [], new Deadline(ample_ms, end.given_up.signal));
      await expect(given_up).rejects.toMatchObject({ code: "cancelled" });
    });
    const [after] = await processesOf(async () => {
      expect(await solve(clingo, hopeless, [], new Deadline(1_500))).toMatchObject({ kind: "undecided" });
    });
    const [last] = await processesOf(async () => expect(await solve(clingo, "a.")).toMatchObject({ kind: "sat" }));
    expect(new Set([before, after, last]).size).toBe(3);
  });

  it("are answered in another process after one whose process crashed", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const [crashed] = await processesOf(async () => {
      expect(await solve(clingo, crashing)).toMatchObject({ kind: "error" });
    });
    const [next] = await processesOf(async () => expect(await solve(clingo, "a.")).toMatchObject({ kind: "sat" }));
    expect(next).not.toBe(crashed);
    // A short question that has no answer is not answered by the way in which its process ended.
    const [short, after] = await clingo.askMany(new Deadline(ample_ms), async (ask) => [
      await ask(crashing),
      await ask("a."),
    ]);
    expect([short, after]).toEqual([undefined, undefined]);
    expect(await clingo.check(crashing, new Deadline(ample_ms))).toBeUndefined();
    expect(await clingo.check("a.", new Deadline(ample_ms))).toEqual([]);
  });

  it("are given up while they ask short questions, or are checked", async () => {
    const given_up = new AbortController();
    const deadline = new Deadline(ample_ms, given_up.signal);
    setTimeout(() => given_up.abort(), 300);
    await expect(clingo.askMany(deadline, (ask) => ask(hopeless))).rejects.toMatchObject({ code: "cancelled" });
    await expect(clingo.check("a.", deadline)).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("a process of the embedded clingo that ended a call", () => {
  const start = (args: readonly string[]) => children.start({ command: process.execPath, args });
  const question: Question = { program: "a.", args: ["--outf=2"] };

  /** A program that answers each question at once, and says how large its memory is. */
  function answering({ memory_bytes = 1, is_spent = false } = {}): Host {
    const program = `
      require("node:readline").createInterface(process.stdin).on("line", (line) => {
        const { kind, id } = JSON.parse(line);
        if (kind === "run") console.log(JSON.stringify({ id, code: 10, is_spent: ${is_spent}, memory_bytes: ${memory_bytes} }));
      });`;
    return new Host(start(["-e", program]));
  }

  /** Whether it serves another call after a number of calls. */
  async function servesAfter(host: Host, calls = 1): Promise<boolean> {
    for (let i = 1; i < calls; i++) {
      await host.run(question, new Deadline(ample_ms));
      expect(host.renew()).toBe(true);
    }
    await host.run(question, new Deadline(ample_ms));
    const serves = host.renew();
    host.discard();
    return serves;
  }

  it("can serve another one, but not with more memory than a small program needs", async () => {
    const { clingo_kept_bytes_max: most } = engine_limits;
    expect(await servesAfter(answering({ memory_bytes: most }))).toBe(true);
    expect(await servesAfter(answering({ memory_bytes: most + 1 }))).toBe(false);
  });

  it("is not kept if it says so, or after its number of calls", async () => {
    expect(await servesAfter(answering({ is_spent: true }))).toBe(false);
    expect(await servesAfter(answering(), engine_limits.kept_jobs_max - 1)).toBe(true);
    expect(await servesAfter(answering(), engine_limits.kept_jobs_max)).toBe(false);
  });

  it("is not kept while a question is not answered, or when it is gone", async () => {
    const asked = answering();
    const answer = asked.run(question, new Deadline(ample_ms));
    expect(asked.renew()).toBe(false);
    asked.discard();
    expect(await answer).toMatchObject({ is_gone: true, ending: { kind: "stopped", why: "closed" } });
    expect(asked.renew()).toBe(false);
  });

  it("is not kept if it is stopped between its last answer and the end of its call", async () => {
    const given_up = new AbortController();
    const host = answering();
    await host.run(question, new Deadline(ample_ms, given_up.signal));
    given_up.abort();
    expect(host.renew()).toBe(false);
    host.discard();
  });

  it("says itself that it is spent after an end that is none of a program: a limit, or an option that is not there", async () => {
    const host = new Host(start([config.clingo_wasm_host]));
    expect(await host.run(question, new Deadline(ample_ms))).toMatchObject({ ending: { code: 30 }, is_gone: false });
    expect(host.renew()).toBe(true);
    const odd = await host.run({ program: "a.", args: ["--no-such-option"] }, new Deadline(ample_ms));
    expect(odd).toMatchObject({ ending: { kind: "exited" }, is_gone: false });
    expect(host.renew()).toBe(false);
    host.discard();
  });

  it("has opened a new instance for each call, and one for all questions of a call", async () => {
    const counts = `const { Instance } = WebAssembly;
      WebAssembly.Instance = class extends Instance { constructor(...all) { super(...all); console.error("opened"); } };`;
    const child = start(["--import", `data:text/javascript,${encodeURIComponent(counts)}`, config.clingo_wasm_host]);
    const host = new Host(child);
    const calls = [1, 3, 2];
    for (const questions of calls) {
      for (let i = 0; i < questions; i++) await host.run(question, new Deadline(ample_ms));
      expect(host.renew()).toBe(true);
    }
    child.end();
    await child.ended;
    // The last one waits for a call that did not come.
    expect(child.stderr.match(/opened/g)).toHaveLength(calls.length + 1);
  });

  it("ends when its server is gone", async () => {
    const child = start([config.clingo_wasm_host]);
    const host = new Host(child);
    await host.run(question, new Deadline(ample_ms));
    expect(host.renew()).toBe(true);
    child.end();
    expect(await child.ended).toEqual({ kind: "exited", code: 0 });
  });
});
