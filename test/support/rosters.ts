/** A roster: who works on each day. A day needs one person, and a person works on two days at most. */
export interface Roster {
  /** Days on which a person is away, both counted from 1. */
  readonly away: readonly (readonly [person: number, day: number])[];
  /** The second person does not work on the day after the first one. */
  readonly not_after: readonly [number, number];
  /** The cost of each person on each day. */
  readonly cost: readonly (readonly number[])[];
}

const people = [1, 2, 3];
const days = [1, 2, 3, 4, 5];

/** Rosters from a fixed seed. */
export function rosters(count: number): Roster[] {
  let state = 20_261_129;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: count }, () => {
    const first = 1 + next(3);
    return {
      away: [[1 + next(3), 1 + next(5)]] as const,
      not_after: [first, (first % 3) + 1] as const,
      cost: people.map(() => days.map(() => next(7))),
    };
  });
}

/** All rosters that are allowed, as the person of each day. */
function allowed({ away, not_after: [one, other] }: Roster): number[][] {
  const all = days.reduce<number[][]>((rows, _) => rows.flatMap((row) => people.map((each) => [...row, each])), [[]]);
  return all.filter(
    (row) =>
      people.every((person) => row.filter((each) => each === person).length <= 2) &&
      away.every(([person, day]) => row[day - 1] !== person) &&
      row.every((person, i) => person !== one || row[i + 1] !== other),
  );
}

/** The least number of changes of a plan, and the least cost with as few; undefined where no roster is allowed. */
export function leastOf(roster: Roster, plan: readonly unknown[]): { changes: number; cost: number } | undefined {
  const rows = allowed(roster).map((row) => ({
    changes: row.filter((person, i) => person !== plan[i]).length,
    cost: row.reduce((sum, person, i) => sum + (roster.cost[person - 1]?.[i] ?? 0), 0),
  }));
  return rows.toSorted((one, other) => one.changes - other.changes || one.cost - other.cost)[0];
}

/** The person of each day in an answer. */
export function planIn(values: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { on } = values;
  if (!Array.isArray(on)) return [];
  if (!Array.isArray(on[0])) return on;
  return on.toSorted(([one], [other]) => one - other).map(([, person]) => person);
}

const costs = ({ cost }: Roster) => `[${cost.map((each) => `[${each.join(", ")}]`).join(", ")}]`;

/** The roster as items of a language. The answer has `on`. */
export const roster_texts: Readonly<Record<string, (roster: Roster) => string[]>> = {
  minizinc: ({ away, not_after: [one, other], cost }) => [
    "array[1..5] of var 1..3: on;",
    `array[1..3, 1..5] of int: cost = [| ${cost.map((each) => each.join(", ")).join(" | ")} |];`,
    "constraint forall(p in 1..3)(sum(d in 1..5)(on[d] = p) <= 2);",
    ...away.map(([person, day]) => `constraint on[${day}] != ${person};`),
    `constraint forall(d in 1..4)(on[d] = ${one} -> on[d + 1] != ${other});`,
    "solve minimize sum(d in 1..5)(cost[on[d], d]);",
  ],
  asp: ({ away, not_after: [one, other], cost }) => [
    "1 { on(D,P) : P = 1..3 } 1 :- D = 1..5.",
    ":- P = 1..3, #count { D : on(D,P) } > 2. #show on/2.",
    ...away.map(([person, day]) => `:- on(${day},${person}).`),
    `:- on(D,${one}), on(D+1,${other}).`,
    cost.flatMap((each, p) => each.map((c, d) => `cost(${p + 1},${d + 1},${c}).`)).join(" "),
    ":~ on(D,P), cost(P,D,C). [C,D]",
  ],
  z3: (roster) => [
    `on = [Int(f"on{d}") for d in range(5)]\ncost = ${costs(roster)}\ns = Optimize()\ns.add([And(1 <= each, each <= 3) for each in on])`,
    "s.add([Sum([If(each == p, 1, 0) for each in on]) <= 2 for p in (1, 2, 3)])",
    ...roster.away.map(([person, day]) => `s.add(on[${day - 1}] != ${person})`),
    `s.add([Implies(on[d] == ${roster.not_after[0]}, on[d + 1] != ${roster.not_after[1]}) for d in range(4)])`,
    "s.minimize(Sum([If(on[d] == p, cost[p - 1][d], 0) for d in range(5) for p in (1, 2, 3)]))\nexport_solution(solver=s, variables={'on': on})",
  ],
  ortools: (roster) => [
    `from ortools.sat.python import cp_model\nm = cp_model.CpModel()\ncost = ${costs(roster)}\nb = {(p, d): m.new_bool_var(f"b{p}_{d}") for p in (1, 2, 3) for d in range(5)}`,
    "for d in range(5):\n    m.add_exactly_one(b[p, d] for p in (1, 2, 3))\nfor p in (1, 2, 3):\n    m.add(sum(b[p, d] for d in range(5)) <= 2)",
    ...roster.away.map(([person, day]) => `m.add(b[${person}, ${day - 1}] == 0)`),
    `for d in range(4):\n    m.add(b[${roster.not_after[0]}, d] + b[${roster.not_after[1]}, d + 1] <= 1)`,
    "m.minimize(sum(cost[p - 1][d] * b[p, d] for p in (1, 2, 3) for d in range(5)))\ns = cp_model.CpSolver()\ns.solve(m)\nexport_solution({'on': [sum(p * b[p, d] for p in (1, 2, 3)) for d in range(5)]})",
  ],
  cpmpy: (roster) => [
    `import cpmpy as cp\non = cp.intvar(1, 3, shape=5, name='on')\ncost = ${costs(roster)}\nm = cp.Model()`,
    "for p in (1, 2, 3):\n    m += cp.sum(on == p) <= 2",
    ...roster.away.map(([person, day]) => `m += on[${day - 1}] != ${person}`),
    `for d in range(4):\n    m += (on[d] == ${roster.not_after[0]}).implies(on[d + 1] != ${roster.not_after[1]})`,
    "m.minimize(cp.sum([cost[p - 1][d] * (on[d] == p) for p in (1, 2, 3) for d in range(5)]))\nm.solve()\nexport_solution({'on': on})",
  ],
};
