import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import * as z from "zod/v4";
import { readConfig } from "../../src/config.ts";
import type { Engines } from "../../src/engines/index.ts";
import { findInterpreter } from "../../src/engines/python/interpreter.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { TimeBudget } from "../../src/prover/ask/time_budget.ts";
import { claimOf } from "../../src/prover/claims.ts";
import { type Goal, Prover, type Verdict } from "../../src/prover/index.ts";
import { runGroups, separate } from "../../src/prover/induction/traces.ts";
import { bind, concrete, type PythonValue, termsToTell } from "../../src/prover/inputs.ts";
import { type Concrete, evaluator, Valueless } from "../../src/prover/logic/evaluate.ts";
import type { Term } from "../../src/prover/logic/term.ts";
import { Terms } from "../../src/prover/logic/terms.ts";
import { anyTerm, type Value } from "../../src/prover/logic/values.ts";
import type { Program } from "../../src/prover/python/program.ts";
import { SyntaxTree } from "../../src/prover/python/tree.ts";
import type { ObligationRules } from "../../src/prover/run/parts.ts";
import { type Argument, argumentsOf, type Ended, type Summary, summarise } from "../../src/prover/summary.ts";
import { withEnoughTime } from "./enough_time.ts";
import { sharedEngines } from "./models.ts";

export const equal: Goal = { kind: "equivalent", function_a: "f", function_b: "g" };
export const meets: Goal = { kind: "meets_contract", function: "f" };

export function never(...exceptions: string[]): Goal {
  return { kind: "never_raises", function: "f", exceptions };
}

export const prove_ms_max = 10_000;

/** Whether more time would not change it. */
export const isDecided = (verdict: Verdict) =>
  verdict.kind !== "undecided" || verdict.cause === "unconfirmed" || verdict.cause === "unsupported";

/** The prover on the Z3 of the private environment, as the tools have it. */
export interface ProverBench {
  readonly engines: Engines;
  readonly prover: Prover;
  /** Reads the code, for a contract only what its function reaches, and tries to prove the goal. */
  prove(code: string, goal: Goal, left_ms?: number, signal?: AbortSignal): Promise<Verdict>;
  /** The same; a busy machine gets the time that it needs to decide. */
  decide(code: string, goal: Goal): Promise<Verdict>;
  close(): void;
}

/** On the engines that test files share. */
export async function shareProver(): Promise<ProverBench> {
  const { engines } = await sharedEngines();
  const prover = new Prover(engines.z3);
  const prove: ProverBench["prove"] = async (code, goal, left_ms = prove_ms_max, signal?) => {
    const part = goal.kind === "meets_contract" ? { roots: [goal.function], contract_of: goal.function } : {};
    const read = await engines.python.syntax(code, new Deadline(60_000), part);
    return prover.prove(SyntaxTree.parse(read), goal, new Deadline(left_ms, signal));
  };
  const decide: ProverBench["decide"] = (code, goal) =>
    withEnoughTime((ms) => prove(code, goal, ms), isDecided, prove_ms_max);
  return { engines, prover, prove, decide, close: () => {} };
}

/** How a call ended, in CPython or in the prover's own semantics. */
export type Outcome =
  | { readonly kind: "value"; readonly value: PythonValue }
  | { readonly kind: "exception"; readonly exception: string; readonly line: number };

export interface Request {
  readonly code: string;
  readonly calls: readonly { readonly function: string; readonly args: readonly PythonValue[] }[];
  /** Whether calls end after some steps, and what they come to is noted. */
  readonly watched?: boolean;
}

const Outcomes = z.array(
  z.object({
    syntax: z.object({ tree: z.unknown(), python: z.array(z.number()), text: z.string(), patterns: z.unknown() }),
    outcomes: z.array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("value"), value: z.unknown(), after: z.unknown().optional() }),
        z.object({
          kind: z.literal("exception"),
          exception: z.string(),
          line: z.number(),
          after: z.unknown().optional(),
        }),
        z.object({ kind: z.enum(["endless", "exhausted"]) }),
      ]),
    ),
    sightings: z.record(z.string(), z.number()).optional(),
    tests: z.array(z.string()).optional(),
    broken: z.string().optional(),
  }),
);

/** What CPython makes of texts: their trees, and how calls of their functions end. */
export interface Run {
  readonly syntax: SyntaxTree;
  /** JSON of each outcome, to be compared as text. */
  readonly outcomes: readonly string[];
  /** How many calls came to each line, and to each outcome of a test; nothing where they weren't watched. */
  readonly sightings: ReadonlyMap<string, number>;
  /** The places of all tests. */
  readonly tests: readonly string[];
}

let python: Promise<string> | undefined;

/** The Python of this machine that Verdict would use. */
export function pythonPath(): Promise<string> {
  python ??= findPython();
  return python;
}

async function findPython(): Promise<string> {
  const config = readConfig({});
  const children = new Children(config.child_environment, config.child_directory);
  try {
    return (await findInterpreter(config, children, new AbortController().signal)).python;
  } finally {
    children.stopAll();
  }
}

/** With a Python of this machine, or with another one that has more packages. */
export async function runInPython(requests: readonly Request[], other?: string): Promise<Run[]> {
  const command = other ?? (await pythonPath());
  const output = execFileSync(command, ["-I", "-B", resolve("test/fixtures/cpython.py"), resolve("python")], {
    input: JSON.stringify(requests),
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    timeout: 120_000,
  });
  return Outcomes.parse(JSON.parse(output)).map(({ syntax, outcomes, sightings, tests, broken }, i) => {
    if (broken !== undefined) throw new Error(`${broken}\n${requests[i]?.code}`);
    return {
      syntax: SyntaxTree.parse(syntax),
      outcomes: outcomes.map((each) => JSON.stringify(each)),
      sightings: new Map(Object.entries(sightings ?? {})),
      tests: tests ?? [],
    };
  });
}

/** A function as the prover sees it, to be run on values. */
export interface Modelled {
  readonly t: Terms;
  readonly args: readonly Argument[];
  readonly summary: Summary;
  /** The places of the arguments that it changes in place. */
  readonly places: readonly number[];
}

export function model(program: Program, name: string, unrolled?: number, by_invariants?: ObligationRules): Modelled {
  // In a comparison, a function may change an argument.
  const claim = by_invariants
    ? undefined
    : claimOf(program, { kind: "equivalent", function_a: name, function_b: name });
  const definition = claim?.definitions[0] ?? program.functions.get(name);
  if (!definition) throw new Error(`no function ${name}`);
  const finals = claim?.finals?.[0] ?? [];
  const t = new Terms();
  const args = argumentsOf(t, program, definition);
  const plan = {
    side: "a",
    peeled: new Map<number, number>(),
    unrolled,
    by_invariants,
    budget: new TimeBudget(new Deadline(600_000)),
  };
  const summary = summarise(t, program, definition, args, plan, undefined, finals);
  return { t, args, summary, places: finals.map(({ place }) => place) };
}

export function valuesFor({ t, args }: Modelled, inputs: readonly PythonValue[]) {
  return new Map(args.flatMap((arg, i) => bind(t, arg, inputs[i] ?? { type: "none" }) ?? []));
}

/** How the prover's terms say that a call ends: JSON of an outcome, or why there is none. */
export async function outcomeOf(modelled: Modelled, inputs: readonly PythonValue[]): Promise<string> {
  try {
    return await endOf(modelled, inputs);
  } catch (error) {
    if (error instanceof Valueless) return `no value: ${error.message}`;
    throw error;
  }
}

async function endOf(modelled: Modelled, inputs: readonly PythonValue[]): Promise<string> {
  const { t, summary } = modelled;
  const values = valuesFor(modelled, inputs);
  if (!(await runGroups(separate(t, summary.loops, t.yes), values, new Map(), new TimeBudget(new Deadline(600_000)))))
    return "a loop did not end";
  const read = evaluator(values);
  if (summary.unfinished.some((each) => read(each) === true)) return "a loop did not end";
  for (const fact of summary.facts) if (read(fact) !== true) return "a fact does not hold";
  const ends = [
    ...summary.returns
      .filter(({ when }) => read(when) === true)
      .map((each) => withChanges(modelled, inputs, each, read, returned(t, each.value, read))),
    ...summary.raises
      .filter(({ when }) => read(when) === true)
      .map((each) => {
        const { exception, line } = each;
        return withChanges(modelled, inputs, each, read, { kind: "exception", exception, line });
      }),
  ];
  const [end, ...more] = ends;
  return end && more.length === 0 ? JSON.stringify(end) : `${ends.length} ends`;
}

const containers: ReadonlySet<string> = new Set(["list", "dict", "set"]);

/** Adds the arguments at the end of a call that changed one. */
function withChanges(
  { t, summary, places }: Modelled,
  inputs: readonly PythonValue[],
  { after }: Ended,
  read: (term: Term) => Concrete,
  outcome: Outcome | undefined,
): (Outcome & { after?: PythonValue[] }) | undefined {
  if (!outcome || places.length === 0 || summary.returns.length + summary.raises.length === 0) return outcome;
  const finals = after.slice(after.length - places.length);
  const known = inputs.map((each) => (containers.has(each.type) ? withoutOrder(each) : ({ type: "none" } as const)));
  const changed = known.map((input, place) => {
    const final = finals[places.indexOf(place)];
    const end = final && returned(t, final, read);
    return end?.kind === "value" ? end.value : input;
  });
  return JSON.stringify(changed) === JSON.stringify(known) ? outcome : { ...outcome, after: changed };
}

function returned(t: Terms, value: Value, read: (term: Term) => Concrete): Outcome | undefined {
  const choices = value.filter(({ when }) => read(when) === true);
  const [choice] = choices;
  const result = choice && choices.length === 1 ? concrete(t, choice.plain, read) : undefined;
  return result && { kind: "value", value: withoutOrder(result) };
}

/** Dicts and sets with their keys in an order of their own, as test/fixtures/cpython.py writes them. */
function withoutOrder(value: PythonValue): PythonValue {
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  if (value.type === "dict") {
    const entries = value.entries.map(([key, entry]) => [key, withoutOrder(entry)] as const);
    return { type: "dict", entries: entries.toSorted(byText) };
  }
  if (value.type !== "list" && value.type !== "tuple" && value.type !== "set") return value;
  const items = value.items.map(withoutOrder);
  return { type: value.type, items: value.type === "set" ? items.toSorted(byText) : items };
}

/** The arguments have these values, and the call ends in this way. */
export function pinned(
  modelled: Modelled,
  inputs: readonly PythonValue[],
  outcome: string,
): { known: Term[]; ends: Term } {
  const { t, summary } = modelled;
  const values = valuesFor(modelled, inputs);
  const known = [...values].map(([symbol, value]) => t.eq(symbol, literal(t, symbol, value)));
  const read = evaluator(values);
  const whens = [
    ...summary.returns
      .filter(({ when }) => read(when) === true)
      .map(({ when, value }) => t.and(when, ...equalities(t, value, read))),
    ...summary.raises.filter(({ when }) => read(when) === true).map(({ when }) => when),
  ];
  if (whens.length !== 1) throw new Error(`${whens.length} ends for ${outcome}`);
  return { known: [...known, ...summary.facts], ends: t.or(...whens) };
}

/** That a value is what it is read to be. */
function equalities(t: Terms, value: Value, read: (term: Term) => Concrete): Term[] {
  const choice = value.find(({ when }) => read(when) === true);
  if (!choice) throw new Error("a value is one of its choices");
  const length = choice.plain.kind === "sequence" ? Number(read(choice.plain.sequence.length)) : 0;
  const parts = termsToTell(t, choice.plain, length);
  return [choice.when, ...parts.map((part) => t.eq(part, literal(t, part, read(part))))];
}

function literal(t: Terms, { sort }: Term, value: Concrete): Term {
  if (typeof value === "bigint") return t.int(value);
  if (typeof value === "boolean") return t.bool(value);
  if (typeof value === "number") return t.float(value);
  const item = sort.item ?? sort;
  const empty = t.fill(literal(t, anyTerm(t, item), value.rest));
  return [...value.items].reduce(
    (array, [at, each]) => t.store(array, t.int(at), literal(t, anyTerm(t, item), each)),
    empty,
  );
}
