import { expect, it } from "vitest";
import { type PythonValue, randomValue } from "../../src/prover/inputs.ts";
import { fixture } from "../support/fixture.ts";
import { below } from "../support/formulas_over_ranges.ts";
import { meets, runInPython, shareProver } from "../support/prover.ts";

const programs = Number(process.env["PROGRAMS"] ?? 300);
const seed = Number(process.env["SEED"] ?? 1);
const prove_ms = 2_000;

const preconditions = [
  "n >= 0",
  "0 <= n <= len(xs)",
  "len(xs) > 0",
  "all(x > 0 for x in xs)",
  "n in xs",
  "sum(xs) >= 0",
];
const loops = ["for i in range(len(xs)):", "for i in range(n):", "for i, x in enumerate(xs):", "while i < len(xs):"];
const bodies = [
  "c += 1",
  "c += xs[i]",
  "c = max(c, xs[i])",
  "c += xs[i] if xs[i] > 0 else 0",
  "if xs[i] == n:\n            c += 1",
  "if xs[i] > n:\n            return c",
  "if xs[i] == n:\n            break",
  "out.append(xs[i])",
  "pass",
  "if xs[i] not in out:\n            out.append(xs[i])",
];
/** What can hold of a part of the list: of `xs[:i]` in an iteration, and of `xs` behind the loop. */
const claims = [
  "c >= 0",
  "c <= len(PART)",
  "c == len(PART)",
  "c == sum(PART)",
  "c == PART.count(n)",
  "c == sum(x for x in PART if x > 0)",
  "c == sum(1 if ok else 0 for x in PART)",
  "all(x <= c for x in PART)",
  "any(x == c for x in PART) or c == 0",
  "all(x in out for x in PART)",
  "all(x in xs for x in out)",
  "all(out[k] == PART[k] for k in range(len(out)))",
  "len(out) <= len(PART)",
  "sorted(out) == sorted(PART)",
  "n not in PART",
  "ok or n > 0",
];

/** A program with random asserts: its precondition, and the lines behind that. */
function program(random: (end: number) => number): { readonly precondition: string; readonly lines: string[] } {
  const from = (all: readonly string[]) => all[random(all.length)] ?? "";
  const some = (part: string, depth: string) =>
    Array.from({ length: 1 + random(2) }, () => `${depth}assert ${from(claims).replaceAll("PART", part)}`);
  const loop = from(loops);
  const step = loop.startsWith("while") ? ["        i += 1"] : [];
  const work = Array.from({ length: 1 + random(2) }, () => `        ${from(bodies)}`);
  const lines = [
    "    c = 0",
    "    i = 0",
    "    out: list[int] = []",
    "    ok = all(x > 0 for x in xs)",
    `    ${loop}`,
    ...some("xs[:i]", "        "),
    ...work,
    ...step,
    ...some("xs", "    "),
    "    return c",
  ];
  return { precondition: from(preconditions), lines };
}

const bench = fixture(shareProver);

it("proves no program with random asserts in loops of which one fails in CPython", async () => {
  const random = below(seed);
  const list = { kind: "list", item: { kind: "int" }, view: "whole" } as const;
  const inputs = Array.from({ length: 150 }, (): PythonValue[] => [
    randomValue(list, random),
    randomValue({ kind: "int" }, random),
  ]);
  const head = "def f(xs: list[int], n: int) -> int:";
  const proven: { readonly code: string; readonly run: string }[] = [];
  for (let i = 0; i < programs; i++) {
    const { precondition, lines } = program(random);
    const code = [head, `    assert ${precondition}`, ...lines, ""].join("\n");
    // Inputs on which the precondition fails say nothing.
    const run = [head, `    if not (${precondition}):`, "        return 0", ...lines, ""].join("\n");
    if ((await bench.prove(code, meets, prove_ms)).kind === "proven") proven.push({ code, run });
  }
  console.log(`${proven.length} of ${programs} programs are proven`);
  expect(proven.length).toBeGreaterThan(programs / 100);
  const runs = await runInPython(
    proven.map(({ run }) => ({ code: run, calls: inputs.map((args) => ({ function: "f", args })) })),
  );
  const wrong = runs.flatMap(({ outcomes }, i) =>
    outcomes.flatMap((outcome, k) =>
      outcome.startsWith('{"kind":"value"') ? [] : [`${proven[i]?.code} ${JSON.stringify(inputs[k])} ${outcome}`],
    ),
  );
  expect(wrong.slice(0, 3)).toEqual([]);
});
