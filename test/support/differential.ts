import fc from "fast-check";
import { expect } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import type { Bench } from "./engines.ts";
import {
  type Formula,
  findWorld,
  type Optimisation,
  optimisations,
  type Problem,
  problems,
  readValue,
  worldOf,
} from "./formulas.ts";
import { type SmtlibAnswer, solveText } from "./smtlib.ts";

/** Compares Verdict's answers with trying all values. */

/** Calls in flight at once: each run of a property makes this number. */
const at_once = 4;

/** Something with a script that one call solves. */
interface Scripted {
  readonly script: string;
}

type Batches<Kind> = fc.IAsyncPropertyWithHooks<[Kind[]]>;

/** Every check is answered right, and a model makes all formulas true. */
export function rightAnswers(bench: Bench, engine = "z3"): Batches<Problem> {
  return inBatches(problems("asserted"), (problem) => expectRightAnswer(bench, problem, engine));
}

/** Cores are unsat and minimal; with `assuming`, assumptions are members too. */
export function rightCores(bench: Bench, options: { readonly assuming: boolean }): Batches<Problem> {
  return inBatches(problems("defined", options), (problem) => expectRightCore(bench, problem));
}

/** The best values of all goals are found, the first goal first. */
export function rightOptima(bench: Bench): Batches<Optimisation> {
  return inBatches(optimisations, (optimisation) => expectRightOptimum(bench, optimisation));
}

function inBatches<Kind extends Scripted>(
  kind: fc.Arbitrary<Kind>,
  check: (problem: Kind) => Promise<void>,
): Batches<Kind> {
  const batches = fc.array(kind, { minLength: at_once, maxLength: at_once });
  return fc.asyncProperty(batches, (all) => eachOf(all, check));
}

/** The first failure is reported when all calls have ended. */
async function eachOf<Kind extends Scripted>(
  all: readonly Kind[],
  check: (problem: Kind) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(all.map(check));
  for (const [i, end] of ends.entries()) {
    if (end.status === "rejected") throw new Error(`${end.reason}\n\n${all[i]?.script}`, { cause: end.reason });
  }
}

async function expectRightAnswer(bench: Bench, problem: Problem, engine: string): Promise<void> {
  const answer = await solveText(bench, problem.script, { engine });
  expectWords(answer, problem);
  if (answer.status === "sat") expectModel(answer, problem);
}

function expectModel({ model }: SmtlibAnswer, problem: Problem): void {
  if (!model) throw new Error("sat comes with a model");
  const world = worldOf(model, problem.bounds);
  const untrue = holding(problem).filter((formula) => !formula.value(world));
  expect(untrue.map(({ text }) => text)).toEqual([]);
  expect(Object.keys(model).filter((name) => !problem.script.includes(name))).toEqual([]);
}

async function expectRightOptimum(bench: Bench, { script, best }: Optimisation): Promise<void> {
  const answer = await solveUnlessCrashed(bench, script);
  if (!answer) return;
  const { status, warnings, objectives } = answer;
  const values = objectives?.map(({ value }) => readValue(value));
  expect(status).toBe(best ? "sat" : "unsat");
  // Z3's optimiser stops early on a few problems: then the answer says so, and is right about it.
  if (answer.optimal === false) {
    expect(warnings).toEqual([expect.stringContaining("Z3's optimiser stopped early")]);
    expect(values).not.toEqual(best);
    return;
  }
  expect(warnings).toEqual([]);
  expect(values).toEqual(best);
}

async function expectRightCore(bench: Bench, problem: Problem): Promise<void> {
  const answer = await solveText(bench, problem.script, { explain_unsat: true });
  expectWords(answer, problem);
  if (answer.status === "sat") return expectModel(answer, problem);
  const members = coreOf(answer, problem);
  expect(findWorld(members)).toBeUndefined();
  for (const member of members) {
    expect(findWorld(members.filter((other) => other !== member))).toBeDefined();
  }
}

/** Z3 5.1 dies of a few optimisations (SIGSEGV); to say so is right, and nothing is decided then. */
async function solveUnlessCrashed(bench: Bench, script: string): Promise<SmtlibAnswer | undefined> {
  try {
    return await solveText(bench, script);
  } catch (error) {
    if (error instanceof Fault && error.code === "engine_failed") return undefined;
    throw error;
  }
}

/** Remarks that a right answer may carry. */
const idle_commands = /^Assertions and objectives after the last check \(line .*\) have no effect/;

/** Where nothing that has a name is needed for the contradiction. */
const empty_core = /^The core is empty: /;

function expectWords({ status, transcript, warnings }: SmtlibAnswer, { expected }: Problem): void {
  expect(transcript.map(({ output }) => output)).toEqual(expected);
  expect(status).toBe(expected.at(-1));
  expect(warnings.filter((text) => !idle_commands.test(text) && !empty_core.test(text))).toEqual([]);
}

function holding({ live, assumed }: Problem): Formula[] {
  return [...live.values(), ...assumed];
}

/** The formulas that a core names: assertions by their lines, assumptions by their text. */
function coreOf({ unsat_core }: SmtlibAnswer, { live, assumed }: Problem): Formula[] {
  if (!unsat_core) throw new Error("unsat comes with a core");
  return unsat_core.map(({ name, line, text }) => {
    const formula = line === undefined ? assumed.find((literal) => literal.text === text) : live.get(line);
    if (!formula) throw new Error(`the core names ${name}, which does not hold at the last check`);
    return formula;
  });
}
