import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { engine_limits } from "../../src/engines/limits.ts";
import { cpSatTask } from "../../src/engines/minizinc/cp_sat.ts";
import { MiniZinc, type RunTask } from "../../src/engines/minizinc/index.ts";
import { withLibrary } from "../../src/engines/minizinc/library/index.ts";
import { Reader } from "../../src/engines/minizinc/read.ts";
import type { Task } from "../../src/engines/minizinc/task.ts";
import { WasmProcess } from "../../src/engines/minizinc/wasm_process.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Child, Children } from "../../src/kernel/process/child.ts";
import { Slots } from "../../src/kernel/process/slots.ts";
import { some } from "../support/runs_all.ts";

const config = readConfig({ tools: "model" }, { ...process.env, VERDICT_MINIZINC: "wasm" });

/** A run of a model; what it writes goes to the file that is named. */
function taskOf(model: string, { solver = "gecode", fzn = "model.fzn" } = {}): Task {
  const args = ["--solver", solver, "--output-mode", "json", "--fzn", fzn, "model.mzn"];
  return { files: { "model.mzn": model }, args, keeps: [] };
}

const small = "var 1..5: x; constraint x * x = 9; solve satisfy;";
/** More than any of these runs needs beside twenty busy programs. */
const ample_ms = 900_000;
/** The file that a run writes here is one of the library that MiniZinc reads for each model. */
const library = "/usr/share/minizinc/std";

describe("a process of the embedded MiniZinc that ended a solve", () => {
  const children = new Children(process.env, process.cwd());
  afterAll(() => children.stopAll());

  const program = [config.minizinc_wasm_host];

  async function stateAfter(tasks: readonly Task[], args: readonly string[] = program) {
    const process_ = new WasmProcess(children.start({ command: process.execPath, args }));
    const deadline = new Deadline(ample_ms);
    const before = process_.is_fresh;
    const ends = [];
    for (const task of tasks) ends.push(await process_.run(task, deadline, () => {}));
    const { is_fresh, alive } = process_;
    process_.discard();
    return { before, is_fresh, alive, endings: ends.map(({ ending }) => ending) };
  }

  const exited = (code: number) => ({ kind: "exited", code });

  it("can serve another call if it changed nothing but its memory", async () => {
    const state = await stateAfter([
      taskOf(small),
      taskOf("var 1..3: x; constraint x > 5; solve satisfy;", { solver: "chuffed" }),
    ]);
    expect(state).toEqual({ before: true, is_fresh: true, alive: true, endings: [exited(0), exited(0)] });
  });

  it("can serve another call after a model that was compiled for CP-SAT, with a library in its directory", async () => {
    const model = 'include "all_different.mzn"; array[1..2] of var 1..2: x; constraint all_different(x);';
    const task = cpSatTask({ files: { "model.mzn": model }, args: ["model.mzn"] });
    expect(await stateAfter([withLibrary(task)])).toMatchObject({ is_fresh: true, endings: [exited(0)] });
  });

  it("can serve another call after a model with an error", async () => {
    const state = await stateAfter([taskOf("var 1..5: x; constraint x = y;")]);
    expect(state).toEqual({ before: true, is_fresh: true, alive: true, endings: [exited(1)] });
  });

  it("is of no use to anyone after a run that wrote outside of its directory", async () => {
    for (const fzn of some(["../left.mzn", "/tmp/left.mzn"])) {
      const state = await stateAfter([taskOf(small, { fzn })]);
      expect({ fzn, ...state }).toMatchObject({ fzn, is_fresh: false, alive: false });
    }
  });

  /** A program that answers each job at once, and says how large its memory is. */
  const answering = (memory_bytes: number) => `
    require("node:readline").createInterface(process.stdin).on("line", (line) => {
      const end = { id: JSON.parse(line).id, code: 0, is_spent: false, memory_bytes: ${memory_bytes}, files: {} };
      console.log(JSON.stringify(end));
    });`;

  it("is not kept with more memory than a small model needs", async () => {
    const { minizinc_kept_bytes_max: most } = engine_limits;
    expect(await stateAfter([taskOf(small)], ["-e", answering(most)])).toMatchObject({ is_fresh: true });
    expect(await stateAfter([taskOf(small)], ["-e", answering(most + 1)])).toMatchObject({ is_fresh: false });
  });

  it("keeps nothing of a run that has ended", async () => {
    const process_ = new WasmProcess(children.start({ command: process.execPath, args: ["-e", answering(1)] }));
    // The end of a run carries on what its call carries, as its client's request.
    const calls = new AsyncLocalStorage<object>();
    const ended: WeakRef<object>[] = [];
    for (let i = 0; i < 5; i++) {
      const call = { name: "a call" };
      ended.push(new WeakRef(call));
      await calls.run(call, () => process_.run(taskOf(small), new Deadline(ample_ms), () => {}));
      process_.rest();
    }
    // A reference is kept at least until the turn ends in which it was made.
    await sleep(10);
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    // The first one started what the process listens to, and the last one can still be in a register.
    expect(ended.slice(1, -1).map((call) => call.deref())).toEqual([undefined, undefined, undefined]);
    process_.discard();
  });

  it("ends a run that begins when it is gone", async () => {
    const child = children.start({ command: process.execPath, args: ["-e", answering(1)] });
    const process_ = new WasmProcess(child);
    process_.discard();
    await child.ended;
    const { ending } = await process_.run(taskOf(small), new Deadline(ample_ms), () => {});
    expect(ending).toEqual({ kind: "stopped", why: "closed" });
  });

  it("is replaced after its number of runs", async () => {
    const runs = (count: number) => Array.from({ length: count }, () => taskOf(small));
    const { kept_jobs_max: many } = engine_limits;
    expect(await stateAfter(runs(many - 1), ["-e", answering(1)])).toMatchObject({ is_fresh: true });
    expect(await stateAfter(runs(many), ["-e", answering(1)])).toMatchObject({ is_fresh: false });
  });
});

describe("calls of the embedded MiniZinc, one after the other", () => {
  const children = new Children(process.env, process.cwd());
  const engine = new MiniZinc({ config, children, slots: new Slots(1, 10) });
  beforeAll(() => engine.prepare());
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => {
    engine.close();
    children.stopAll();
  });

  /** What a call prints, and its errors. */
  async function call(...tasks: readonly Task[]) {
    const deadline = new Deadline(ample_ms);
    const lines: string[] = [];
    const reader = new Reader(100);
    await engine.run(deadline, async (run) => {
      for (const task of tasks)
        await run(task, deadline, (line) => {
          lines.push(line);
          reader.take(line);
        });
    });
    const { errors, solutions } = reader.answer();
    return { lines, errors: errors.map(({ message }) => message), values: solutions.map(({ values }) => values) };
  }

  it("share a process, and find nothing of the call before", async () => {
    const first = await call(taskOf(small));
    const written = vi.spyOn(Child.prototype, "write");
    const secret =
      'enum Secret = {hidden}; var Secret: s; predicate mine(var int: y) = y > 1; output ["\\(s)"]; solve satisfy;';
    expect((await call(taskOf(secret))).values).toEqual([{ s: { e: "hidden" } }]);
    expect((await call(taskOf(`${small} constraint mine(x);`))).errors.join()).toContain("mine");
    expect(await call(taskOf(small))).toEqual(first);
    const pids = written.mock.contexts.map((child) => child instanceof Child && child.pid);
    expect(pids).toHaveLength(3);
    expect(new Set(pids).size).toBe(1);
  });

  it("need one process, with the checks between them, and a second one only at the same time", async () => {
    await call(taskOf(small));
    const started = vi.spyOn(Children.prototype, "start");
    let texts = 0;
    const check = () => engine.check(taskOf(`${small} % ${texts++}`), new Deadline(ample_ms), () => {});
    for (let i = 0; i < 2; i++) {
      await check();
      engine.prepare();
      await call(taskOf(small));
    }
    expect(started).not.toHaveBeenCalled();
    const deadline = new Deadline(ample_ms);
    for (let i = 0; i < 2; i++)
      await engine.run(deadline, async (run) => {
        const solved = run(taskOf(small), deadline, () => {});
        await check();
        engine.prepare();
        await solved;
      });
    expect(started).toHaveBeenCalledTimes(1);
  });

  it("read a text once, unless it has an error, and in the place of the call that needs it", async () => {
    const written = vi.spyOn(Child.prototype, "write");
    const deadline = new Deadline(ample_ms);
    const read = async (text: string, place?: RunTask) => {
      const lines: string[] = [];
      await engine.check(taskOf(text), deadline, (line) => lines.push(line), place);
      return lines;
    };
    const first = await read(`${small} % once`);
    expect([await read(`${small} % once`), written.mock.contexts.length]).toEqual([first, 1]);
    const wrong = await read("var 1..2: x = y; solve satisfy;");
    expect(wrong.join()).toContain("undefined identifier");
    expect([await read("var 1..2: x = y; solve satisfy;"), written.mock.contexts.length]).toEqual([wrong, 3]);
    const started = vi.spyOn(Children.prototype, "start");
    await engine.run(deadline, async (run) => {
      await run(taskOf(small), deadline, () => {});
      await read(`${small} % in its place`, run);
    });
    expect(started).not.toHaveBeenCalled();
  });

  it("do not see a file that the call before wrote into the library", async () => {
    await call(taskOf("var 7..7: planted; solve satisfy;", { fzn: `${library}/left.mzn` }));
    const answer = await call(taskOf('include "left.mzn"; var 1..2: x; constraint x = planted; solve satisfy;'));
    expect(answer.errors.join()).toContain("left.mzn");
    // The file of a library constraint is overwritten with a model that declares something else.
    await call(taskOf(small, { fzn: `${library}/alldifferent.mzn` }));
    const model =
      'include "alldifferent.mzn"; array[1..2] of var 1..2: a; constraint alldifferent(a) /\\ a[1] = 1; solve satisfy;';
    expect((await call(taskOf(model))).values).toEqual([{ a: [1, 2] }]);
  });

  it("do not see the files of the call before", async () => {
    const task = taskOf('include "other.mzn"; solve satisfy;');
    const with_file = { ...task, files: { ...task.files, "other.mzn": "var 4..4: z;" } };
    expect((await call(with_file)).values).toEqual([{ z: 4 }]);
    expect((await call(task)).errors.join()).toContain("other.mzn");
  });

  it("are answered after one whose solver crashed", async () => {
    const power = "var 1..3: x; var 1..3: y; constraint pow(x, y) = 9; solve satisfy;";
    await call(taskOf(power, { solver: "chuffed" }));
    expect((await call(taskOf(small))).values).toEqual([{ x: 3 }]);
  });

  it("are answered after one that was given up while it ran", async () => {
    const giving_up = new AbortController();
    const deadline = new Deadline(ample_ms, giving_up.signal);
    const hopeless =
      "array[1..40] of var 1..39: x; constraint forall(i, j in 1..40 where i < j)(x[i] != x[j]); solve satisfy;";
    const given_up = engine.run(deadline, async (run) => {
      setTimeout(() => giving_up.abort(), 500);
      return run(taskOf(hopeless), deadline, () => {});
    });
    expect(await given_up).toMatchObject({ ending: { kind: "stopped", why: "cancelled" } });
    expect((await call(taskOf(small))).values).toEqual([{ x: 3 }]);
  });
});
