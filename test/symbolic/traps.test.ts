import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { type Trap, traps } from "../fixtures/symbolic/traps.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";
import { openSymbolic } from "../support/symbolic.ts";

/** Enough for nearly all that can be found, and for all that can be proved, on a machine with nothing else to do. */
const seconds = 1;
/** If too many questions are undecided, they are asked again with this time: the machine is busy then. */
const more_seconds = 20;
const claims = ["equivalent", "verified", "unreachable"];
const findings = ["different", "counterexample", "found"];
const open = ["timeout", "undecided"];

const verdict = fixture(openSymbolic);
// Starting the interpreters is not a part of the second that each trap gets.
beforeAll(() => has_python && verdict.check("def f(x: int) -> int:\n    return x\n", "f"), real_setup_ms_max);

async function statusOf({ asks, code, functions, exception }: Trap, seconds: number): Promise<string> {
  const [first, second = first] = functions;
  const answer =
    asks === "compare"
      ? await verdict.compare(code, first, second, seconds)
      : asks === "check"
        ? await verdict.check(code, first, seconds)
        : await verdict.raises(code, first, exception ?? "", seconds);
  return String(answer["status"]);
}

interface Answer {
  readonly trap: Trap;
  readonly status: string;
}

/** The answers to these traps, two asked at a time. */
async function ask(asked: readonly Trap[], time: number): Promise<Answer[]> {
  const waiting = [...asked];
  const answers: Answer[] = [];
  const work = async () => {
    for (let trap = waiting.shift(); trap; trap = waiting.shift()) {
      answers.push({ trap, status: await statusOf(trap, time) });
    }
  };
  await Promise.all([work(), work()]);
  return answers;
}

/**
 * The answers to the traps of one truth, in the suite to every second one; too few that are `decided` have the open ones
 * asked again.
 */
async function answersTo(truth: Trap["truth"], decided: readonly string[], needed: number): Promise<Answer[]> {
  const asked = traps.filter((trap) => trap.truth === truth).filter((_, at) => runs_all || at % 2 === 1);
  const answers = await ask(asked, seconds);
  const isOpen = ({ status }: Answer) => open.includes(status);
  if (answers.filter(({ status }) => decided.includes(status)).length > needed * asked.length) return answers;
  const again = answers.filter(isOpen).map(({ trap }) => trap);
  return [...answers.filter((answer) => !isOpen(answer)), ...(await ask(again, more_seconds))];
}

describe.skipIf(!has_python)("code where a wrong proof lies near", () => {
  it("is described truly: plain Python agrees with every trap", async () => {
    const { python } = await privatePython();
    const { stdout, stderr } = spawnSync(python, ["-I", "test/fixtures/symbolic/truth.py"], {
      input: JSON.stringify(traps),
      encoding: "utf8",
      timeout: 500_000,
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([]);
    expect(traps.length).toBeGreaterThan(100);
  }, 600_000);

  it("is never called equivalent, verified or unreachable where it is not, and most of it is seen through", async () => {
    const answers = await answersTo("fails", findings, 0.9);
    expect(answers.filter(({ status }) => ![...open, ...findings].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => findings.includes(status)).length).toBeGreaterThan(answers.length * 0.9);
  }, 600_000);

  it("is never refuted where it holds, and some of it is proved", async () => {
    const answers = await answersTo("holds", claims, 1 / 3);
    expect(answers.filter(({ status }) => ![...open, ...claims].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => claims.includes(status)).length).toBeGreaterThan(answers.length / 3);
  }, 600_000);
});
