import { describe, expect, it } from "vitest";
import { builds, builds_by_itself, nativeZ3, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { some } from "../support/runs_all.ts";
import { type SmtlibAnswer, solveText } from "../support/smtlib.ts";

const products =
  "(declare-const x Real)(declare-const y Real)(assert (and (<= 0 x) (<= 0 y) (<= (+ (* x x) (* y y)) 50)))(maximize (ite (> x 1) 1 0))(minimize (- (* x y)))";

const root = "(declare-const x Real)(assert (<= (* x x) 2))(maximize x)";
const both_roots = `(set-option :opt.priority box)${root}(minimize x)`;

/** Z3 searches for seconds for the last one. */
const irrational: readonly [name: string, script: string][] = [
  ["a root", root],
  ["two roots by themselves", both_roots],
  ["two products of reals", products],
];

/** Z3's optimiser calls values best that are not, where constraints are nonlinear: 5.4 fewer of them. */
const not_best: Readonly<Record<"native" | "wasm", readonly (readonly [string, string])[]>> = {
  native: [
    [
      "products of whole numbers and reals",
      "(declare-const x Real)(declare-const y Int)(assert (and (<= -4 x 4) (<= -4 y 4) (<= (* -2 (* x y)) -2)))(maximize (+ (* 3 y) (* y x) x))",
    ],
  ],
  wasm: [
    ["a root", root],
    ["named assertions", root.replace("(<= (* x x) 2)", "(! (<= (* x x) 2) :named a)")],
    ["the goals by themselves", both_roots],
  ],
};

describe.each(builds)("values that are not best, on $name Z3", ({ name, z3 }) => {
  it.skipIf(z3 === undefined).each(not_best[name])(
    "are not called so where a better one is found: %s",
    async (_, script) => {
      const bench = openBench(z3 ?? "");
      try {
        const { status, optimal, warnings } = await solveText(bench, `${script}(check-sat)`, { timeout_ms: 120_000 });
        expect({ status, optimal }).toEqual({ status: "sat", optimal: false });
        expect(String(warnings)).toMatch(/The objectives are not optimal: .* found .* remove the objectives/);
      } finally {
        bench.engines.close();
      }
    },
  );
});

describe.each(builds_by_itself)("best values on $name Z3", ({ name, z3 }) => {
  describe.skipIf(z3 === undefined)(name, () => {
    const bench = fixture(() => openBench(z3 ?? ""));
    const ask = (script: string) => solveText(bench, script, { timeout_ms: 120_000 });

    it.each([
      ...(name === "native" ? some(irrational, 2) : []),
      ["whole numbers", "(declare-const x Int)(assert (<= 0 x 9))(assert-soft (> x 20) :weight 3)(maximize (* 2 x))"],
      ["reals", "(declare-const x Real)(assert (<= (* 3 x) 2))(maximize x)"],
      ["bit-vectors", "(declare-const x (_ BitVec 8))(assert (bvult x #x05))(maximize (bvmul x x))"],
      ["a minimum of a product", "(declare-const x Int)(declare-const y Int)(assert (<= 2 x y 9))(minimize (* x y))"],
      ["what is pushed and popped", "(declare-const x Int)(push)(minimize x)(pop)(assert (< x 3))(maximize x)"],
      [
        "each by itself",
        "(set-option :opt.priority box)(declare-const x Int)(assert (<= 0 x 4))(maximize x)(minimize x)",
      ],
    ])("are called best where nothing is better: %s", async (_, script) => {
      const { optimal, warnings } = await ask(`${script}(check-sat)`);
      expect({ optimal, warnings }).toEqual({ optimal: true, warnings: [] });
    });

    it("are those of the model where Z3 gives an epsilon beyond the bound, of whole numbers and reals", async () => {
      const { optimal, objectives, transcript, warnings } = await ask(
        `(declare-const x Real)(declare-const y Int)(assert (and (<= (- 4) x 4) (<= (- 4) y 4)))
(assert (<= (+ (/ x 2) (* 3 y)) 3.5))(assert (<= (+ (/ x 2) y) 4))(maximize (+ x (* 2 y)))(check-sat)(get-objectives)`,
      );
      expect({ optimal, warnings }).toEqual({ optimal: true, warnings: [] });
      expect(objectives).toEqual([{ term: expect.any(String), value: "4.0" }]);
      expect(transcript.at(-1)?.output).toMatch(/^\(objectives\n \(.* 4\.0\)\n\)$/);
    });

    it("are not there without an end", async () => {
      expect(await ask("(declare-const x Int)(maximize x)(check-sat)")).toMatchObject({ optimal: false });
    });

    it("of an earlier check are said to be unchecked", async () => {
      const root = "(declare-const x Real)(push)(assert (<= (* x x) 2))(maximize x)(check-sat)\n(get-objectives)(pop)";
      const { warnings } = await ask(`${root}(maximize 1)(check-sat)(get-objectives)`);
      expect(warnings).toEqual([expect.stringMatching(/^Line 2: .* Only those of the last check are checked/)]);
    });

    it("of a Pareto front that is used up are not a contradiction", async () => {
      const front = "(declare-const x Int)(declare-const y Int)(assert (and (<= 0 x) (<= 0 y) (<= (+ x y) 1)))";
      const { status, reason, transcript } = await ask(
        `(set-option :opt.priority pareto)${front}(maximize x)(maximize y)${"(check-sat)".repeat(3)}`,
      );
      expect({ status, words: transcript.map(({ output }) => output) }).toEqual({
        status: "unknown",
        words: ["sat", "sat", "unknown"],
      });
      expect(reason).toContain("all points of the Pareto front");
    });
  });
});

/** The embedded Z3 says sat to this contradiction: a whole number that lies between 0 and 1. */
const between = `(set-logic QF_AUFNIRA)(declare-fun a () Int)(declare-fun b () Int)(declare-fun c () Int)(declare-fun d () Int)
(declare-fun r () Real)
(assert (= (to_real (* a b)) (+ (to_real (* c d)) r)))
(assert (and (< r 1.0) (> r 0.0)))`;

describe("a model that breaks an assertion", () => {
  it("is not an answer to any check of the script", async () => {
    const bench = openBench("wasm");
    try {
      const { status, transcript, warnings } = await solveText(
        bench,
        `${between}\n(check-sat)\n(reset)(declare-const x Int)(check-sat)`,
      );
      expect([status, ...transcript.map(({ output }) => output)]).toEqual(["sat", "unknown", "sat"]);
      expect(String(warnings)).toContain(
        "Check 1, line 5, is unknown: the model that Z3 found does not satisfy line 4.",
      );
      const alone = await solveText(bench, `${between}\n(check-sat)`);
      expect([alone.status, ...alone.transcript.map(({ output }) => output)]).toEqual(["unknown", "unknown"]);
      const asked = await solveText(bench, `${between}\n(check-sat)(get-value (a))(eval b)(get-assignment)`);
      const [, ...values] = asked.transcript.map(({ output }) => output);
      expect(values).toEqual(Array(3).fill("not asked: the check on line 5 answered unknown"));
      expect(asked.output).toBe("; unknown");
    } finally {
      bench.engines.close();
    }
  });
});

/** A rota of 4 people, 5 days and 2 shifts. The fewest shifts are 3; the embedded Z3's optimiser says that nobody has to work. */
function rota(): string {
  const [people, days, shifts] = [
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
    [0, 1],
  ];
  const works = (person: number, day: number, shift: number) => `w_${person}_${day}_${shift}`;
  const sum = (names: string[]) => `(+ ${names.map((name) => `(ite ${name} 1 0)`).join(" ")})`;
  const of = (person: number) => days.flatMap((day) => shifts.map((shift) => works(person, day, shift)));
  return [
    "(declare-const worst Int)",
    ...people.flatMap(of).map((name) => `(declare-const ${name} Bool)`),
    ...days.flatMap((day) =>
      shifts.map((shift) => `(assert (= 1 ${sum(people.map((person) => works(person, day, shift)))}))`),
    ),
    ...people.flatMap((person) =>
      days.map((day) => `(assert (<= ${sum(shifts.map((shift) => works(person, day, shift)))} 1))`),
    ),
    ...people.flatMap((person) =>
      days.slice(1).map((day) => `(assert (not (and ${works(person, day - 1, 1)} ${works(person, day, 0)})))`),
    ),
    ...people.map((person) => `(assert (>= worst ${sum(of(person))}))`),
    "(minimize worst)",
  ].join("\n");
}

/** Checks that the model of a rota has at most a number of shifts for each person. */
function expectFewShifts({ model }: SmtlibAnswer, most: number): void {
  for (const person of [0, 1, 2, 3]) {
    const works = ([name, value]: [string, string]) => name.startsWith(`w_${person}`) && value === "true";
    expect(Object.entries(model ?? {}).filter(works).length).toBeLessThanOrEqual(most);
  }
}

it.skipIf(nativeZ3() === undefined)("a rota that a newer optimiser solves needs no second solving", async () => {
  const bench = openBench(nativeZ3() ?? "");
  try {
    const answer = await solveText(bench, `${rota()}(check-sat)`);
    expect(answer).toMatchObject({ status: "sat", optimal: true, model: { worst: "3" }, warnings: [] });
    expectFewShifts(answer, 3);
  } finally {
    bench.engines.close();
  }
});

describe("a rota whose model by the optimiser is wrong", () => {
  const bench = fixture(() => openBench("wasm"));
  const ask = (script: string) => solveText(bench, script, { timeout_ms: 30_000 });
  const outputs = ({ transcript }: SmtlibAnswer) => transcript.map(({ output }) => output);

  it("is solved again without the optimiser, and all that is printed is of the model found then", async () => {
    const answer = await ask(`${rota()}\n(check-sat)(get-value (worst))(eval worst)(get-objectives)`);
    const { status, optimal, objectives, model, warnings } = answer;
    expect({ status, optimal, objectives, worst: model?.["worst"], outputs: outputs(answer), warnings }).toEqual({
      status: "sat",
      optimal: true,
      objectives: [{ term: "worst", value: "3" }],
      worst: "3",
      outputs: ["sat", "((worst 3))", "3", "(objectives\n (worst 3)\n)"],
      warnings: [expect.stringMatching(/^The model of Z3's optimiser does not satisfy line \d+, so .* solved again/)],
    });
    expectFewShifts(answer, 3);
  });

  it("has the best model that was found, and another way, where nothing proves it best", async () => {
    const box = "(declare-const y Int)(maximize (- y y))(set-option :opt.priority box)(check-sat)";
    const { status, optimal, objectives, warnings } = await ask(`${rota()}${box}`);
    const values = objectives?.map(({ value }) => value);
    expect({ status, optimal, values }).toEqual({ status: "sat", optimal: false, values: ["3", "0"] });
    expect(String(warnings)).toMatch(
      /best that were found, and not proved best\. .* the language minizinc with solver highs/,
    );
    const named = await ask(`${rota().replace("(minimize worst)", "(minimize (! worst :named w))")}(check-sat)`);
    expect(named).toMatchObject({ status: "sat", optimal: false });
    expect(Number(named.model?.["worst"])).toBeGreaterThanOrEqual(3);
    expect(String(named.warnings)).toContain("The objectives have no part in it");
  });

  it("is unsat where plain solving says so", async () => {
    expect(await ask(`${rota()}(assert (! (< worst 3) :named few))(check-sat)`)).toMatchObject({ status: "unsat" });
  });

  it("shows nothing of that model to commands behind others, or in an earlier check", async () => {
    const later = await ask(`${rota()}(check-sat)(define-fun w () Int worst)\n(get-value (w))`);
    expect(outputs(later)).toEqual(["sat", expect.stringContaining("put this one directly after the check")]);
    const earlier = await ask(`${rota()}(check-sat)(get-value (worst))(get-model)(get-objectives)(reset)(check-sat)`);
    const not_asked = expect.stringMatching(/^not asked: the check on line \d+ answered unknown/);
    expect(outputs(earlier)).toEqual(["unknown", not_asked, not_asked, not_asked, "sat"]);
    expect(String(earlier.warnings)).toContain("Send this check in a separate call");
  });
});

/** The embedded Z3 answers unsat, although 1.05 lies there and is rounded to 1. */
const rounded =
  "(assert (< 1.0 r))(assert (< r 1.0625))(assert (= ((_ to_fp 3 4) RNE r) ((_ to_fp 3 4) RNE 1.0)))(check-sat)";

describe.each(builds)("floats made of other numbers, on $name Z3", ({ name, z3 }) => {
  it.skipIf(z3 === undefined)(
    "are not a ground for unsat where solutions get lost, but those of constants, floats and bit-vectors are",
    async () => {
      const bench = openBench(z3 ?? "");
      const word = async (script: string) => (await solveText(bench, script)).status;
      const expected = name === "wasm" ? "unknown" : "sat";
      try {
        const answer = await solveText(bench, `(declare-const r Real)\n${rounded}`);
        expect(answer).toMatchObject({ status: expected, transcript: [{ output: expected }] });
        if (name === "wasm") {
          expect(answer.reason).toMatch(
            /known to lose solutions if a Real or Int that is not a constant is converted to a float .*line 2/,
          );
          const proof = `(set-option :produce-proofs true)(declare-const r Real)\n${rounded}(get-proof)`;
          const { transcript } = await solveText(bench, proof);
          expect(transcript[1]).toMatchObject({ output: "not asked: the check on line 2 answered unknown" });
        }
        const function_of =
          "(define-fun f ((r Real)) (_ FloatingPoint 3 4) ((_ to_fp 3 4) RNE r))(declare-const q Real)";
        expect(await word(`${function_of}(assert (and (< 1.0 q 1.0625) (= (f q) (f 1.0))))(check-sat)`)).toBe(expected);
        expect(await word(`(declare-const r Real)(assert (< 2.0 r 1.0))${"(check-sat)"}`)).toBe("unsat");
        const floats = "(declare-const n Int)(declare-const x Float32)(declare-const v (_ BitVec 8))";
        const narrow =
          "(fp.lt ((_ to_fp 5 11) RNE x) ((_ to_fp 5 11) RNE 0.1))(fp.gt ((_ to_fp 5 11) RNE x) ((_ to_fp 5 11) RNE v))";
        expect(
          await word(
            `${floats}(assert (and (= n 1) (bvsgt v #x01) ${narrow} (fp.gt x ((_ to_fp 8 24) RNE (/ 1 2)))))(check-sat)`,
          ),
        ).toBe("unsat");
      } finally {
        bench.engines.close();
      }
    },
  );
});
