import { checkSolutions } from "../../src/evidence/flatzinc/values.ts";
import { type Driver, solveBatch, type Word } from "./minizinc_batch.ts";
import type { Assignment, RandomModel } from "./random_minizinc.ts";

/** What a solver's word was worth on random models. */
export interface Measurement {
  models: number;
  /** Claims that were accepted, and right: unsatisfiable, best, all. */
  right: number;
  /** Claims that were not accepted; how many of them were wrong. */
  doubted: number;
  doubted_wrong: number;
  /** Satisfiable, with no claim beyond that. */
  sat: number;
  undecided: number;
  refused: number;
  /** What was accepted and wrong, with its model. */
  readonly wrong: string[];
  /** Right claims by the constraint in their FlatZinc, and claims that were wrong. */
  readonly constraints: Record<string, { right: number; wrong: number }>;
}

export const newMeasurement = (): Measurement => ({
  models: 0,
  right: 0,
  doubted: 0,
  doubted_wrong: 0,
  sat: 0,
  undecided: 0,
  refused: 0,
  wrong: [],
  constraints: {},
});

const satisfiable_size = 16;
const unsatisfiable_size = 4;

/** Solves models in batches, and adds up what their words were worth. */
export async function measure(driver: Driver, models: readonly RandomModel[], into: Measurement): Promise<void> {
  // One that is found impossible while it is compiled makes its whole batch so: these are small.
  const possible = models.filter(({ solutions }) => solutions.length > 0);
  const impossible = models.filter(({ solutions }) => solutions.length === 0);
  const batches = [...chunks(possible, satisfiable_size), ...chunks(impossible, unsatisfiable_size)];
  for (const batch of batches) {
    const { words, left } = await solveBatch(driver, batch);
    const rest = batch.length === 1 ? [] : left;
    for (const word of words) add(word, into);
    for (const model of batch.length === 1 ? left : []) refuse(model, into);
    for (const model of rest) {
      const alone = await solveBatch(driver, [model]);
      for (const word of alone.words) add(word, into);
      for (const each of alone.left) refuse(each, into);
    }
  }
}

function refuse(_: RandomModel, into: Measurement): void {
  into.models++;
  into.refused++;
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function add(word: Word, into: Measurement): void {
  into.models++;
  const { decision, reply } = word;
  if (decision === undefined) {
    into.refused++;
    return;
  }
  const doubt = decision.kind === "unsat" ? [] : (decision.doubt ?? []);
  const fault = faultIn(word);
  const claims = ["UNSATISFIABLE", "OPTIMAL_SOLUTION", "ALL_SOLUTIONS"].includes(reply.answer.status ?? "");
  if (fault !== undefined && doubt.length === 0) into.wrong.push(`${fault}\n${word.model.items.join("\n")}`);
  if (doubt.length > 0) {
    into.doubted++;
    if (fault !== undefined) into.doubted_wrong++;
  } else if (!claims) {
    if (decision.kind === "sat") into.sat++;
    else into.undecided++;
  } else if (fault === undefined) into.right++;
  if (!claims || doubt.length > 0 || typeof reply.compiled !== "object") return;
  for (const name of new Set(reply.compiled.constraints.map((each) => each.name))) {
    const count = into.constraints[name] ?? { right: 0, wrong: 0 };
    into.constraints[name] = count;
    if (fault === undefined) count.right++;
    else count.wrong++;
  }
}

/** What is wrong about a claim, accepted or not. */
function faultIn({ model, reply, values }: Word): string | undefined {
  const { status, solutions } = reply.answer;
  const shown = JSON.stringify({ status, last: solutions.at(-1), expected: model.solutions.length, best: model.best });
  if (reply.solutions_seen === 0)
    return status === "UNSATISFIABLE" && model.solutions.length > 0 ? `false unsat ${shown}` : undefined;
  const wrong = values.find((each) => !model.solutions.some((expected) => agrees(expected, each)));
  if (wrong) {
    const check = typeof reply.compiled === "object" ? checkSolutions(reply.compiled, solutions) : undefined;
    return check?.broken === undefined ? `false values ${shown}` : undefined;
  }
  const last = values.at(-1);
  if (status === "OPTIMAL_SOLUTION" && last && model.best !== undefined) {
    const objective = Number(solutions.at(-1)?.objective);
    if (Math.abs(objective - model.best) > 1e-6 * (1 + Math.abs(model.best))) return `false optimum ${shown}`;
  }
  if (status === "ALL_SOLUTIONS" && reply.question.solutions_max !== undefined && last) {
    const shown_names = Object.keys(last).filter((name) => model.solutions[0]?.[name] !== undefined);
    const key = (each: Assignment) => shown_names.map((name) => each[name]).join();
    if (new Set(model.solutions.map(key)).size !== new Set(values.map(key)).size) return `not all ${shown}`;
  }
  return undefined;
}

/** Whether values, as far as they are shown, are those of a solution. */
function agrees(expected: Assignment, values: Assignment): boolean {
  return Object.entries(expected).every(([name, value]) => values[name] === undefined || values[name] === value);
}
