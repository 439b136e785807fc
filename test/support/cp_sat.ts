import * as z from "zod/v4";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import {
  CpSatEnd,
  type CpSatRequest,
  compiledForCpSat,
  cpSatTask,
  showTask,
  solutionLines,
} from "../../src/engines/minizinc/cp_sat.ts";
import { Reader } from "../../src/engines/minizinc/read.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { pythonData } from "./python.ts";
import type { Assignment, RandomModel } from "./random_minizinc.ts";

/** MiniZinc's compiler and CP-SAT behind it, without the tools: models many at a time, each solved by itself. */

const time_s = 60;

const FlatZinc = z.object({
  variables: z.record(z.string(), z.unknown()),
  arrays: z.record(z.string(), z.looseObject({ a: z.array(z.unknown()) })),
  constraints: z.array(z.looseObject({ id: z.string(), args: z.array(z.unknown()) })),
  output: z.array(z.string()),
  solve: z.looseObject({ method: z.string() }),
});
type FlatZinc = z.output<typeof FlatZinc>;

export interface CpSatBench {
  /** Compiles a model; undefined where MiniZinc finds no solution while it compiles, or refuses it. */
  compile(source: string, lists_solutions?: boolean): Promise<{ flatzinc: string; output_model: string } | undefined>;
  solve(flatzinc: string, request?: Partial<CpSatRequest> & { readonly workers?: number }): Promise<CpSatEnd>;
  /** The values that MiniZinc prints for a solution. */
  show(output_model: string, values: string): Promise<Readonly<Record<string, unknown>>>;
  /** Solves models that are compiled together. Undefined for one that MiniZinc refuses. */
  solveAll(models: readonly RandomModel[], workers?: number): Promise<readonly (Outcome | undefined)[]>;
  close(): void;
}

/** What came of a model: its status, and values by name. */
export interface Outcome {
  readonly end: CpSatEnd;
  readonly values: readonly Assignment[];
}

export async function openCpSat(): Promise<CpSatBench> {
  const env = { ...process.env, VERDICT_MINIZINC: "wasm", VERDICT_DATA: await pythonData() };
  await pythonData("cp");
  const engines = new Engines(readConfig({ tools: "model" }, env));
  const deadline = () => new Deadline(4 * time_s * 1000);

  const compile: CpSatBench["compile"] = async (source, lists_solutions = false) => {
    const task = cpSatTask({ files: { "model.mzn": source }, args: ["model.mzn"], lists_solutions });
    const end = await engines.minizinc.check(task, deadline(), () => {});
    const compiled = end === "expired" ? undefined : compiledForCpSat(end);
    if (compiled === "too large") throw new Error("too large");
    return compiled;
  };
  const solve: CpSatBench["solve"] = async (flatzinc, given = {}) => {
    const { workers = 1, ...asked } = given;
    const job = { items: [flatzinc], request: { time_s, solutions: null, ...asked }, workers };
    const use = async (run: Parameters<Parameters<typeof engines.python.turn>[2]>[0]) =>
      run("flatzinc", job, deadline());
    const reply = await engines.python.turn(deadline(), () => {}, use, "flatzinc");
    if (reply === "expired" || reply.end.kind !== "result") throw new Error(JSON.stringify(reply));
    return CpSatEnd.parse(reply.end.result);
  };
  const show: CpSatBench["show"] = async (output_model, values) => {
    const reader = new Reader(1);
    const onLine = (line: string) => {
      for (const each of solutionLines(line)) reader.take(each);
    };
    await engines.minizinc.check(showTask({ flatzinc: "", output_model }, [values]), deadline(), onLine);
    const [solution] = reader.answer().solutions;
    if (!solution) throw new Error(JSON.stringify(reader.answer()));
    return { ...solution.values, _objective: solution.objective, _output: solution.text };
  };
  const solveAll: CpSatBench["solveAll"] = async (models, workers = 1) => {
    const sources = models.map(inBatch);
    const lists_solutions = workers === 1 && models.every(({ goal }) => goal === "satisfy");
    const source = [includesOf(sources.join()), ...sources, "solve satisfy;"].join("\n");
    const compiled = await compile(source, lists_solutions);
    const whole = compiled && FlatZinc.parse(JSON.parse(compiled.flatzinc));
    const is_decided = whole?.constraints.some(({ args }) => namesIn(args, whole).length === 0) ?? true;
    if (is_decided && models.length > 1) {
      // One that can't be compiled, or is found impossible by that, is looked for by halves.
      const half = Math.ceil(models.length / 2);
      const parts = [models.slice(0, half), models.slice(half)];
      return [...(await solveAll(parts[0] ?? [], workers)), ...(await solveAll(parts[1] ?? [], workers))];
    }
    if (!whole) return models.map(() => undefined);
    const outcomes: (Outcome | undefined)[] = [];
    for (const [i, model] of models.entries()) {
      const { goal, items } = model;
      // An objective that is another variable, or a number, has no name of its own any more.
      const is_apart = goal !== "satisfy" && !(`m${i}_goal` in whole.variables);
      const flatzinc = is_apart ? (await compile(items.join("\n")))?.flatzinc : JSON.stringify(partOf(whole, i, goal));
      const options = { workers, ...(lists_solutions && { solutions: 100_000 }) };
      const end = flatzinc === undefined ? undefined : await solve(flatzinc, options);
      const prefix = is_apart ? "" : `m${i}_`;
      outcomes.push(end && { end, values: end.solutions.map((text) => valuesIn(text, prefix)) });
    }
    return outcomes;
  };
  return { compile, solve, show, solveAll, close: () => engines.close() };
}

/** Functions that need no file of the library, and constraints whose other forms have a file of their own. */
const built_in = new Set("deopt occurs bool2int sum pow forall exists max min abs card array1d array_union".split(" "));
const other_forms: Readonly<Record<string, string>> = {
  ...{ cumulative: "cumulative_opt", disjunctive: "disjunctive_opt", disjunctive_strict: "disjunctive_strict_opt" },
  ...{ global_cardinality: "global_cardinality_fn", global_cardinality_closed: "global_cardinality_closed_fn" },
  ...{ count: "count_fn", nvalue: "nvalue_fn" },
};

/** Of the library only what a model calls: the whole of it takes most of the time. */
function includesOf(text: string): string {
  const called = [...new Set(text.match(/\b[a-z]\w+(?=\()/g))].filter((name) => !built_in.has(name));
  const files = called.flatMap((name) => [name, ...[other_forms[name] ?? []].flat()]);
  return files.map((name) => `include "${name}.mzn";`).join("");
}

/**
 * A model whose variables have a name of their own in a batch. A set is also shown as the sum of the powers of two of its
 * members, and an optional number as -9 where it is absent.
 */
function inBatch({ names, declarations, constraints, goal, objective }: RandomModel, i: number): string {
  const codes = declarations.flatMap((text) => {
    const [, kind, low, high, name] = /^var (set of|opt) (-?\d+)\.\.(-?\d+): (\w+);$/.exec(text) ?? [];
    if (kind === undefined) return [];
    const code =
      kind === "opt"
        ? `if occurs(${name}) then deopt(${name}) else -9 endif`
        : `sum(i in ${low}..${high})(bool2int(i in ${name}) * pow(2, i${Number(low) < 0 ? " + 1" : ""}))`;
    return [
      `var -9..${kind === "opt" ? high : 2 ** (Number(high) + 2)}: ${name}_code; constraint ${name}_code = ${code};`,
    ];
  });
  const goals = goal === "satisfy" ? [] : [`var int: goal; constraint goal = (${objective});`];
  const text = [...declarations, ...codes, ...constraints.map((each) => `constraint ${each};`), ...goals].join(" ");
  const known = names.flatMap((name) => [name, `${name}_code`]);
  return text.replaceAll(new RegExp(`\\b(?:${[...known, "goal"].join("|")})\\b`, "g"), (name) => `m${i}_${name}`);
}

/** The FlatZinc of one model of a batch: what hangs together with its variables, and nothing else. */
function partOf(whole: FlatZinc, i: number, goal: RandomModel["goal"]): FlatZinc {
  const groups = groupsOf(whole);
  const isOwn = (name: string) => name.startsWith(`m${i}_`);
  const own = new Set(Object.keys(whole.variables).filter(isOwn).map(groups));
  const isPart = (value: unknown) => namesIn(value, whole).some((name) => own.has(groups(name)));
  const solve = goal === "satisfy" ? { method: goal } : { method: goal, objective: `m${i}_goal` };
  return {
    variables: Object.fromEntries(Object.entries(whole.variables).filter(([name]) => own.has(groups(name)))),
    arrays: whole.arrays,
    constraints: whole.constraints.filter(({ args }) => isPart(args) || namesIn(args, whole).length === 0),
    output: whole.output.filter(isOwn),
    solve,
  };
}

const known_groups = new WeakMap<FlatZinc, (name: string) => string>();

/** Gives each variable one of those that it hangs together with, always the same one. */
function groupsOf(whole: FlatZinc): (name: string) => string {
  const known = known_groups.get(whole);
  if (known) return known;
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    const parent = parents.get(name);
    return parent === undefined ? name : rootOf(parent);
  };
  const join = (value: unknown) => {
    const [first, ...others] = namesIn(value, whole).map(rootOf);
    for (const other of others) {
      const [a, b] = [rootOf(first ?? other), rootOf(other)];
      if (a !== b) parents.set(b, a);
    }
  };
  for (const { args } of whole.constraints) join(args);
  for (const [name, declared] of Object.entries(whole.variables)) join([name, declared]);
  known_groups.set(whole, rootOf);
  return rootOf;
}

/** The variables that a part of FlatZinc names. */
function namesIn(value: unknown, whole: FlatZinc): string[] {
  if (typeof value === "string") {
    if (value in whole.variables) return [value];
    return (whole.arrays[value]?.a ?? []).flatMap((each) => namesIn(each, whole));
  }
  if (Array.isArray(value)) return value.flatMap((each) => namesIn(each, whole));
  return typeof value === "object" && value !== null ? namesIn(Object.values(value), whole) : [];
}

/** The values of numbers and truth values with a prefix; sets by their codes. */
function valuesIn(text: string, prefix: string): Assignment {
  const lines = text.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+) = (-?\d+|true|false);$/.exec(line) ?? [];
    if (name === undefined || value === undefined || !name.startsWith(prefix)) return [];
    const number = value === "true" ? 1 : value === "false" ? 0 : Number(value);
    return [[name.slice(prefix.length).replace(/_code$/, ""), number] as const];
  });
  return Object.fromEntries(lines);
}

/** What is wrong about an outcome, by brute force; undefined where nothing is. */
export function faultOf(model: RandomModel, { end, values }: Outcome): string | undefined {
  const { solutions, best } = model;
  const shown = JSON.stringify({ ...end, solutions: end.solutions.length, expected: solutions.length, best });
  const items = model.items.join("\n");
  if (end.status === "unknown" || end.status === "unsupported") return undefined;
  if (end.status === "unsat") return solutions.length > 0 ? `false unsat ${shown}\n${items}` : undefined;
  const keys = Object.keys(values[0] ?? {}).filter((name) => solutions[0]?.[name] !== undefined);
  const keyOf = (each: Assignment) => keys.map((name) => each[name]).join();
  const expected = new Set(solutions.map(keyOf));
  const wrong = values.find((each) => !expected.has(keyOf(each)));
  if (wrong) return `false values ${JSON.stringify(wrong)} ${shown}\n${items}`;
  if (end.status === "all" && new Set(values.map(keyOf)).size !== expected.size) return `not all ${shown}\n${items}`;
  if (end.status === "all" && new Set(values.map(keyOf)).size !== values.length) return `one twice ${shown}\n${items}`;
  return end.status === "optimal" && end.objective !== best ? `false optimum ${shown}\n${items}` : undefined;
}
