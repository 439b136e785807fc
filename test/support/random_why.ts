import { expect } from "vitest";
import { expectTrue, type Mask } from "./brute_why.ts";
import { Chance } from "./chance.ts";
import type { Models } from "./models.ts";

/** Random clauses over truth values, each an item of its own, with or without a weighted sum to keep small. */
interface System {
  readonly variables: number;
  /** Literals: 1 is the first variable, -1 its negation. */
  readonly clauses: readonly (readonly number[])[];
  readonly weights: readonly number[] | undefined;
}

/** The items of a system in a language; the clauses are the items from `first` on. */
interface Rendered {
  readonly items: readonly string[];
  readonly first: number;
}

type Render = (system: System) => Rendered;

const sum = (weights: readonly number[], term: (index: number) => string) =>
  weights.map((weight, index) => `(${weight})*${term(index)}`).join(" + ");

function rendered(head: readonly string[], clauses: readonly string[], tail: readonly string[] = []): Rendered {
  return { items: [...head, ...clauses, ...tail], first: head.length };
}

const renders: Readonly<Record<string, Render>> = {
  asp: ({ variables, clauses, weights }) =>
    rendered(
      [
        `{a(1..${variables})}.`,
        ...(weights ? [`#minimize{${weights.map((weight, i) => `${weight},${i + 1}: a(${i + 1})`).join("; ")}}.`] : []),
      ],
      clauses.map((clause) => `:- ${clause.map((each) => (each > 0 ? `not a(${each})` : `a(${-each})`)).join(", ")}.`),
    ),
  minizinc: ({ variables, clauses, weights }) =>
    rendered(
      [
        `array[1..${variables}] of var bool: x;`,
        weights ? `solve minimize ${sum(weights, (i) => `bool2int(x[${i + 1}])`)};` : "solve satisfy;",
      ],
      clauses.map(
        (clause) => `constraint ${clause.map((each) => (each > 0 ? `x[${each}]` : `not x[${-each}]`)).join(" \\/ ")};`,
      ),
    ),
  z3: ({ variables, clauses, weights }) => {
    const literals = (clause: readonly number[]) =>
      clause.map((each) => (each > 0 ? `x[${each - 1}]` : `Not(x[${-each - 1}])`)).join(", ");
    const kind = weights ? "Optimize" : variables % 2 === 0 ? "Solver" : undefined;
    return rendered(
      [`x = [Bool(f"x{i}") for i in range(${variables})]${kind ? `\ns = ${kind}()` : ""}`],
      clauses.map((clause, i) => {
        const or = `Or(${literals(clause)})`;
        if (!kind) return or;
        return clause.length === 1 && !weights ? `s.assert_and_track(${or}, "rule${i}")` : `s.add(${or})`;
      }),
      weights ? [`s.minimize(Sum([${weights.map((weight, i) => `If(x[${i}], ${weight}, 0)`).join(", ")}]))`] : [],
    );
  },
  pysat: ({ clauses, weights }) => {
    if (!weights && clauses.length % 2 === 0)
      return rendered(
        ["from pysat.solvers import Glucose4\ns = Glucose4()"],
        clauses.map((clause) => `s.add_clause([${clause.join(", ")}])`),
        ["s.solve()\nexport_solution(s)"],
      );
    const soft = (weights ?? []).flatMap((weight, i) =>
      weight === 0 ? [] : [`w.append([${weight > 0 ? -(i + 1) : i + 1}], weight=${Math.abs(weight)})`],
    );
    return rendered(
      [weights ? "w = WCNF()" : "w = CNF()"],
      clauses.map((clause) => `w.append([${clause.join(", ")}])`),
      weights
        ? [...soft, "r = RC2(w)\nr.compute()\nexport_solution(r)"]
        : ["s = Cadical153(bootstrap_with=w)\ns.solve()\nexport_solution(s)"],
    );
  },
  cpmpy: ({ variables, clauses, weights }) =>
    rendered(
      [`x = cp.boolvar(shape=${variables}, name="x")\nm = cp.Model()`],
      clauses.map(
        (clause) =>
          `m += cp.any([${clause.map((each) => (each > 0 ? `x[${each - 1}]` : `~x[${-each - 1}]`)).join(", ")}])`,
      ),
      weights ? [`m.minimize(${sum(weights, (i) => `x[${i}]`)})`] : [],
    ),
  ortools: ({ variables, clauses, weights }) =>
    rendered(
      [`m = cp_model.CpModel()\nx = [m.new_bool_var(f"x{i}") for i in range(${variables})]`],
      clauses.map(
        (clause) =>
          `m.add_bool_or([${clause.map((each) => (each > 0 ? `x[${each - 1}]` : `~x[${-each - 1}]`)).join(", ")}])`,
      ),
      weights ? [`m.minimize(${sum(weights, (i) => `x[${i}]`)})`] : [],
    ),
};

/** Whether an assignment, as the bits of a number, satisfies a clause. */
function holds(clause: readonly number[], values: number): boolean {
  return clause.some((each) => Boolean(values & (1 << (Math.abs(each) - 1))) === each > 0);
}

function randomSystem(chance: Chance): System {
  const below = (n: number) => chance.between(0, n - 1);
  const variables = 2 + below(3);
  const literal = () => (1 + below(variables)) * (chance.next() < 0.5 ? 1 : -1);
  const clauses = [...Array(3 + below(4))].map(() => [...new Set([...Array(1 + below(2))].map(literal))]);
  const weights = chance.next() < 0.5 ? [...Array(variables)].map(() => below(8) - 3) : undefined;
  return { variables, clauses, weights };
}

/** What is true of a system: the best sum, and whether kept clauses allow a solution that is better. */
function truth({ variables, clauses, weights }: System) {
  const all = [...Array(1 << variables).keys()];
  const cost = (values: number) =>
    (weights ?? []).reduce((total, weight, i) => total + (values & (1 << i) ? weight : 0), 0);
  const solutions = all.filter((values) => clauses.every((clause) => holds(clause, values)));
  const best = solutions.length > 0 ? Math.min(...solutions.map(cost)) : undefined;
  const isSat = (kept: Mask) =>
    all.some(
      (values) =>
        (best === undefined || cost(values) < best) &&
        clauses.every((clause, i) => !(kept & (1 << i)) || holds(clause, values)),
    );
  return { best, isSat };
}

interface Place {
  readonly item: number;
}

interface Why {
  readonly about: string;
  readonly core: readonly Place[];
  readonly core_minimal: boolean;
  readonly drop: readonly { readonly items: readonly Place[]; readonly proved: string }[];
  readonly drop_complete: boolean;
  readonly undecided: readonly string[];
}

/**
 * Compares `why` of random models with all subsets of their clauses. Everything has to be decided: the models are tiny.
 * Gives the number of explanations.
 */
export async function whyIsRight(models: Models, language: string, runs: number, seed: number): Promise<number> {
  const render = renders[language];
  if (!render) throw new Error(`no rendering for ${language}`);
  const chance = new Chance(seed);
  let explained = 0;
  for (let run = 0; run < runs; run++) {
    const system = randomSystem(chance);
    const { best, isSat } = truth(system);
    if (best !== undefined && !system.weights) continue;
    explained++;
    const { items, first } = render(system);
    const about = `${language}, seed ${seed}, run ${run}:\n${items.join("\n")}\n`;
    const answer = await models.solve(language, items, 60_000, { why: true });
    const why = answer["why"] as Why | undefined;
    expect(why, `${about}${JSON.stringify(answer)}`).toMatchObject({
      about: best === undefined ? "unsat" : "optimum",
      undecided: [],
      core_minimal: true,
    });
    if (!why) continue;
    const indices = (places: readonly Place[]) => places.map(({ item }) => item - first);
    const drop = why.drop.map(({ items: places, proved }) => ({ parts: indices(places), proved }));
    expectTrue({ ...why, core: indices(why.core), drop }, system.clauses.length, isSat, about + JSON.stringify(why));
    const helps = isSat(0);
    expect(why.drop.length > 0, `${about}: something helps`).toBe(helps);
    for (const { proved } of drop) expect(proved, about).not.toBe("enough");
  }
  return explained;
}
