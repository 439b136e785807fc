import { describe, expect, it } from "vitest";
import type { OpenObligation, Verdict } from "../../src/prover/index.ts";
import { type PythonValue, randomValue } from "../../src/prover/inputs.ts";
import { type Concrete, evaluator } from "../../src/prover/logic/evaluate.ts";
import { sumFacts } from "../../src/prover/logic/folds.ts";
import { arrayOf, INT, inOrder, type Term } from "../../src/prover/logic/term.ts";
import { Terms } from "../../src/prover/logic/terms.ts";
import { partsOf, STR } from "../../src/prover/logic/values.ts";
import { readProgram } from "../../src/prover/python/program.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { below, formulasAgree } from "../support/formulas_over_ranges.ts";
import { has_python } from "../support/models.ts";
import { blocksOf } from "../support/proofs.mjs";
import { meets, model, runInPython, shareProver, valuesFor } from "../support/prover.ts";
import { everyNth } from "../support/runs_all.ts";

const prove_ms_max = 15_000;
const show_ms_max = 6_000;

describe.skipIf(!has_python)("the prover with invariants given as asserts", () => {
  const bench = fixture(shareProver);
  const prove = (code: string, left_ms: number) => bench.prove(code, meets, left_ms);

  const known = [...blocksOf("invariants"), ...blocksOf("mappings"), ...blocksOf("texts")].filter(
    ({ note }) => note !== "open",
  );
  it.each(everyNth(known, 3))("proves $title", async ({ code }) => {
    const verdict = await withEnoughTime(
      (ms) => prove(code, ms),
      ({ kind }) => kind === "proven",
      prove_ms_max,
    );
    expect(verdict).toMatchObject({ kind: "proven" });
  });

  const wrong = [...blocksOf("invariants", "!"), ...blocksOf("mappings_wrong"), ...blocksOf("texts", "!")];
  it.each(everyNth(wrong, 3))("finds an input or a state for $title", async ({ title, code }) => {
    const verdict = await withEnoughTime((ms) => prove(code, ms), isShown, show_ms_max);
    expect(isShown(verdict), title).toBe(true);
    await checkStates(code, openIn(verdict));
  });

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

describe.skipIf(!has_python)("formulas over ranges", () => {
  it("mean what CPython computes, on random lists and texts", async () => {
    const sum = await formulasAgree(60, 7);
    expect(sum.compared).toBeGreaterThan(sum.calls / 2);
  });

  it.each(["", "-", "ab"])("say of %j.join() what is true, on random lists of texts", async (separator) => {
    const code = `def f(ws: list[str]) -> str:\n    return ${JSON.stringify(separator)}.join(ws)\n`;
    const [run] = await runInPython([{ code, calls: [] }]);
    if (!run) throw new Error("Python read nothing");
    const modelled = model(readProgram(run.syntax, { congruent: true, mappings: true }), "f", undefined, {
      isOwed: () => true,
    });
    const { summary } = modelled;
    const [length, codes] = summary.returns.flatMap(({ value }) => value.flatMap(({ plain }) => partsOf(plain)));
    const between = [...separator].map((each) => BigInt(each.codePointAt(0) ?? 0));
    const random = below(13);
    if (!length || !codes) throw new Error("a text has a length and code points");
    expect(summary.facts.filter((fact) => inOrder([fact]).includes(length)).length).toBeGreaterThan(1);
    for (let round = 0; round < 300; round++) {
      const texts = randomValue({ kind: "list", item: STR, view: "whole" }, random);
      // Sometimes all are characters.
      const each = round % 2 === 0 ? texts : charactersOf(texts);
      const joined = codesIn(each).flatMap((own, i) => (i > 0 ? [...between, ...own] : own));
      const values = new Map<Term, Concrete>(valuesFor(modelled, [each]));
      values.set(length, BigInt(joined.length));
      values.set(codes, { items: new Map(joined.map((own, i): [bigint, bigint] => [BigInt(i), own])), rest: 7n });
      const read = evaluator(values);
      expect(summary.facts.filter((fact) => read(fact) !== true)).toEqual([]);
    }
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
    // A sum with a bound variable, and the same sum with a number in its place.
    const inner = t.bound("k1");
    const equal = (a: Term, b: Term) => t.ite(t.eq(t.select(array, a), t.select(array, b)), t.one, t.zero);
    const counts = t.forAll(place, l, h, t.lt(t.sum(inner, l, h, equal(place, inner)), v));
    const own = sumFacts(t, [counts, t.lt(t.sum(place, l, h, equal(i, place)), v)]);
    expect(own.filter(({ op }) => op === "forall")).toHaveLength(1);
    facts.push(...own);
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

function codesIn(texts: PythonValue): bigint[][] {
  const items = texts.type === "list" ? texts.items : [];
  return items.map((each) => (each.type === "str" ? each.codes.map(BigInt) : []));
}

function charactersOf(texts: PythonValue): PythonValue {
  const codes = codesIn(texts).flat();
  return { type: "list", items: codes.map((code) => ({ type: "str", codes: [Number(code)] })) };
}
