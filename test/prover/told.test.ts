import { describe, expect, it } from "vitest";
import type { OpenObligation, Verdict } from "../../src/prover/index.ts";
import { concrete, type PythonValue, randomValue } from "../../src/prover/inputs.ts";
import { evaluator } from "../../src/prover/logic/evaluate.ts";
import { sumFacts } from "../../src/prover/logic/folds.ts";
import { arrayOf, INT, type Term } from "../../src/prover/logic/term.ts";
import { Terms } from "../../src/prover/logic/terms.ts";
import { readProgram } from "../../src/prover/python/program.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { blocksOf } from "../support/proofs.mjs";
import { meets, model, openProver, runInPython, valuesFor } from "../support/prover.ts";

const prove_ms_max = 15_000;
const show_ms_max = 6_000;

function below(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * bound);
  };
}

describe.skipIf(!has_python)("the prover, told what holds by asserts", () => {
  const bench = fixture(openProver);
  const prove = (code: string, left_ms: number) => bench.prove(code, meets, left_ms);

  const known = [...blocksOf("invariants"), ...blocksOf("mappings")];
  it.each(known.filter(({ note }) => note !== "open"))("proves $title", async ({ code }) => {
    const verdict = await withEnoughTime(
      (ms) => prove(code, ms),
      ({ kind }) => kind === "proven",
      prove_ms_max,
    );
    expect(verdict).toMatchObject({ kind: "proven" });
  });

  it.each([...blocksOf("invariants", "!"), ...blocksOf("mappings_wrong")])(
    "finds an input or a state for $title",
    async ({ title, code }) => {
      const verdict = await withEnoughTime((ms) => prove(code, ms), isShown, show_ms_max);
      expect(isShown(verdict), title).toBe(true);
      await checkStates(code, openIn(verdict));
    },
  );

  it.each(blocksOf("invariants", "?"))("says what $title lacks", async ({ code, note }) => {
    const verdict = await withEnoughTime((ms) => prove(code, ms), isShown, show_ms_max);
    const open = openIn(verdict).map(({ kind, line, source }) => `${kind} ${line}: ${source}`);
    expect(open.join("; ")).toBe(note);
    await checkStates(code, openIn(verdict));
  });

  it("names what a loop changes and no invariant mentions", async () => {
    const [block] = blocksOf("invariants", "?").filter(({ title }) => title.startsWith("a sum beside"));
    expect(await prove(block?.code ?? "", prove_ms_max)).toMatchObject({
      obligations: { unmentioned: [{ line: 4, names: ["n"] }] },
    });
  });
});

function openIn(verdict: Verdict): readonly OpenObligation[] {
  return verdict.kind === "undecided" && "obligations" in verdict ? (verdict.obligations?.open ?? []) : [];
}

function isShown(verdict: Verdict): boolean {
  return (
    (verdict.kind === "undecided" && verdict.cause === "unconfirmed") || openIn(verdict).some(({ state }) => state)
  );
}

/** CPython finds the asserts at the head of the loop true in the state before, and the one that is not kept false after it. */
async function checkStates(code: string, open: readonly OpenObligation[]): Promise<void> {
  for (const { kind, line, source, state } of open) {
    if (!state || kind !== "kept" || source.endsWith("…")) continue;
    const lines = code.split("\n");
    const isAssert = (at: number) => /^ *assert /.test(lines[at - 1] ?? "");
    let first = line;
    while (isAssert(first - 1)) first--;
    const heads = [];
    for (let at = first; isAssert(at); at++) heads.push(lines[at - 1]?.trim().slice("assert ".length));
    const expression = (conditions: readonly unknown[], names: readonly string[]) =>
      `def f(${names.join(", ")}):\n    return ${conditions.map((each) => `bool(${each})`).join(" and ")}\n`;
    const requests = (
      [
        [heads, state.before],
        [[source], state.after],
      ] as const
    ).map(([conditions, values]) => ({
      code: expression(conditions, Object.keys(values)),
      calls: [{ function: "f", args: Object.values(values) }],
    }));
    const [before, after] = await runInPython(requests);
    const truth = (value: boolean) => [JSON.stringify({ kind: "value", value: { type: "bool", value } })];
    expect({ line, state, heads, is: before?.outcomes }).toMatchObject({ is: truth(true) });
    expect({ line, state, source, is: after?.outcomes }).toMatchObject({ is: truth(false) });
  }
}

const conditions = [
  "all(xs[i] <= xs[j] for i in range(len(xs)) for j in range(i, len(xs)))",
  "all(x < n for x in xs)",
  "any(x == n for x in xs[1:])",
  "any(x == y for x in xs for y in ys if x > 0)",
  "all(x > 0 and x < 9 for x in xs if x != n)",
  "all(xs[k] == ys[k] for k in range(min(len(xs), len(ys))))",
  "all(xs[k] <= xs[k + 1] for k in range(len(xs) - 1))",
  "all(k <= x for k, x in enumerate(xs))",
  "any(x == y for x, y in zip(xs, ys))",
  "all(any(x == y for y in ys) for x in xs)",
  "all(x in ys for x in xs)",
  "n in xs[:2]",
  "n not in xs",
  "sum(xs) == n",
  "sum(xs[:n]) > sum(xs[n:])",
  "sum(x * x for x in xs if x % 2 == 0) < 20",
  "sum(xs, n) < 5",
  "xs.count(n) == ys.count(n)",
  "all(xs[-1] >= x for x in xs)",
  "all(xs[k] < n for k in range(n))",
  "any(xs[k] == n for k in range(1, n, 2))",
  "all(x for x in xs)",
  "any(k * k == n for k in range(n + 1))",
];

describe.skipIf(!has_python)("formulas over ranges", () => {
  it("mean what CPython computes, on random lists", async () => {
    const random = below(7);
    const lists = { kind: "list", item: { kind: "int" } } as const;
    const inputs = Array.from({ length: 60 }, (): PythonValue[] => [
      randomValue({ ...lists, view: "whole" }, random),
      randomValue({ ...lists, view: "whole" }, random),
      randomValue({ kind: "int" }, random),
    ]);
    const requests = conditions.map((condition) => ({
      code: `def f(xs: list[int], ys: list[int], n: int) -> bool:\n    return ${condition}\n`,
      calls: inputs.map((args) => ({ function: "f", args })),
    }));
    let compared = 0;
    const runs = await runInPython(requests);
    for (const [i, { syntax, outcomes }] of runs.entries()) {
      const modelled = model(readProgram(syntax), "f", undefined, { isOwed: () => true });
      const { summary, t } = modelled;
      expect(summary.loops).toEqual([]);
      for (const [k, args] of inputs.entries()) {
        const read = evaluator(valuesFor(modelled, args));
        // A formula need not know which item is the first to raise: then nothing is said of the value.
        if (summary.obligations.some(({ when }) => read(when) === true)) continue;
        const [value] = summary.returns;
        const plain = value?.value[0]?.plain;
        const told = plain && { kind: "value", value: concrete(t, plain, read) };
        expect(`${conditions[i]} ${JSON.stringify(args)} ${JSON.stringify(told)}`).toBe(
          `${conditions[i]} ${JSON.stringify(args)} ${outcomes[k]}`,
        );
        compared++;
      }
    }
    expect(compared).toBeGreaterThan((conditions.length * inputs.length) / 2);
  });

  it("have sums that obey their equations, on random lists and ranges", () => {
    const t = new Terms();
    const random = below(11);
    const place = t.bound("k0");
    const [array, other] = ["a", "b"].map((name) => t.symbol(name, arrayOf(INT)));
    const numbers = ["i", "j", "l", "h", "v"].map((name) => t.symbol(name, INT));
    const [i, j, l, h, v] = numbers;
    if (!array || !other || !i || !j || !l || !h || !v) throw new Error("symbols are there");
    const swapped = t.store(t.store(array, i, t.select(array, j)), j, t.select(array, i));
    const either = t.ite(t.lt(i, j), t.store(array, i, v), other);
    const of = (list: Term) => t.select(list, place);
    const bodies = [
      of(array),
      of(swapped),
      of(either),
      t.ite(t.eq(of(swapped), v), t.one, t.zero),
      t.mul(of(t.store(array, i, v)), of(other)),
      t.add(of(t.store(array, i, v)), t.select(t.store(array, i, v), h)),
      // A condition whose own variable has the same name.
      t.ite(t.forAll(place, l, h, t.lt(t.zero, of(other))), of(array), t.zero),
    ];
    const ranges = [
      [l, h],
      [l, t.add(h, t.one)],
      [t.add(l, t.one), h],
      [l, t.add(l, t.one)],
      [i, j],
    ];
    const sums = bodies.flatMap((body) => ranges.map(([from = l, to = h]) => t.sum(place, from, to, body)));
    const facts = [
      ...new Set([sums, ...bodies.map((_, at) => sums.slice(5 * at, 5 * at + 5))].flatMap((some) => sumFacts(t, some))),
    ];
    expect(facts.length).toBeGreaterThan(50);
    for (let round = 0; round < 300; round++) {
      const values = new Map<Term, bigint | { items: Map<bigint, bigint>; rest: bigint }>();
      for (const number of numbers) values.set(number, BigInt(random(9) - 2));
      for (const list of [array, other])
        values.set(list, {
          items: new Map(
            Array.from({ length: 10 }, (_, at): [bigint, bigint] => [BigInt(at - 2), BigInt(random(7) - 3)]),
          ),
          rest: BigInt(random(3)),
        });
      const read = evaluator(values);
      for (const fact of facts) expect(read(fact)).toBe(true);
    }
  });
});
