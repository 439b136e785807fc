import fc from "fast-check";
import { expect } from "vitest";
import type { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { unless } from "../../src/kernel/unless.ts";
import { Canaries } from "../../src/prover/ask/canaries.ts";
import { Queries } from "../../src/prover/ask/queries.ts";
import { Prover } from "../../src/prover/index.ts";
import type { PythonValue } from "../../src/prover/inputs.ts";
import type { Term } from "../../src/prover/logic/term.ts";
import { readProgram } from "../../src/prover/python/program.ts";
import { Unsupported } from "../../src/prover/python/refusal.ts";
import { claimsOf, contractClaimsOf, type HeldClaim } from "./claims.ts";
import { type Contracted, contracted } from "./contracted.ts";
import { type ProgramPair, pairs } from "./programs.ts";
import { type Modelled, model, outcomeOf, pinned, type Run, runInPython } from "./prover.ts";

/** Loops of random programs go on for fewer iterations than this on almost all inputs. */
const unrolled = 8;
const sides = ["f", "g"] as const;

export interface Agreement {
  /** Calls that end in the prover's semantics as they do in CPython, and how many of them by an exception. */
  agreed: number;
  raised: number;
  /** Calls of which the prover's terms say nothing: floats out of functions that it does not model, loops past a bound. */
  open: number;
  /** Functions that are outside of the fragment. */
  refused: number;
}

/** Runs random functions in CPython and on terms, with loops as transitions and unrolled, and compares every end. */
export async function agreement(count: number, seed: number, programs = pairs): Promise<Agreement> {
  const all = fc.sample(programs, { numRuns: count, seed });
  const runs = await inPython(all);
  const sum = { agreed: 0, raised: 0, open: 0, refused: 0 };
  for (const [i, run] of runs.entries()) {
    const pair = all[i];
    if (!pair) continue;
    for (const [side, name] of sides.entries()) {
      const expected = run.outcomes.filter((_, k) => k % 2 === side);
      for (const bound of [undefined, unrolled]) {
        const modelled = modelOrNothing(run, name, bound);
        if (!modelled) sum.refused++;
        else await compare(sum, modelled, pair, expected);
      }
    }
  }
  return sum;
}

/** Each input goes to `f` and to `g`. */
function inPython(all: readonly ProgramPair[]): Promise<Run[]> {
  return runInPython(
    all.map(({ code, inputs }) => ({
      code,
      watched: true,
      calls: inputs.flatMap((args) => sides.map((name) => ({ function: name, args }))),
    })),
  );
}

function modelOrNothing(run: Run, name: string, bound: number | undefined): Modelled | undefined {
  return unless(Unsupported, () => model(readProgram(run.syntax), name, bound));
}

async function compare(
  sum: Agreement,
  modelled: Modelled,
  { code, inputs }: ProgramPair,
  outcomes: readonly string[],
): Promise<void> {
  for (const [k, expected] of outcomes.entries()) {
    const args = inputs[k] ?? [];
    const own = await outcomeOf(modelled, args);
    // What was not followed to its end on either side shows nothing.
    if (own === "a loop did not end" && isCut(expected)) continue;
    if (!own.startsWith("{")) {
      if (own !== "a loop did not end" && !own.startsWith("no value"))
        throw new Error(`${own}\n${describe(code, args)}`);
      sum.open++;
    } else if (isCut(expected)) sum.open++;
    else {
      if (unplaced(own) !== unplaced(expected)) expect(own, describe(code, args)).toBe(expected);
      sum.agreed++;
      if (expected.includes('"exception"')) sum.raised++;
    }
  }
}

/** A call that was not followed to its end. */
function isCut(outcome: string): boolean {
  return outcome === '{"kind":"endless"}' || outcome === '{"kind":"exhausted"}';
}

/** CPython reports the line before for some variables that are not bound, so that line is not compared. */
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
export async function agreementOfZ3(engines: Engines, count: number, seed: number, job: Deadline): Promise<number> {
  const all = fc.sample(pairs, { numRuns: count, seed });
  const runs = await inPython(all);
  const queries = new Queries(engines.z3, job, new Canaries());
  let decided = 0;
  try {
    for (const [i, run] of runs.entries()) {
      const modelled = modelOrNothing(run, "f", unrolled);
      const pair = all[i];
      if (!modelled || !pair) continue;
      const k = i % pair.inputs.length;
      const [args, expected] = [pair.inputs[k] ?? [], run.outcomes[2 * k]];
      if (expected === undefined || (await outcomeOf(modelled, args)) !== expected) continue;
      const { known, ends }: { known: Term[]; ends: Term } = pinned(modelled, args, expected);
      const { kind } = await queries.check([...known, modelled.t.not(ends)]);
      expect(kind, describe(pair.code, args)).not.toBe("sat");
      expect((await queries.check([...known, ends])).kind, describe(pair.code, args)).not.toBe("unsat");
      if (kind === "unsat") decided++;
    }
  } finally {
    queries.close();
  }
  return decided;
}

/** For each pair, this many claims that no call refutes are sent to the prover. */
const held_max = 3;
const kinds = ["equivalent", "meets_contract", "never_raises", "never_reached"] as const;

/** What the prover said of random programs that CPython was asked about too. */
export interface Claims {
  /** Claims that it proved, and that no call refutes. */
  proven: number;
  /** Claims that a call refutes, and that it did not prove. */
  refuted: number;
  /** The others. */
  open: number;
  /** Calls in CPython with which the claims were compared. */
  calls: number;
}

/** Claims about random pairs of functions, each compared with calls in CPython: none that a call refutes is proved. */
export async function soundClaims(
  engines: Engines,
  count: number,
  seed: number,
  claim_ms = 1_000,
  programs = pairs,
): Promise<Claims> {
  const all = fc.sample(programs, { numRuns: count, seed });
  const runs = await inPython(all);
  const held = runs.flatMap((run, i) => {
    const { code, inputs } = all[i] ?? { code: "", inputs: [] };
    return [{ code, inputs, run, claims: chosen(claimsOf({ code, inputs }, run), seed + i) }];
  });
  return decide(engines, held, claim_ms);
}

/** The same of functions under contracts of icontract, which this Python has. */
export async function soundContracts(
  engines: Engines,
  count: number,
  seed: number,
  python: string,
  claim_ms = 1_000,
): Promise<Claims> {
  const all = fc.sample(contracted, { numRuns: count, seed });
  const requests = all.flatMap(({ code, owed, inputs }) => [
    { code, watched: true, calls: inputs.flatMap((args) => sides.map((name) => ({ function: name, args }))) },
    { code: owed, watched: true, calls: inputs.map((args) => ({ function: "owed", args })) },
  ]);
  const runs = await runInPython(requests, python);
  const held = all.flatMap((each: Contracted, i) => {
    const [run, asked] = runs.slice(2 * i);
    if (!run || !asked) return [];
    return [{ ...each, run, claims: chosen(contractClaimsOf(each, run, asked.outcomes), seed + i) }];
  });
  return decide(engines, held, claim_ms);
}

interface Held {
  readonly code: string;
  readonly inputs: readonly (readonly PythonValue[])[];
  readonly run: Run;
  readonly claims: readonly HeldClaim[];
}

async function decide(engines: Engines, all: readonly Held[], claim_ms: number): Promise<Claims> {
  const prover = new Prover(engines.z3);
  const sum = { proven: 0, refuted: 0, open: 0, calls: 0 };
  for (const { code, inputs, run, claims } of all) {
    sum.calls += run.outcomes.length;
    for (const { goal, against, example } of claims) {
      const job = new Deadline(claim_ms);
      const { kind } = await prover.prove(run.syntax, goal, job);
      const refuted_by = example === undefined ? "" : JSON.stringify(inputs[example]);
      if (kind === "proven") expect(against, `${JSON.stringify(goal)}\n${code}\n${refuted_by}`).toBe(0);
      if (kind === "proven") sum.proven++;
      else if (against > 0) sum.refuted++;
      else sum.open++;
    }
  }
  return sum;
}

/** Of each kind the claim that the fewest calls refute, and some that none does. */
function chosen(claims: readonly HeldClaim[], turn: number): HeldClaim[] {
  const refuted = claims.filter(({ against }) => against > 0).sort((a, b) => a.against - b.against);
  const held = claims.filter(({ against }) => against === 0);
  const first = turn % Math.max(1, held.length);
  return [
    ...kinds.flatMap((kind) => refuted.find(({ goal }) => goal.kind === kind) ?? []),
    ...held.slice(first, first + held_max),
  ];
}
