import { describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import type { Goal } from "../../src/prover/index.ts";
import { fixture } from "../support/fixture.ts";
import { formulasAgree } from "../support/formulas_over_ranges.ts";
import { has_python } from "../support/models.ts";
import { changing_pairs, pairs } from "../support/programs.ts";
import { blocksOf } from "../support/proofs.mjs";
import { runInPython, shareProver } from "../support/prover.ts";
import { agreement, agreementOfZ3, soundClaims, soundContracts } from "../support/prover_properties.ts";
import { privatePython } from "../support/python.ts";

/** Another run has other programs; VERDICT_SEED repeats one. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
/** How many calls are compared with CPython, and how many pairs of functions claims are made about. */
const calls = Number(process.env["VERDICT_CALLS"] ?? 100_000);
const pairs_count = Number(process.env["VERDICT_PAIRS"] ?? 100);
const batch = 60;
const report_every = 100_000;
/** A million calls take some minutes, on a busy machine many. */
const run_ms_max = 3_600_000;
const prove_ms_max = 10_000;

describe.skipIf(!has_python)("the prover, at length", () => {
  console.log("seed:", seed);
  const bench = fixture(shareProver);

  it.each([
    { set: "random programs", programs: pairs, share: 1 },
    { set: "random programs that change a parameter", programs: changing_pairs, share: 0.2 },
  ])(
    "ends every call of $set as CPython does",
    async ({ set, programs, share }) => {
      const sum = { agreed: 0, raised: 0, open: 0, refused: 0 };
      for (let i = 0, next = report_every; sum.agreed < calls * share; i++) {
        const part = await agreement(batch, seed + i, programs);
        sum.agreed += part.agreed;
        sum.raised += part.raised;
        sum.open += part.open;
        sum.refused += part.refused;
        if (sum.agreed < next) continue;
        console.log(`calls of ${set}:`, sum);
        next += report_every;
      }
      console.log(`calls of ${set}:`, sum);
      expect(sum.agreed).toBeGreaterThanOrEqual(calls * share);
    },
    run_ms_max,
  );

  it("states formulas that mean what CPython computes", async () => {
    const sum = await formulasAgree(1_000, seed);
    console.log("calls of conditions as formulas:", sum);
    expect(sum.compared).toBeGreaterThan(sum.calls / 2);
  });

  it("leaves Z3 no other end with pinned inputs", async () => {
    const job = new Deadline(600_000);
    const decided = await agreementOfZ3(bench.engines, 800, seed, job);
    console.log("calls decided by Z3:", decided);
    expect(decided).toBeGreaterThan(300);
  });

  it.each([
    {
      set: "random programs that a call refutes",
      claims: (count: number, own: number) => soundClaims(bench.engines, count, own),
    },
    {
      set: "random programs that change a parameter, and that a call refutes",
      claims: (count: number, own: number) => soundClaims(bench.engines, count, own, 1_000, changing_pairs),
    },
    {
      set: "functions under contracts that icontract refutes",
      claims: async (count: number, own: number) =>
        soundContracts(bench.engines, count, own, (await privatePython()).python),
    },
  ])(
    "claims nothing about $set",
    async ({ set, claims }) => {
      const sum = { proven: 0, refuted: 0, open: 0, calls: 0 };
      for (let done = 0; done < pairs_count; done += batch) {
        const part = await claims(Math.min(batch, pairs_count - done), seed + done);
        sum.proven += part.proven;
        sum.refuted += part.refuted;
        sum.open += part.open;
        sum.calls += part.calls;
      }
      console.log(`claims about ${set}:`, sum);
      expect(sum.proven).toBeGreaterThan(pairs_count / 2);
    },
    run_ms_max,
  );

  const equal = (other: string): Goal => ({ kind: "equivalent", function_a: "f", function_b: other });
  const never = (name: string) => (exception: string) =>
    ({ kind: "never_raises", function: name, exceptions: [exception] }) as const;

  it.each([
    { set: "pairs equal by construction", file: "pairs", goal: () => equal("g"), right: "proven", least: 45 },
    { set: "near misses", file: "pairs", goal: () => equal("h"), right: "unconfirmed", least: 54 },
    { set: "functions that can't raise", file: "exceptions", goal: never("f"), right: "proven", least: 30 },
    { set: "functions that can", file: "exceptions", goal: never("g"), right: "unconfirmed", least: 36 },
  ] as const)("decides the $set", async ({ file, goal, right, least, set }) => {
    const blocks = blocksOf(file);
    const runs = await runInPython(blocks.map(({ code }) => ({ code, calls: [] })));
    const kinds: string[] = [];
    for (const [i, { note }] of blocks.entries()) {
      const tree = runs[i]?.syntax;
      const job = new Deadline(prove_ms_max);
      const verdict = tree && (await bench.prover.prove(tree, goal(note), job));
      if (verdict) kinds.push(verdict.kind === "proven" ? verdict.kind : verdict.cause);
    }
    console.log(`${set}: ${kinds.filter((kind) => kind === right).length} of ${kinds.length}`);
    expect(kinds.filter((kind) => kind === right).length).toBeGreaterThanOrEqual(least);
    if (right === "unconfirmed") expect(kinds).not.toContain("proven");
  });
});
