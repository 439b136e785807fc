import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { has_python } from "../support/models.ts";
import { stateOf } from "../support/processes.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

const patience = { timeout: 60_000, interval: 50 };

describe.skipIf(!has_python || process.platform !== "linux")("the processes that wait for the next job", () => {
  let server: ReturnType<typeof start>;
  beforeAll(async () => {
    server = start((await privatePython()).python);
  }, real_setup_ms_max);
  afterAll(() => server?.stop());

  it.each([true, false, true])("load their memory in advance as the last job says (%s)", async (rehearse) => {
    const before = server.waiting();
    const items = ["x = Int('x')", "x > 5"];
    const answer = await server.run({ items, timeout_ms: 60_000, memory_bytes: 2 ** 31, rehearse });
    expect(answer).toMatchObject({ result: { status: "sat" } });
    // A rehearsal touches some 4,000 pages; a process that only waits a few hundred.
    await vi.waitFor(() => {
      const newest = server.waiting().at(-1) ?? 0;
      expect(before).not.toContain(newest);
      if (rehearse) expect(pagesTouched(newest)).toBeGreaterThan(2000);
      else expect(pagesTouched(newest)).toBeLessThan(1500);
      expect(stateOf(newest)).toBe("S");
    }, patience);
  });
});

describe.skipIf(!has_python || process.platform !== "linux")("a rehearsal", () => {
  it(
    "says nothing of the names in the next program",
    async () => {
      const server = start((await privatePython()).python, "pysat");
      // The program of the rehearsal has values of a solution under the name v; here they are rules, which contradict each other.
      const rules = `s = Glucose3(bootstrap_with=[[1], [2]])\ns.solve()\nprint(s.get_model())\nfor v in (1, 2): s.add_clause([-v])\ns.solve()`;
      const items = ["from pysat.solvers import Glucose3", rules];
      for (let turn = 0; turn < 4; turn++) {
        const before = server.waiting();
        const answer = await server.run({ items, timeout_ms: 60_000, memory_bytes: 2 ** 31, rehearse: true });
        expect(answer).toMatchObject({ result: { status: "unsat" } });
        await vi.waitFor(() => {
          const newest = server.waiting().at(-1) ?? 0;
          expect(before).not.toContain(newest);
          expect(pagesTouched(newest)).toBeGreaterThan(1500);
          expect(stateOf(newest)).toBe("S");
        }, patience);
      }
      server.stop();
    },
    real_setup_ms_max,
  );
});

/** The server of a language that forks, without the TypeScript around it. */
function start(python: string, language = "z3") {
  const child = spawn(python, ["-I", "-B", "python/verdict_runner", language, "fork"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let jobs = 0;
  async function run(job: {
    items: string[];
    timeout_ms: number;
    memory_bytes: number;
    rehearse: boolean;
  }): Promise<unknown> {
    const id = jobs++;
    const text = `${JSON.stringify(job)}\n`;
    const start = { id, seconds: job.timeout_ms / 1000, rehearse: job.rehearse, bytes: text.length };
    child.stdin.write(`${JSON.stringify(start)}\n${text}`);
    let result: unknown;
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("the server ended");
      // An answer comes in one piece here.
      const { ended, ...frame } = JSON.parse(value.replace(/^\d+[=+]/, ""));
      if (ended !== undefined) return result;
      if ("result" in frame) result = frame;
    }
  }
  /** The server is the child of the one that made the namespaces, or that process itself. */
  const waiting = () => {
    const [pid = 0] = [child.pid];
    const forked = childrenOf(pid);
    const [only] = forked;
    return only !== undefined && forked.length === 1 && childrenOf(only).length > 0 ? childrenOf(only) : forked;
  };
  return { run, waiting, stop: () => child.stdin.end() };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

/** Page faults that needed no disk: the tenth field of proc_pid_stat(5). */
function pagesTouched(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[7]);
}
