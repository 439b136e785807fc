import fc from "fast-check";
import { expect } from "vitest";
import type { Models, SolveAnswer } from "./models.ts";

/** Holds what models in PySAT answer against what trying all assignments gives. */

const variables = 5;
const names = Array.from({ length: variables }, (_, i) => i + 1);

type World = ReadonlySet<number>;

/** A constraint as the lines of a program that put it into `formula`, and whether it holds. */
interface Constraint {
  readonly lines: string;
  readonly holds: (world: World) => boolean;
}

/** Every assignment, as the set of its true literals. */
const worlds: readonly World[] = Array.from(
  { length: 2 ** variables },
  (_, bits) => new Set(names.map((name) => (((bits >> (name - 1)) & 1) === 1 ? name : -name))),
);

const literals = fc.tuple(fc.constantFrom(...names), fc.boolean()).map(([name, holds]) => (holds ? name : -name));
const different_literals = fc
  .record({
    chosen: fc.shuffledSubarray(names, { minLength: 1 }),
    signs: fc.array(fc.boolean(), { minLength: variables, maxLength: variables }),
  })
  .map(({ chosen, signs }) => chosen.map((name) => (signs[name - 1] ? name : -name)));

const clauses = fc.array(literals, { minLength: 1, maxLength: 3 });
const isMet = (clause: readonly number[], world: World) => clause.some((literal) => world.has(literal));
const countIn = (all: readonly number[], world: World) => all.filter((literal) => world.has(literal)).length;

const plain: fc.Arbitrary<Constraint> = fc.array(clauses, { minLength: 1, maxLength: 6 }).map((all) => ({
  lines: `formula.extend(${JSON.stringify(all)})`,
  holds: (world) => all.every((clause) => isMet(clause, world)),
}));

const relations = {
  atmost: (sum: number, bound: number) => sum <= bound,
  atleast: (sum: number, bound: number) => sum >= bound,
  equals: (sum: number, bound: number) => sum === bound,
};
const relation = fc.constantFrom<keyof typeof relations>("atmost", "atleast", "equals");

const encodings = ["seqcounter", "sortnetwrk", "cardnetwrk", "totalizer", "mtotalizer", "kmtotalizer"];
const encodings_of_one = ["pairwise", "bitwise", "ladder"];

const counted: fc.Arbitrary<Constraint> = fc
  .record({
    chosen: different_literals,
    kind: relation,
    bound: fc.nat(variables),
    encoding: fc.constantFrom(...encodings, ...encodings_of_one),
  })
  .map(({ chosen, encoding, ...given }) => {
    const one = encodings_of_one.includes(encoding);
    const kind = one && given.kind === "atleast" ? "atmost" : given.kind;
    const bound = one ? 1 : Math.min(given.bound, chosen.length);
    return {
      lines: `formula.extend(CardEnc.${kind}(lits=${JSON.stringify(chosen)}, bound=${bound}, vpool=pool, encoding=EncType.${encoding}).clauses)`,
      holds: (world) => relations[kind](countIn(chosen, world), bound),
    };
  });

const helpers = { atmost: "at_most_k", atleast: "at_least_k", equals: "exactly_k" };

const helped: fc.Arbitrary<Constraint> = fc
  .record({ chosen: different_literals, kind: relation, bound: fc.integer({ min: -1, max: variables + 1 }) })
  .map(({ chosen, kind, bound }) => ({
    lines: `formula.extend(${helpers[kind]}(${JSON.stringify(chosen)}, ${bound}))`,
    holds: (world) => relations[kind](countIn(chosen, world), bound),
  }));

const weighted: fc.Arbitrary<Constraint> = fc
  .record({
    chosen: different_literals,
    weights: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: variables, maxLength: variables }),
    kind: relation,
    bound: fc.integer({ min: 0, max: 15 }),
    encoding: fc.constantFrom(
      "best",
      "bdd",
      "seqcounter",
      "sortnetwrk",
      "adder",
      "binmerge",
      "watchdog",
      "totalizer",
      "mixedradix",
    ),
  })
  .map(({ chosen, weights, kind, bound, encoding }) => ({
    lines: `formula.extend(PBEnc.${kind}(lits=${JSON.stringify(chosen)}, weights=${JSON.stringify(weights.slice(0, chosen.length))}, bound=${bound}, vpool=pool, encoding=PB.${encoding}).clauses)`,
    holds: (world) =>
      relations[kind](
        chosen.reduce((sum, literal, i) => sum + (world.has(literal) ? (weights[i] ?? 0) : 0), 0),
        bound,
      ),
  }));

const constraints = fc.array(fc.oneof({ weight: 2, arbitrary: plain }, counted, helped, weighted), {
  minLength: 1,
  maxLength: 4,
});

const solvers = [
  ...["cadical103", "cadical153", "cadical195", "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42"],
  ...["lingeling", "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22", "minisat-gh"],
];

const imports = `from pysat.formula import CNF, WCNF, IDPool
from pysat.card import CardEnc, EncType
from pysat.pb import PBEnc, EncType as PB
from pysat.solvers import Solver
from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.examples.fm import FM
from pysat.examples.lsu import LSU
from pysat.examples.musx import MUSX
from pysat.examples.optux import OptUx
from pysat.examples.lbx import LBX
from pysat.examples.mcsls import MCSls
pool = IDPool(start_from=${variables + 1})`;

/** The first clause says nothing: MapleSAT crashes on a formula without any. */
const program = (kind: string, all: readonly Constraint[], ...more: string[]) => [
  imports,
  `formula = ${kind}()\nformula.append([1, -1])`,
  ...all.map(({ lines }) => lines),
  ...more,
];

const solutionsOf = (all: readonly Constraint[]) => worlds.filter((world) => all.every(({ holds }) => holds(world)));

/** The true literals; a variable that a model omits can have either value, and counts as false. */
function worldOf(model: Readonly<Record<string, unknown>> | null): World {
  return new Set(names.map((name) => (model?.[`v${name}`] === true ? name : -name)));
}

const shown = `{${names.map((name) => `'v${name}': ${name}`).join(", ")}}`;

const exports_of_sat = {
  read: `export_solution(s, variables=${shown})`,
  claimed: `found = s.solve()
true = set(s.get_model() or [])
export_solution({'satisfiable': found, **{name: v in true for name, v in ${shown}.items()}})`,
  limited: `export_solution({'satisfiable': s.solve_limited(), **{name: v in set(s.get_model() or []) for name, v in ${shown}.items()}})`,
};

/** Every solver decides right, alone and under assumptions, with every encoding. */
export function rightAnswers(models: Models) {
  const cases = fc.record({
    all: constraints,
    solver: fc.constantFrom(...solvers),
    way: fc.constantFrom<keyof typeof exports_of_sat>("read", "claimed", "limited"),
    assumed: fc.oneof(fc.constant<number[]>([]), different_literals),
  });
  return fc.asyncProperty(cases, async ({ all, solver, way, assumed }) => {
    const items = program("CNF", all, `s = Solver(name='${solver}', bootstrap_with=formula)`);
    const limited = way === "limited" && !["lingeling", "cadical103", "cadical153", "cadical195"].includes(solver);
    const exported = exports_of_sat[way === "limited" && !limited ? "claimed" : way];
    const last_item = assumed.length === 0 ? exported : underAssumptions(exported, assumed);
    const answer = await models.solve("pysat", [...items, last_item]);
    const possible = solutionsOf(all).filter((world) => assumed.every((literal) => world.has(literal)));
    expect(answer.status).toBe(possible.length > 0 ? "sat" : "unsat");
    if (answer.status === "sat") expect(possible).toContainEqual(worldOf(answer.model));
  });
}

function underAssumptions(exported: string, assumed: readonly number[]): string {
  const assumptions = `assumptions=${JSON.stringify(assumed)}`;
  return exported.startsWith("export_solution(s,")
    ? `s.solve(${assumptions})\n${exported}`
    : exported.replace(/(solve|solve_limited)\(\)/, `$1(${assumptions})`);
}

const wishes = fc.array(fc.record({ clause: clauses, weight: fc.integer({ min: 1, max: 7 }) }), {
  minLength: 1,
  maxLength: 6,
});

/** Every engine of MaxSAT finds the least cost and a model that has it, and calls it proved. */
export function rightOptima(models: Models) {
  const cases = fc.record({
    all: constraints,
    wishes,
    engine: fc.constantFrom("RC2", "RC2Stratified", "FM", "LSU"),
    solver: fc.constantFrom("g3", "g4", "m22", "cd19"),
    is_read: fc.boolean(),
  });
  return fc.asyncProperty(cases, async ({ all, wishes, engine, solver, is_read }) => {
    const costs = engine === "LSU" ? wishes.map((wish) => ({ ...wish, weight: 1 })) : wishes;
    const soft = costs.map(({ clause, weight }) => `formula.append(${JSON.stringify(clause)}, weight=${weight})`);
    const solve = engine === "LSU" ? "solve" : "compute";
    const chosen = engine === "LSU" ? "g4" : engine === "FM" && solver === "cd19" ? "m22" : solver;
    const claimed = `found = e.${solve}()
true = set(e.model or []) if found not in (None, False) else set()
export_solution({'satisfiable': found not in (None, False), 'cost': e.cost if true or found else None, **{name: v in true for name, v in ${shown}.items()}})`;
    const items = program(
      "WCNF",
      all,
      soft.join("\n"),
      `e = ${engine}(formula, solver='${chosen}'${engine === "FM" ? ", enc=EncType.pairwise" : ""})`,
      is_read ? `export_solution(e, variables=${shown})` : claimed,
    );
    const answer = await models.solve("pysat", items);
    const possible = solutionsOf(all);
    const costIn = (world: World) =>
      costs.reduce((sum, { clause, weight }) => sum + (isMet(clause, world) ? 0 : weight), 0);
    expect(answer.status).toBe(possible.length > 0 ? "sat" : "unsat");
    if (answer.status !== "sat") return;
    const world = worldOf(answer.model);
    expect(possible).toContainEqual(world);
    const least = Math.min(...possible.map(costIn));
    expect([answer["objective_value"], costIn(world)]).toEqual([least, least]);
    expect(answer["optimal"]).toBe(true);
  });
}

/** Conflicts have nothing to spare, the smallest ones are; what repairs a formula repairs it with nothing to spare. */
export function rightSubsets(models: Models) {
  const cases = fc.record({
    hard: fc.array(clauses, { maxLength: 3 }),
    soft: fc.array(clauses, { minLength: 1, maxLength: 8 }),
    engine: fc.constantFrom("MUSX", "OptUx", "LBX", "MCSls"),
  });
  return fc.asyncProperty(cases, async ({ hard, soft, engine }) => {
    const isPossible = (kept: readonly number[]) =>
      worlds.some((world) => [...hard, ...kept.map((i) => soft[i - 1] ?? [])].every((clause) => isMet(clause, world)));
    const everything = soft.map((_, i) => i + 1);
    fc.pre(isPossible([]) && !isPossible(everything));
    const lines = [
      ...hard.map((clause) => `formula.append(${JSON.stringify(clause)})`),
      ...soft.map((clause) => `formula.append(${JSON.stringify(clause)}, weight=1)`),
    ];
    const options = engine === "MUSX" ? ", verbosity=0" : "";
    const is_conflict = engine === "MUSX" || engine === "OptUx";
    const answer = await models.solve(
      "pysat",
      program(
        "WCNF",
        [],
        lines.join("\n"),
        `e = ${engine}(formula${options})\nfound = e.compute()`,
        exportOf(is_conflict),
      ),
    );
    // MCSls mixes up soft clauses that are equal; then nothing is called decided.
    if (engine === "MCSls" && answer.status === "unknown") {
      expect(new Set(soft.map((clause) => JSON.stringify([...clause].sort()))).size).toBeLessThan(soft.length);
      return;
    }
    expect(answer.status).toBe(is_conflict ? "unsat" : "sat");
    const core = numbersIn(is_conflict ? answer["unsat_core"] : answer.model?.["found"]);
    const without = (one: number) => core.filter((each) => each !== one);
    const fails = (chosen: readonly number[]) =>
      is_conflict ? !isPossible(chosen) : isPossible(everything.filter((each) => !chosen.includes(each)));
    expect(fails(core)).toBe(true);
    for (const one of core) expect(fails(without(one))).toBe(false);
    if (engine === "OptUx") expect(core.length).toBe(smallest(everything, fails));
  });
}

const exportOf = (is_conflict: boolean) =>
  is_conflict
    ? "export_solution({'satisfiable': False, 'unsat_core': sorted(found)})"
    : "export_solution({'satisfiable': True, 'found': sorted(found)})";

const numbersIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

function smallest(all: readonly number[], fails: (chosen: readonly number[]) => boolean): number {
  const sizes = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_, i) => ((bits >> i) & 1) === 1));
  return Math.min(...sizes.filter(fails).map((chosen) => chosen.length));
}

/** All models are found, each once, over all variables and over some. */
export function rightCounts(models: Models) {
  const cases = fc.record({
    all: constraints,
    over: fc.shuffledSubarray(names, { minLength: 1 }),
    solver: fc.constantFrom(...solvers.filter((name) => name !== "lingeling")),
  });
  return fc.asyncProperty(cases, async ({ all, over, solver }) => {
    const chosen = JSON.stringify(over);
    const answer: SolveAnswer = await models.solve("pysat", [
      ...program("CNF", all),
      `found = enumerate_models(formula, variables=${chosen})\ncount = count_models(formula, variables=${chosen})`,
      `seen = set()
with Solver(name='${solver}', bootstrap_with=formula) as s:
    while s.solve():
        true = set(s.get_model())
        one = tuple(v if v in true else -v for v in sorted(${chosen}))
        seen.add(one)
        s.add_clause([-v for v in one])`,
      "export_solution({'satisfiable': bool(found), 'found': [sorted(m, key=abs) for m in found], 'count': count, 'seen': sorted(seen)})",
    ]);
    const wanted = new Set(
      solutionsOf(all).map((world) =>
        JSON.stringify([...over].sort((a, b) => a - b).map((v) => (world.has(v) ? v : -v))),
      ),
    );
    expect(answer.status).toBe(wanted.size > 0 ? "sat" : "unsat");
    if (answer.status !== "sat") return;
    expect(answer.model?.["count"]).toBe(wanted.size);
    for (const key of ["found", "seen"]) {
      const listed = answer.model?.[key];
      expect((Array.isArray(listed) ? listed : []).map((each) => JSON.stringify(each)).sort()).toEqual(
        [...wanted].sort(),
      );
    }
  });
}
