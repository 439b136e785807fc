/** Conditions that a run with given invariants states as formulas, compared with CPython on random lists and texts. */
import { concrete, randomValue } from "../../src/prover/inputs.ts";
import { evaluator } from "../../src/prover/logic/evaluate.ts";
import { STR } from "../../src/prover/logic/values.ts";
import { readProgram } from "../../src/prover/python/program.ts";
import { model, runInPython, valuesFor } from "./prover.ts";

/** Random numbers below a bound. */
export function below(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * bound);
  };
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

const text_conditions = [
  "t in s",
  "t not in s[1:]",
  "s[:1] in t",
  "all(c in t for c in s)",
  "any(w in s for w in ws)",
  "all(c in 'aß\\0' or c not in t for c in s)",
  "'a' in s[::-1] and 'ab' in s",
  "t in 'abU0001F600'",
  "s in ws",
  "all(w == s[:len(w)] for w in ws)",
  "any(v != w and v[:n] == w[:n] for v in ws for w in ws)",
  "s.count(t) == n",
  "s.count('a') < s.count(s[:1])",
  "all(s.count(c) <= t.count(c) for c in s)",
  "sum(s.count(w) for w in ws) > n",
  "s[::-1].count(t) != s.count(t)",
  "s.find(t) == n",
  "s.find('a') < s[1:].find('b')",
  "s[::-1].find(t[:1]) > n",
  "s.index(t) <= n",
  "sorted(s) == sorted(t)",
  "sorted(s[1:]) == sorted(t[::-1])",
  "all('\\0' <= c <= 'U0010FFFF' for c in s)",
  "all(ord(c) + n <= 0x10FFFF for c in s)",
  "all(len(w) >= 0 and w.startswith(s) for w in ws)",
  "sum(1 for c in s if c in 'ab') == n",
  "all(s[k] < t[k] for k in range(min(len(s), len(t))))",
  "any(s[k:] == t for k in range(len(s)))",
  "any(c == t for c in s)",
  "len(s) and all(s[k] == s[-1 - k] for k in range(len(s)))",
];
/** The first of the alphabet, what Python's own methods treat specially, a surrogate, and what is beyond 16 bits. */
const characters = [..."\0ß\u0130\ud800\udfff\uffff\u{1f600}\u{2ffff}\u{10ffff}"].map((each) =>
  BigInt(each.codePointAt(0) ?? 0),
);

const numbers = { kind: "list", item: { kind: "int" }, view: "whole" } as const;
const formulas = [
  {
    of: conditions,
    types: [numbers, numbers, { kind: "int" }],
    declared: "xs: list[int], ys: list[int], n: int",
    telling: [],
  },
  {
    of: text_conditions,
    types: [STR, STR, { kind: "list", item: STR, view: "whole" }, { kind: "int" }],
    declared: "s: str, t: str, ws: list[str], n: int",
    telling: characters,
  },
] as const;
/** Evaluates each condition on this many inputs, and compares what CPython computes. Fails where they differ. */
export async function formulasAgree(count: number, seed: number): Promise<{ calls: number; compared: number }> {
  const sum = { calls: 0, compared: 0 };
  for (const { of, types, declared, telling } of formulas) {
    const random = below(seed);
    const inputs = Array.from({ length: count }, () => types.map((type) => randomValue(type, random, telling)));
    const codes = of.map((condition) => `def f(${declared}) -> bool:\n    return bool(${condition})\n`);
    const calls = inputs.map((args) => ({ function: "f", args }));
    const runs = await runInPython(codes.map((code) => ({ code, calls })));
    for (const [i, { syntax, outcomes }] of runs.entries()) {
      const modelled = model(readProgram(syntax), "f", undefined, { isOwed: () => true });
      const { summary, t } = modelled;
      if (summary.loops.length > 0) throw new Error(`a loop in ${codes[i]}`);
      for (const [k, args] of inputs.entries()) {
        sum.calls++;
        const read = evaluator(valuesFor(modelled, args));
        const call = `${codes[i]}${JSON.stringify(args)}`;
        if (summary.facts.some((fact) => read(fact) !== true)) throw new Error(`a fact is false: ${call}`);
        // A formula need not know which item is the first to raise: then nothing is said of the value.
        if (summary.obligations.some(({ when }) => read(when) === true)) continue;
        const [value] = summary.returns;
        const plain = value?.value[0]?.plain;
        const told = JSON.stringify(plain && { kind: "value", value: concrete(t, plain, read) });
        if (told !== outcomes[k]) throw new Error(`${told} is ${outcomes[k]} in CPython: ${call}`);
        sum.compared++;
      }
    }
  }
  return sum;
}
