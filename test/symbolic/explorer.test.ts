import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Explored } from "../../src/tools/symbolic/replies.ts";
import { traps } from "../fixtures/symbolic/traps.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";

let engines: Engines;
let python: string;
beforeAll(async () => {
  if (!has_python) return;
  const made = await privatePython();
  engines = new Engines(readConfig({}, { ...process.env, VERDICT_DATA: made.data }));
  python = made.python;
}, real_setup_ms_max);
afterAll(() => engines?.close());

/** The explorer's own results, without a source that tries values before it. */
async function explored(
  task: string,
  code: string,
  functions: readonly string[],
  exception: string | null = null,
  seconds = 0.3,
) {
  const request = { task, functions, exception, seconds };
  const job = new Deadline(200_000);
  const reply = await engines.python.run("explore", { items: [code], request }, job, () => {});
  if (reply === "expired" || reply.end.kind !== "result") throw new Error(JSON.stringify(reply));
  return Explored.parse(reply.end.result);
}

/** What a script of the fixtures prints in the private environment, on our own Python code. */
function printed(script: string): string {
  const { stdout, stderr, status } = spawnSync(python, ["-I", `test/fixtures/symbolic/${script}`, "python"], {
    encoding: "utf8",
    timeout: 200_000,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** In the suite every second one; test/symbolic/traps.test.ts asks the tools about the others. */
const false_claims = traps.filter(({ truth }) => truth === "fails").filter((_, at) => runs_all || at % 2 === 0);
/** The explorer has to come to the end of some, or it would have had nothing to claim. */
const exhausted_min = runs_all ? 10 : 5;

describe.skipIf(!has_python)("the explorer by itself", () => {
  it("claims nothing where a trap lies, also where it finds nothing", async () => {
    const exploreAll = async (seconds: number) => {
      const waiting = [...false_claims];
      const claimed: string[] = [];
      let exhausted = 0;
      const work = async () => {
        for (let trap = waiting.shift(); trap; trap = waiting.shift()) {
          const answer = await explored(trap.asks, trap.code, trap.functions, trap.exception, seconds);
          if (answer.claim || answer.trusted) claimed.push(trap.name);
          if (answer.exhausted) exhausted++;
        }
      };
      await Promise.all([work(), work()]);
      return { claimed, exhausted };
    };
    const { claimed, exhausted } = await withEnoughTime(
      (ms) => exploreAll(ms / 1000),
      (all) => all.claimed.length > 0 || all.exhausted > exhausted_min,
      runs_all ? 1_000 : 150,
    );
    expect(claimed).toEqual([]);
    expect(exhausted).toBeGreaterThan(exhausted_min);
  }, 900_000);

  it.each([
    ["a text can be repeated too often", "def f(n: int) -> str:\n    return 'ab' * n\n"],
    ["a range has no length past the machine's", "def f(n: int) -> int:\n    return len(range(n))\n"],
    ["a cache outlives the path", "seen = {}\ndef f(x: int) -> int:\n    seen[x] = 1\n    return 0\n"],
    [
      "TypeErrors of ours could be caught",
      "def f(x: int) -> int:\n    try:\n        return x\n    except TypeError:\n        return 0\n",
    ],
    ["True passes for an int", "def f(x: int) -> int:\n    return 1 // (1 - isinstance(x, bool))\n"],
    [
      "a name of Python's own is imported",
      "from operator import truth as bool\ndef f(x: int) -> int:\n    return bool(x)\n",
    ],
    [
      "a function makes a constant something else",
      "K = 1\ndef init():\n    global K\n    K = [1]\ninit()\ndef f(x: int) -> bool:\n    return K == x\n",
    ],
    ["a default is of another type", "def f(x: int = None) -> int:\n    return x + 1\n"],
  ])("proves nothing where %s", async (_, code) => {
    const answer = await explored("raises", code, ["f"], "Exception");
    expect(answer).toMatchObject({ claim: false });
    expect(answer.why_not.length).toBeGreaterThan(0);
  });

  it("proves what is left: whole numbers, truths, texts compared, bounded loops, handlers by name", async () => {
    const code = `
def step(n: int) -> int:
    return n // 2 if n % 2 == 0 else n * 3 + 1

def f(n: int, up: bool, s: str) -> int:
    total = 0
    for i in range(3):
        total += step(n) + i
    try:
        return total // (1 if up or s == "x" else 2)
    except ZeroDivisionError:
        return -1
`;
    expect(await explored("raises", code, ["f"], "Exception", 150)).toMatchObject({ claim: true, why_not: [] });
  });

  it("claims nothing once CrossHair or Z3 gives a known question another answer", () => {
    const [sound, unsound] = JSON.parse(printed("distrusted.py"));
    expect(sound).toEqual([true, true, []]);
    expect(unsound).toEqual([
      false,
      false,
      ["CrossHair and Z3 failed a test with known answers, so nothing is claimed"],
    ]);
  });

  it("notes branches without a change to what the function does, or to the lines of its exceptions", () => {
    expect(printed("rewriting.py")).toBe("");
  });
});
