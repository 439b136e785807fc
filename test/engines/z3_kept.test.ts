import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { engine_limits } from "../../src/engines/limits.ts";
import { Session } from "../../src/engines/smt/session.ts";
import { SmtSolver } from "../../src/engines/smt/solver.ts";
import { z3 } from "../../src/engines/z3/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Child, Children } from "../../src/kernel/process/child.ts";
import { Slots } from "../../src/kernel/process/slots.ts";
import { endless } from "../support/scripts.ts";

const config = readConfig({}, { ...process.env, VERDICT_Z3: "wasm" });
/** More than any of these jobs needs beside twenty busy programs. */
const ample_ms = 900_000;
const children = new Children(config.child_environment, config.child_directory);
afterAll(() => children.stopAll());

describe("jobs of the embedded Z3, one after the other", () => {
  const solver = new SmtSolver(z3, { config, children, slots: new Slots(1, 20) });
  // The first process is there before the tests compare which one was used.
  beforeAll(() => textsOf(["(check-sat)"]));
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => solver.close());

  /** The answers to the texts of one job, each with the line on which Z3 counts it to begin. */
  async function job(texts: readonly string[], deadline = new Deadline(ample_ms), by = solver) {
    return by.run(deadline, async (session) => {
      const answers = [];
      for (const text of texts) answers.push(await session.ask(text));
      return answers;
    });
  }

  async function textsOf(texts: readonly string[], by = solver): Promise<unknown[]> {
    const answers = await job(texts, undefined, by);
    return answers === "expired" ? [answers] : answers.map((answer) => (answer.kind === "text" ? answer.text : answer));
  }

  /** The processes in which these pieces of work were done. */
  async function processesOf(works: readonly (() => Promise<unknown>)[]) {
    const written = vi.spyOn(Child.prototype, "write");
    const pids = [];
    for (const work of works) {
      written.mockClear();
      await work();
      const child = written.mock.contexts[0];
      pids.push(child instanceof Child ? child.pid : undefined);
    }
    return pids;
  }

  it("share a process, and find nothing of the job before", async () => {
    const secret = "(declare-const secret Int)(assert (= secret 7))(check-sat)(get-model)";
    const options = '(set-option :print-success true)(set-option :rlimit 1)(set-option :pp.decimal true)(echo "set")';
    const fails = "(declare-const x Int)\n(assert (= x\n  secret))";
    const plain = "(declare-const y Real)(assert (= (* 3.0 y) 1.0))(check-sat)(get-model)";
    const first = await textsOf([fails, plain]);
    const pids = await processesOf([
      () => textsOf([secret]),
      () => textsOf([options]),
      () => textsOf(["(push)(push)(assert false)(check-sat)"]),
    ]);
    expect(new Set(pids).size).toBe(1);
    expect(pids[0]).toBeGreaterThan(0);
    expect(await textsOf([fails, plain])).toEqual(first);
    expect(first[0]).toContain("line");
    expect(first[1]).toContain("(/ 1.0 3.0)");
  });

  it("are answered as by a process that has served nobody", async () => {
    const scripts = [
      ["(declare-const a Int)(assert (! (> a 3) :named one))(assert (! (< a 2) :named two))", "(check-sat)"],
      [
        '(declare-const s String)(assert (= (str.len s) 3))(assert (str.in_re s (re.+ (str.to_re "ab"))))',
        "(check-sat)",
      ],
      [
        "(declare-fun f (Int) Int)(assert (= (f (f 1)) 4))(assert (> (f 1) 2))(check-sat)(get-model)",
        "(get-value ((f 9)))",
      ],
      [
        "(declare-const x Int)(maximize x)(assert (< (* x x) 50))(check-sat)(get-objectives)",
        "(get-value (x (+ x 1)))",
      ],
    ] as const;
    const alone = [];
    for (const script of scripts) {
      const unused = new SmtSolver(z3, { config, children, slots: new Slots(1, 20) });
      alone.push(await textsOf(script, unused));
      unused.close();
    }
    for (const round of [0, 1]) {
      const answers = [];
      for (const script of scripts) answers.push(await textsOf(script));
      expect({ round, answers }).toEqual({ round, answers: alone });
    }
  });

  it("have their errors at the same place of their line", async () => {
    const columnOf = async () => / column (\d+)/.exec((await textsOf(["(assert undeclared)"])).join())?.[1];
    const first = await columnOf();
    expect(first).toBeDefined();
    expect(await columnOf()).toBe(first);
  });

  it("are answered after one that was given up while it ran", async () => {
    const giving_up = new AbortController();
    setTimeout(() => giving_up.abort(), 300);
    const answers = await job([endless], new Deadline(ample_ms, giving_up.signal));
    expect(answers).toMatchObject([{ kind: "gone", ending: { kind: "stopped", why: "cancelled" } }]);
    expect(await textsOf(["(check-sat)"])).toEqual(["sat"]);
  });

  it("are answered after one that started a thread of its own for a time limit", async () => {
    const limited = `(set-option :timeout 20)${endless}`;
    const pids = await processesOf([
      async () => expect(await textsOf([limited])).toEqual(["unknown"]),
      async () => expect(await textsOf(["(check-sat)"])).toEqual(["sat"]),
      async () => expect(await textsOf([limited])).toEqual(["unknown"]),
      async () => expect(await textsOf(["(check-sat)"])).toEqual(["sat"]),
    ]);
    expect(new Set(pids).size).toBe(1);
  });
});

describe("a process that serves several jobs", () => {
  /** A process that answers everything at once: each line, and whether it can serve another job. */
  function openSession(says: "fresh" | "spent" | "nothing", is_renewable = true): Session {
    const program = `
      require("node:readline").createInterface(process.stdin).on("line", (line) => {
        const { text, next } = line.startsWith("{") ? JSON.parse(line) : { text: line };
        if (text !== undefined) console.log(text.replace(/^\\(echo "(.*)"\\)$/m, "$1"));
        else ${says === "nothing" ? "{}" : `console.log("${says} " + next)`};
      });`;
    const child = children.start({ command: process.execPath, args: ["-e", program] });
    return new Session(child, { name: "z3", kind: "wasm", is_renewable });
  }

  it("is kept if it says so", async () => {
    const session = openSession("fresh");
    await session.version;
    expect(await session.ask("one")).toMatchObject({ text: "one" });
    expect(await session.renew()).toBe(true);
    expect(await session.ask("two")).toMatchObject({ text: "two", first_line: 2 });
    session.discard();
  });

  it("is not kept if it has grown, if it says nothing, or if it is gone", async () => {
    for (const says of ["spent", "nothing"] as const) {
      const session = openSession(says);
      await session.version;
      expect({ says, is_kept: await session.renew() }).toEqual({ says, is_kept: false });
      session.discard();
    }
    const gone = openSession("fresh");
    await gone.version;
    gone.discard();
    expect(await gone.renew()).toBe(false);
  });

  it("is not kept while something is still asked, or if it is one for a single job", async () => {
    const asked = openSession("fresh");
    const answer = asked.ask("one");
    expect(await asked.renew()).toBe(false);
    await answer;
    asked.discard();
    const single = openSession("fresh", false);
    expect(await single.renew()).toBe(false);
    single.discard();
  });

  it("is replaced after its number of jobs", async () => {
    const session = openSession("fresh");
    await session.version;
    for (let i = 1; i < engine_limits.kept_jobs_max; i++) expect(await session.renew()).toBe(true);
    expect(await session.renew()).toBe(false);
    session.discard();
  });
});
