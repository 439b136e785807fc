import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { cancelled } from "../../src/kernel/fault.ts";
import { leftUndecided } from "../../src/tools/symbolic/examine.ts";
import { Examiner } from "../../src/tools/symbolic/examiner.ts";
import { proverSource } from "../../src/tools/symbolic/prover_source.ts";
import { type Aim, type Candidate, type Proof, type Source, search } from "../../src/tools/symbolic/search.ts";

/** Sources that are late, wrong or never finish: the real ones are tested in questions.test.ts. */
function source(look: Source["look"], comes_first = false): Source {
  return {
    name: "scripted",
    comes_first,
    look(job, offer, begun) {
      begun();
      return look(job, offer, begun);
    },
  };
}

const proof: Proof = { method: "by decree", engine: "none", assumptions: [] };
const candidate = (key: string): Candidate => ({ input: key, keys: [key], sides: [] });
const job = (left_ms = 60_000, signal = new AbortController().signal): Deadline => new Deadline(left_ms, signal);

/** Confirms what does not begin with "no"; ends at the first witness. */
const first: Aim<string> = {
  confirm: async ({ input }) => (String(input).startsWith("no") ? "not confirmed" : String(input)),
  keyOf: (witness) => witness,
  shows: (_, { keys }) => keys,
  contradicts: () => true,
  questions: () => true,
  enough: (witnesses) => (witnesses.length > 0 ? "yes" : "no"),
};
const several: Aim<string> = { ...first, enough: (witnesses) => (witnesses.length > 0 ? "soon" : "no") };

/** Never ends by itself; notes that it was stopped. */
function endless(offers: readonly Candidate[] = []) {
  const state = { stopped: false };
  const look: Source["look"] = ({ signal }, offer) => {
    for (const each of offers) offer(each);
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        state.stopped = true;
        reject(cancelled());
      });
    });
  };
  return { ...source(look), state };
}

describe("the search over several sources", () => {
  it("ends with the first witness, and stops the others", async () => {
    const other = endless();
    const outcome = await search([endless([candidate("a")]), other], first, job());
    expect(outcome).toMatchObject({ witnesses: ["a"], proof: undefined, dropped: 0 });
    expect(other.state.stopped).toBe(true);
  });

  it("ends with a proof, and stops the others", async () => {
    const other = endless();
    const outcome = await search([source(async () => proof), other], first, job());
    expect(outcome).toMatchObject({ witnesses: [], proof });
    expect(other.state.stopped).toBe(true);
  });

  it("lets a witness outweigh a proof that came before it", async () => {
    const slow = source(async (_, offer) => {
      await pause(30);
      offer(candidate("a"));
      return undefined;
    }, true);
    const outcome = await search([source(async () => proof), slow], first, job());
    expect(outcome).toMatchObject({ witnesses: ["a"], proof: undefined });
  });

  it("keeps a proof beside a witness that does not contradict it", async () => {
    const aside: Aim<string> = { ...first, contradicts: () => false, questions: () => false, enough: () => "no" };
    const offers = source(async (_, offer) => {
      offer(candidate("a"));
      return undefined;
    });
    const late = source(async () => {
      await pause(50);
      return proof;
    });
    expect(await search([offers, late], aside, job())).toMatchObject({ witnesses: ["a"], proof });
    expect(await search([offers], aside, job())).toMatchObject({ witnesses: ["a"], proof: undefined });
  });

  it("waits with a proof until what was offered has been replayed", async () => {
    const slowly: Aim<string> = {
      ...first,
      confirm: async ({ input }) => {
        await pause(30);
        return String(input);
      },
    };
    const liar = source(async (_, offer) => {
      offer(candidate("a"));
      return proof;
    });
    expect(await search([liar], slowly, job())).toMatchObject({ witnesses: ["a"], proof: undefined });
  });

  describe("a proof does not overtake a candidate", () => {
    /** A source that proves, and one that has its candidate only once the proof was given. */
    function proofThenCandidate(text: string) {
      let tell: () => void = () => {};
      const proved = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const prover = source(async () => {
        setImmediate(tell);
        return proof;
      });
      const other = source(async ({ signal }, offer, begun) => {
        await proved;
        offer(candidate(text));
        return endless().look(new Deadline(60_000, signal), offer, begun);
      });
      return [prover, other];
    }

    it("is withdrawn by one that shows after it", async () => {
      const outcome = await search(proofThenCandidate("a"), first, job());
      expect(outcome).toMatchObject({ witnesses: ["a"], proof: undefined });
    });

    it("is withdrawn also where others of a witness are waited for", async () => {
      const outcome = await search(proofThenCandidate("a"), several, job());
      expect(outcome).toMatchObject({ witnesses: ["a"], proof: undefined });
    });

    it("follows one that does not show anything", async () => {
      expect(await search(proofThenCandidate("no"), first, job())).toMatchObject({ witnesses: [], proof, dropped: 1 });
    });

    it("is not given against one that could not be replayed, whenever that came", async () => {
      const unable: Aim<string> = { ...first, confirm: async () => "not replayed" };
      const outcome = await search(proofThenCandidate("a"), unable, job(600));
      expect(outcome).toMatchObject({ witnesses: [], proof: undefined, unreplayed: [candidate("a")] });
      const both = source(async (_, offer) => {
        offer(candidate("b"));
        return proof;
      });
      expect(await search([both], unable, job())).toMatchObject({ proof: undefined, unreplayed: [candidate("b")] });
    });

    it("is not given while a replay goes on when the time runs out", async () => {
      const endless_replay: Aim<string> = { ...first, confirm: () => new Promise(() => {}) };
      const outcome = await search(proofThenCandidate("a"), endless_replay, job(400));
      expect(outcome).toMatchObject({ proof: undefined, unreplayed: [candidate("a")], expired: true });
    });

    it("is not given when those who come first have not looked, also at the deadline", async () => {
      const stalled = { ...endless(), comes_first: true };
      expect(await search([source(async () => proof), stalled], first, job(400))).toMatchObject({ proof: undefined });
    });

    it("is given at once when nobody is left to object", async () => {
      const finished = source(async () => undefined);
      expect(await search([source(async () => proof), finished], first, job(600_000))).toMatchObject({ proof });
    });
  });

  it("distinguishes candidates that it left after the answer from those that could not be replayed", async () => {
    const failing: Aim<string> = {
      ...first,
      confirm: async ({ input }) => (input === "late" ? "not replayed" : String(input)),
    };
    const answered = await search([endless([candidate("a"), candidate("b"), candidate("c")])], failing, job());
    expect(answered).toMatchObject({ witnesses: ["a"], needless: answered.unreplayed.length });
    expect(answered.unreplayed.length).toBeGreaterThan(0);
    const failed = await search([endless([candidate("late"), candidate("a"), candidate("b")])], failing, job());
    expect(failed.unreplayed.length - failed.needless).toBe(1);
    const never: Aim<string> = { ...first, confirm: () => new Promise(() => {}) };
    const expired = await search([endless([candidate("a")])], never, job(30));
    expect(expired).toMatchObject({ unreplayed: [candidate("a")], needless: 0 });
  });

  it("counts what does not replay, and tries the next of the same kind", async () => {
    const offers = [
      { input: "no 1", keys: ["k"], sides: [] },
      { input: "yes", keys: ["k"], sides: [] },
      { input: "yes too", keys: ["k"], sides: [] },
    ];
    const offering = source(async (_, offer) => {
      for (const each of offers) offer(each);
      return undefined;
    });
    const outcome = await search([offering], several, job());
    expect(outcome).toMatchObject({ witnesses: ["yes"], dropped: 1 });
  });

  it("gives others a moment after the first, but does not wait for all paths", async () => {
    const late = source(async ({ signal }, offer) => {
      offer(candidate("a"));
      await pause(20);
      offer(candidate("b"));
      return endless().look(job(5_000, signal), offer, () => {});
    });
    expect(await search([late], several, job(60_000))).toMatchObject({ witnesses: ["a", "b"], expired: false });
  });

  it("replays what was offered with the first witness, however slow the machine is", async () => {
    const offers = ["a", "b", "c", "d", "e", "f", "g", "h"].map(candidate);
    const slowly: Aim<string> = { ...several, confirm: async ({ keys: [key = ""] }) => pause(100, key) };
    const { witnesses } = await search([endless(offers)], slowly, job(60_000));
    expect(witnesses).toEqual(offers.flatMap(({ keys }) => keys));
  });

  it("does not wait for a replay that never ends once there is a witness", async () => {
    const stuck: Aim<string> = {
      ...several,
      confirm: ({ keys: [key = ""] }) => (key === "a" ? pause(1, key) : new Promise(() => {})),
    };
    const outcome = await search([endless([candidate("a"), candidate("b")])], stuck, job(60_000));
    expect(outcome).toMatchObject({ witnesses: ["a"], expired: false });
  });

  it("waits for the others of a witness until every source is at work", async () => {
    const early = endless([candidate("a")]);
    const late: Source = {
      name: "starts slowly",
      comes_first: false,
      async look({ signal }, offer, begun) {
        await pause(700);
        begun();
        offer(candidate("b"));
        return endless().look(job(60_000, signal), offer, begun);
      },
    };
    expect(await search([early, late], several, job(60_000))).toMatchObject({ witnesses: ["a", "b"] });
  });

  it("claims nothing when nobody could", async () => {
    const outcome = await search([source(async () => undefined)], first, job());
    expect(outcome).toMatchObject({ witnesses: [], proof: undefined, expired: false });
  });

  it("ends when the call is cancelled, and says so", async () => {
    const cancel = new AbortController();
    const running = search([endless()], first, job(60_000, cancel.signal));
    cancel.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
  });

  it("reports the failure of a source, and stops the others", async () => {
    const other = endless();
    const broken = source(async () => {
      throw new Error("broken");
    });
    await expect(search([broken, other], first, job())).rejects.toThrow("broken");
    expect(other.state.stopped).toBe(true);
  });

  it("ends at its deadline even when a source does not", async () => {
    const deaf = source(() => new Promise(() => {}));
    expect(await search([deaf], first, job(200))).toMatchObject({ witnesses: [], proof: undefined, expired: true });
  });
});

it("an input of the prover that shows nothing is called a possible counterexample, which CPython did not confirm", async () => {
  const question = { task: "check", code: "def f(n: int) -> int: ...", functions: ["f"] } as const;
  const contract = { styles: [], preconditions: [], postconditions: [], raises: [] };
  const functions = [{ name: "f", parameters: [{ name: "n" }], returns: "int", contract }];
  const examiner = new Examiner(async (_language, _program, _deadline, found) => {
    found?.({ branches: { sites: [], cyclomatic_complexity: 1, dead_lines: [] } });
    const result = { functions, hazards: [], notes: [] };
    return { end: { kind: "result", result }, printed: "", versions: { python: "3.12.1" } };
  }, question);
  const inspected = await examiner.inspect(job());
  if (inspected === "expired") throw new Error("it has a minute");
  const prove = async () =>
    ({
      kind: "undecided",
      cause: "unconfirmed",
      reason: "an input was found",
      inputs: [{ type: "int", value: "7" }],
    }) as const;
  const tree = { is: "Module", line: 1, column: 0, end_line: 1, end_column: 0, body: [] };
  const syntax = async () => ({ id: 0, tree, python: [3, 12, 1], text: "" });
  const offered: Candidate[] = [];
  const looked = await proverSource({ prepare() {}, prove }, { syntax }, { question, inspected, examiner }).look(
    job(400),
    (each) => offered.push(each),
    () => {},
  );
  expect([looked, offered]).toEqual([undefined, [expect.objectContaining({ input: { n: { int: "0x7" } } })]]);
  const outcome = await search([], { ...first, confirm: async () => "not confirmed" as const }, job(30));
  const left = leftUndecided({ ...outcome, examiner, inspected, notes: [], time_seconds: 1, ran_out: false });
  expect(left.notes).toContain(
    "The prover did not decide it: the prover found a possible counterexample, which CPython did not confirm.",
  );
});
