import fc from "fast-check";
import { expect } from "vitest";
import type { Job } from "../../src/kernel/child.ts";
import type { Engines } from "../../src/solvers/index.ts";
import { Canaries } from "../../src/tools/symbolic/prover/canaries.ts";
import { type Goal, Prover } from "../../src/tools/symbolic/prover/index.ts";
import type { PythonValue } from "../../src/tools/symbolic/prover/inputs.ts";
import { readProgram } from "../../src/tools/symbolic/prover/program.ts";
import { Queries } from "../../src/tools/symbolic/prover/queries.ts";
import { Unsupported } from "../../src/tools/symbolic/prover/refusal.ts";
import type { Term } from "../../src/tools/symbolic/prover/terms.ts";
import { programs, type RandomProgram } from "./programs.ts";
import { type Modelled, model, outcomeOf, pinned, type Run, runInPython } from "./prover.ts";

/** Loops of random programs go on for fewer iterations than this on almost all inputs. */
const unrolled = 8;

export interface Agreement {
  /** Calls that end in the prover's semantics as they do in CPython, and how many of them by an exception. */
  agreed: number;
  raised: number;
  /** Calls of which the prover's terms say nothing: floats out of functions that it does not model, loops past a bound. */
  open: number;
  /** Programs that are outside of the fragment. */
  refused: number;
}

/** Runs random programs in CPython and on terms, with loops as transitions and unrolled, and compares every end. */
export async function agreement(count: number, seed: number): Promise<Agreement> {
  const all = fc.sample(programs, { numRuns: count, seed });
  const runs = await inPython(all);
  const sum = { agreed: 0, raised: 0, open: 0, refused: 0 };
  for (const [i, run] of runs.entries()) {
    const program = all[i];
    if (!program) continue;
    for (const bound of [undefined, unrolled]) {
      const modelled = modelOrNothing(run, bound);
      if (!modelled) sum.refused++;
      else await compare(sum, modelled, program, run);
    }
  }
  return sum;
}

function inPython(all: readonly RandomProgram[]): Promise<Run[]> {
  return runInPython(all.map(({ code, inputs }) => ({ code, calls: inputs.map((args) => ({ function: "f", args })) })));
}

function modelOrNothing(run: Run, bound: number | undefined): Modelled | undefined {
  try {
    return model(readProgram(run.syntax), "f", bound);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

async function compare(sum: Agreement, modelled: Modelled, { code, inputs }: RandomProgram, run: Run): Promise<void> {
  for (const [k, expected] of run.outcomes.entries()) {
    const args = inputs[k] ?? [];
    const own = await outcomeOf(modelled, args);
    if (!own.startsWith("{")) {
      if (own !== "a loop did not end" && !own.startsWith("no value"))
        throw new Error(`${own}\n${describe(code, args)}`);
      sum.open++;
      continue;
    }
    expect(unplaced(own), describe(code, args)).toBe(unplaced(expected));
    sum.agreed++;
    if (expected.includes('"exception"')) sum.raised++;
  }
}

/** CPython tells the line before for some variables that are not bound, so that line is not compared. */
function unplaced(outcome: string): string {
  return outcome.includes("UnboundLocalError") || outcome.includes("NameError")
    ? outcome.replace(/,"line":\d+/, "")
    : outcome;
}

function describe(code: string, args: readonly PythonValue[]): string {
  return `${code}\n${JSON.stringify(args)}`;
}

/**
 * The same on Z3: with the inputs pinned, no other end than CPython's is possible. Gives how many calls
 * were decided so.
 */
export async function agreementOfZ3(engines: Engines, count: number, seed: number, job: Job): Promise<number> {
  const all = fc.sample(programs, { numRuns: count, seed });
  const runs = await inPython(all);
  const queries = new Queries(engines.z3, job, new Canaries());
  let decided = 0;
  try {
    for (const [i, run] of runs.entries()) {
      const modelled = modelOrNothing(run, unrolled);
      const program = all[i];
      if (!modelled || !program) continue;
      const k = i % program.inputs.length;
      const [args, expected] = [program.inputs[k] ?? [], run.outcomes[k]];
      if (expected === undefined || (await outcomeOf(modelled, args)) !== expected) continue;
      const { known, ends }: { known: Term[]; ends: Term } = pinned(modelled, args, expected);
      const answer = await queries.check([...known, modelled.t.not(ends)]);
      expect(answer, describe(program.code, args)).not.toBe("sat");
      expect(await queries.check([...known, ends]), describe(program.code, args)).not.toBe("unsat");
      if (answer === "unsat") decided++;
    }
  } finally {
    queries.close();
  }
  return decided;
}

const claims_ms_max = 1_000;
const exceptions = ["ZeroDivisionError", "IndexError", "KeyError", "ValueError", "NameError", "AssertionError"];

/** What the prover said of random programs that CPython was asked about too. */
export interface Claims {
  proven: number;
  open: number;
}

/**
 * Claims about random programs, each held against calls in CPython: that an exception is never raised,
 * and that a function is equal to itself with one small change.
 */
export async function soundClaims(engines: Engines, count: number, seed: number): Promise<Claims> {
  const all = fc.sample(programs, { numRuns: count, seed });
  const inputs = all.flatMap((each) => each.inputs);
  const texts = fc
    .sample(fc.nat({ max: 2 ** 30 }), { numRuns: count, seed })
    .map((draw, i) => changed(all[i]?.code ?? "", draw));
  const runs = await runInPython(
    texts.map((code, i) => {
      const some = [...(all[i]?.inputs ?? []), ...inputs.slice(i, i + 40)];
      return { code, calls: some.flatMap((args) => ["f", "g"].map((name) => ({ function: name, args }))) };
    }),
  );
  const prover = new Prover(engines.z3);
  const sum = { proven: 0, open: 0 };
  for (const [i, { syntax, outcomes }] of runs.entries()) {
    const goals: Goal[] = [
      { kind: "equivalent", function_a: "f", function_b: "g" },
      ...exceptions.map((each): Goal => ({ kind: "never_raises", function: "f", exceptions: [each] })),
    ];
    for (const goal of goals) {
      const job = { left_ms: claims_ms_max, signal: new AbortController().signal };
      const { kind } = await prover.prove(syntax, goal, job);
      if (kind === "proven") sum.proven++;
      else sum.open++;
      const against = goal.kind === "equivalent" ? differing(outcomes) : raising(outcomes, goal);
      if (kind === "proven") expect(against, `${JSON.stringify(goal)}\n${texts[i]}`).toBeUndefined();
    }
  }
  return sum;
}

function differing(outcomes: readonly string[]): string | undefined {
  const bare = outcomes.map((each) => each.replace(/,"line":\d+/, ""));
  const at = bare.findIndex((each, k) => k % 2 === 0 && each !== bare[k + 1]);
  return at < 0 ? undefined : `${bare[at]} and ${bare[at + 1]}`;
}

function raising(outcomes: readonly string[], goal: Goal): string | undefined {
  if (goal.kind !== "never_raises" || goal.exceptions === "any") return undefined;
  const names = goal.exceptions.flatMap((each) => (each === "NameError" ? [each, "UnboundLocalError"] : [each]));
  return outcomes.find((each, k) => k % 2 === 0 && names.some((name) => each.includes(`"${name}"`)));
}

/** Small changes of a line, of which many make a difference and some don't. */
const changes: readonly (readonly [RegExp, string])[] = [
  [/ < /, " <= "],
  [/ \+ /, " - "],
  [/ == /, " != "],
  [/\b1\b/, "2"],
  [/\b0\b/, "1"],
  [/ and /, " or "],
  [/break/, "continue"],
  [/\bu\b/, "v"],
  [/ \/\/ /, " % "],
  [/range\(a\)/, "range(a + 1)"],
  [/xs\[1:\]/, "xs"],
  [/ValueError/, "KeyError"],
  [/max\(/, "min("],
  [/reversed\(xs\)/, "xs"],
  [/any\(/, "all("],
  [/-3/, "3"],
  [/startswith/, "endswith"],
  [/\.find\(/, ".index("],
  [/sorted\(xs\)/, "xs"],
  [/s\[::-1\]/, "s"],
  [/xs\[a:\]/, "xs[b:]"],
];

/** The text with a second function: the first one with one change, where the draw finds a place for it. */
function changed(code: string, draw: number): string {
  const body = code.slice(code.indexOf("def f(")).replace("def f(", "def g(");
  const lines = body.split("\n");
  const places = lines.flatMap((line, i) =>
    i < 6 ? [] : changes.filter(([pattern]) => pattern.test(line)).map(([pattern, by]) => ({ i, pattern, by })),
  );
  const place = places[draw % Math.max(1, places.length)];
  if (place) lines[place.i] = (lines[place.i] ?? "").replace(place.pattern, place.by);
  return `${code}\n${lines.join("\n")}`;
}
