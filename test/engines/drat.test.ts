import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { check } from "../../src/engines/drat/check.ts";
import { readSteps } from "../../src/engines/drat/steps.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { removeDirectory } from "../support/directories.ts";
import { binary, type Formula, isProof, isSatisfiable, type Step, stepsOf, writtenProofs } from "../support/drat.ts";
import { has_python } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";

/** The checker of proofs of unsat: it accepts what real solvers write, and nothing that proves nothing. */

/** All signs of two variables: the smallest formula without a solution that needs a proof. */
const square: Formula = [
  [1, 2],
  [1, -2],
  [-1, 2],
  [-1, -2],
];

function checked(formula: Formula, text: string) {
  return check(formula, binary(stepsOf(text)));
}

describe("a proof by hand", () => {
  it.each([
    ["a unit that follows", square, "1 0\n0", { steps: 1, rat_steps: 0 }],
    ["the end left out, which propagation finds", square, "1 0", { steps: 1, rat_steps: 0 }],
    ["deletions of what is no longer needed", square, "1 0\nd 1 2 0\nd 1 -2 0\n0", { steps: 1, rat_steps: 0 }],
    ["a deletion of a clause in another order", [...square, [3, 1, 2]], "d 2 3 1 0\n1 0", { steps: 1, rat_steps: 0 }],
    ["a deletion of what was never there", square, "d 7 8 0\n1 0", { steps: 1, rat_steps: 0 }],
    ["a definition of a new variable (RAT)", square, "7 -5 -6 0\n-7 5 0\n-7 6 0\n1 0", { steps: 4, rat_steps: 3 }],
    ["a literal twice", square, "1 1 0\n0", { steps: 1, rat_steps: 0 }],
    ["a clause that is always true", square, "1 -1 0\n1 0", { steps: 1, rat_steps: 0 }],
    ["the empty clause in the formula", [[1], []], "", { steps: 0, rat_steps: 0 }],
    ["units that contradict each other", [[1], [-1]], "", { steps: 0, rat_steps: 0 }],
    ["a chain of units", [[1], [-1, 2], [-2, 3], [-3]], "", { steps: 0, rat_steps: 0 }],
  ])("with %s is accepted", (_what, formula, text, found) => {
    expect(checked(formula, text)).toMatchObject({ verdict: "checked", ...found });
  });

  it("keeps the reason of a unit that is deleted, as other checkers do", () => {
    const formula = [[1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-2, -3, 4], [-2, -3, -4]];
    expect(checked(formula, "d 1 0\nd -1 2 0\n3 0\n0")).toMatchObject({ verdict: "checked" });
  });

  it.each([
    ["no step", square, "", /ends after 0 steps/],
    ["the end alone", square, "0", /step 1 adds a clause \(the empty one\)/],
    [
      "a clause that does not follow",
      [
        [1, 2],
        [-1, 2],
        [2, 3],
        [-2, 3],
      ],
      "-2 0",
      /step 1 adds a clause \(-2\)/,
    ],
    ["a deletion that it needs", square, "d 1 2 0\nd 1 -2 0\n1 0\n0", /./],
    [
      "steps that are right, and no contradiction",
      [
        [1, 2],
        [-1, 2],
      ],
      "2 0",
      /ends after 1 steps/,
    ],
    [
      "a clause that a definition forbids (RAT on the wrong literal)",
      [
        [1, 2],
        [-1, -2],
        [3, 1],
        [-3, 2],
      ],
      "-1 3 0\n0",
      /./,
    ],
  ])("with %s is refused", (_what, formula, text, reason) => {
    const result = checked(formula, text);
    expect(result).toMatchObject({ verdict: "refused" });
    expect(result.verdict === "refused" && result.reason).toMatch(reason);
  });

  it("of a formula with a solution is refused, however it is deleted first", () => {
    expect(
      checked(
        [
          [1, 2],
          [-1, 2],
        ],
        "d 1 2 0\nd -1 2 0\n-2 0\n0",
      ),
    ).toMatchObject({ verdict: "refused" });
  });

  it("with literals as large as they can be is read, and with larger ones refused", () => {
    const top = 2 ** 31 - 1;
    const formula = [
      [top, 1],
      [top, -1],
      [-top, 1],
      [-top, -1],
    ];
    expect(checked(formula, `${top} 0\n0`)).toMatchObject({ verdict: "checked" });
    expect(checked(square, `${top + 1} 0\n1 0`)).toMatchObject({ verdict: "refused", reason: /damaged/ });
  });

  it.each([
    ["in a number", [0x61, 0x82]],
    ["in a clause", [0x61, 0x02]],
    ["by another letter", [0x62, 0x02, 0]],
    ["by a literal that is none", [0x61, 0x01, 0]],
    ["by a number without an end", [0x61, ...new Array<number>(9).fill(0xff), 0]],
  ])("that is damaged %s is refused", (_where, bytes) => {
    expect(check(square, Uint8Array.from(bytes))).toMatchObject({ verdict: "refused", reason: /damaged/ });
  });
});

const variables = 5;
const literal = fc.integer({ min: 1, max: variables }).chain((n) => fc.constantFrom(n, -n));
const clause = fc.array(literal, { minLength: 1, maxLength: 3 });
const formula = fc.array(clause, { minLength: 6, maxLength: 24 });
const any_literal = fc.integer({ min: 1, max: variables + 2 }).chain((n) => fc.constantFrom(n, -n));
const step: fc.Arbitrary<Step> = fc.record({
  adds: fc.boolean(),
  literals: fc.array(any_literal, { minLength: 0, maxLength: 3 }),
});

describe("random proofs", () => {
  it("are judged as by the definitions alone, and none of a formula with a solution is accepted", () => {
    let accepted = 0;
    const property = fc.property(formula, fc.array(step, { maxLength: 12 }), (clauses, steps) => {
      const is_checked = check(clauses, binary(steps)).verdict === "checked";
      expect(is_checked).toBe(isProof(clauses, steps));
      if (is_checked) expect(isSatisfiable(clauses, variables)).toBe(false);
      accepted += is_checked ? 1 : 0;
    });
    const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
    console.log(`random proofs: seed ${seed}`);
    fc.assert(property, { numRuns: Number(process.env["VERDICT_RUNS"] ?? 600), seed });
    expect(accepted).toBeGreaterThan(20);
  });
});

/** Pigeons in one hole less than there are. */
function pigeons(holes: number): number[][] {
  const inside = (pigeon: number, hole: number) => pigeon * holes + hole + 1;
  const all = Array.from({ length: holes + 1 }, (_, pigeon) => pigeon);
  const places = Array.from({ length: holes }, (_, hole) => hole);
  return [
    ...all.map((pigeon) => places.map((hole) => inside(pigeon, hole))),
    ...places.flatMap((hole) =>
      all.flatMap((a) => all.filter((b) => b > a).map((b) => [-inside(a, hole), -inside(b, hole)])),
    ),
  ];
}

const solvers = ["cadical195", "cadical153", "glucose4", "lingeling", "maplechrono"];

describe.runIf(has_python)("a proof of a real solver", () => {
  it(
    "is accepted, and refused where a clause is missing without which there is a solution",
    async () => {
      const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
      console.log(`proofs of solvers: seed ${seed}`);
      const sampled = fc.sample(fc.array(clause, { minLength: 12, maxLength: 40 }), {
        seed,
        numRuns: Number(process.env["VERDICT_RUNS"] ?? 300),
      });
      const formulas = [pigeons(4), pigeons(6), ...sampled];
      const counts = { refuted: 0, weakened: 0 };
      for (const [i, by] of (await writtenProofs(formulas, solvers)).entries()) {
        const clauses = formulas[i] ?? [];
        const has_solution = i > 1 && isSatisfiable(clauses, variables);
        for (const [solver, proof] of by) {
          expect(proof === null, solver).toBe(has_solution);
          if (proof === null) continue;
          counts.refuted++;
          expect(check(clauses, proof), `${solver} on ${JSON.stringify(clauses)}`).toMatchObject({
            verdict: "checked",
          });
          if (i < 2) continue;
          for (const left_out of clauses.keys()) {
            const fewer = clauses.filter((_, at) => at !== left_out);
            if (!isSatisfiable(fewer, variables)) continue;
            counts.weakened++;
            expect(check(fewer, proof)).toMatchObject({ verdict: "refused" });
          }
        }
      }
      console.log(`proofs of solvers: ${JSON.stringify(counts)}`);
      expect(counts.refuted).toBeGreaterThan(100);
      expect(counts.weakened).toBeGreaterThan(20);
    },
    real_setup_ms_max,
  );

  it(
    "that was damaged is judged as by the definitions alone, and none is accepted that was cut off before its contradiction",
    async () => {
      const [by] = await writtenProofs([pigeons(4)], ["cadical195", "glucose4"]);
      for (const proof of by?.values() ?? []) {
        if (proof === null) continue;
        const steps = [...readSteps(proof)];
        const end = check(pigeons(4), proof);
        const needed = end.verdict === "checked" ? end.steps : Number.NaN;
        expect(needed).toBeGreaterThan(3);
        for (const [at, { adds, literals }] of steps.entries()) {
          const cut = steps.slice(0, at);
          expect(check(pigeons(4), binary(cut)).verdict === "checked").toBe(isProof(pigeons(4), cut));
          // A literal turned around, and one left out.
          for (const changed of [literals.map((each, i) => (i === 0 ? -each : each)), literals.slice(1)]) {
            const other = steps.map((each, i) => (i === at ? { adds, literals: changed } : each));
            expect(check(pigeons(4), binary(other)).verdict === "checked").toBe(isProof(pigeons(4), other));
          }
        }
        const before = steps.filter(({ adds }) => adds).slice(0, needed - 1);
        expect(check(pigeons(4), binary(before))).toMatchObject({ verdict: "refused", reason: /ends after/ });
      }
    },
    real_setup_ms_max,
  );
});

describe("the checker as a process", () => {
  const engines = new Engines(readConfig({}));
  afterAll(() => engines.close());
  const zipped = (bytes: Uint8Array) => deflateSync(bytes).toString("base64");
  const proof = zipped(binary(stepsOf("1 0\n0")));

  it("accepts and refuses", async () => {
    const deadline = new Deadline(60_000);
    expect(await engines.drat.check({ clauses: square, proof }, deadline)).toMatchObject({ verdict: "checked" });
    const [first, ...others] = square;
    expect(first).toBeDefined();
    expect(await engines.drat.check({ clauses: others, proof }, deadline)).toMatchObject({ verdict: "refused" });
  });

  it.each([
    ["is not a compressed text", square, "AAAA", /can't be decompressed/],
    ["is cut off", square, proof.slice(0, 8), /can't be decompressed/],
    ["grows beyond its limit", square, zipped(new Uint8Array(40 * 1024 * 1024)), /size limit/],
    ["is for clauses with the literal 0", [[0]], proof, /literal 0/],
    ["is for clauses with numbers that no solver has", [[2 ** 40]], proof, /malformed/],
  ])("refuses a proof that %s", async (_what, clauses, given, reason) => {
    const result = await engines.drat.check({ clauses, proof: given }, new Deadline(60_000));
    expect(result).toMatchObject({ verdict: "refused", reason });
  });

  it.each(["process.exit(1)", "process.stdout.write('checked')", "process.kill(process.pid, 'SIGKILL')"])(
    "is not a verdict when it fails: %s",
    async (program) => {
      const directory = mkdtempSync(join(tmpdir(), "verdict-drat-"));
      const drat_host = join(directory, "checker.mjs");
      writeFileSync(drat_host, program);
      const failing = new Engines({ ...readConfig({}), drat_host });
      try {
        const result = await failing.drat.check({ clauses: square, proof }, new Deadline(60_000));
        expect(result).toEqual({ verdict: "open", reason: "its checker failed" });
      } finally {
        failing.close();
        removeDirectory(directory);
      }
    },
  );

  it("says when it did not come to its end, and is not a verdict then", async () => {
    // Each of these clauses has a new literal, whose negation is looked for in all of the others.
    const steps = Array.from({ length: 100_000 }, (_, i) => ({ adds: true, literals: [i + 5, 3] }));
    const slow = zipped(binary(steps));
    const result = await engines.drat.check({ clauses: square, proof: slow }, new Deadline(700));
    expect(result).toEqual({ verdict: "open", reason: "checking it took too long" });
  });
});
