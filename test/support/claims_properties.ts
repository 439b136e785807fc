import fc from "fast-check";
import { expect } from "vitest";
import type { Models } from "./models.ts";

/** Holds what an answer confirms of its values against trying all values: programs export right and wrong ones. */

const size = 3;
const largest = 3;
const places = [...Array(size).keys()];
const place = fc.integer({ min: 0, max: size - 1 });

type World = readonly number[];

interface Rule {
  readonly text: string;
  holds(world: World): boolean;
}

const rules: fc.Arbitrary<Rule> = fc
  .tuple(place, place, fc.constantFrom("<", "<=", "==", "!="), fc.integer({ min: -2, max: 2 }))
  .map(([a, b, sign, more]) => ({
    text: `x[${a}] ${sign} x[${b}] + ${more}`,
    holds(world) {
      const [left = 0, right = 0] = [world[a], (world[b] ?? 0) + more];
      return sign === "<" ? left < right : sign === "<=" ? left <= right : (left === right) === (sign === "==");
    },
  }));

/** What a program exports under one name, and whether a reader can trust it when it was computed right. */
interface Export {
  readonly text: string;
  readonly is_honest: boolean;
}

const error = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -2, max: 2 }) },
);
const errors = fc.tuple(error, error, error);
const honestly = (all: readonly number[]) => all.every((each) => each === 0);

const exported: fc.Arbitrary<Export> = fc.oneof(
  place.map((i) => ({ text: `'x_${i}': x[${i}]`, is_honest: true })),
  fc.tuple(place, error).map(([i, more]) => ({ text: `'x_${i}': g[${i}] + ${more}`, is_honest: more === 0 })),
  fc.tuple(place, place).map(([i, k]) => ({ text: `'x_${i}': x[${k}]`, is_honest: i === k })),
  errors.map((all) => ({ text: `'x': [a + b for a, b in zip(g, [${all}])]`, is_honest: honestly(all) })),
  errors.map((all) => ({
    text: `'plan': {f'x_{i}': a + b for i, (a, b) in enumerate(zip(g, [${all}]))}`,
    is_honest: honestly(all),
  })),
  place.map((i) => ({ text: `'x_${i}': early[${i}]`, is_honest: false })),
  fc.constant({ text: "'total': sum(g)", is_honest: true }),
);

const programs = fc.record({
  early: fc.array(rules, { maxLength: 1 }),
  later: fc.array(rules, { minLength: 1, maxLength: 3 }),
  is_best: fc.boolean(),
  exports: fc.array(exported, { minLength: 1, maxLength: 4 }),
});

/**
 * The values that an answer states for the variables, by name, index of a list or key of a dictionary; without the
 * unchecked ones.
 */
function statedOf(model: Readonly<Record<string, unknown>>, unchecked: readonly unknown[]): [number, unknown][] {
  return Object.entries(model).flatMap(([name, value]): [number, unknown][] => {
    if (unchecked.includes(name)) return [];
    if (/^x_\d$/.test(name)) return [[Number(name.slice(2)), value]];
    if (typeof value !== "object" || value === null)
      throw new Error(`${name} can't be checked, and is not said to be unchecked`);
    return Object.entries(value).map(([key, each]) => [Number(key.replace("x_", "")), each]);
  });
}

/**
 * All confirmed values belong to one solution, an optimal one if the answer claims that; honest programs are confirmed.
 */
export function rightClaims(models: Models) {
  return fc.asyncProperty(programs, async ({ early, later, is_best, exports }) => {
    const worlds = places.reduce<World[]>(
      (all) => all.flatMap((world) => [...Array(largest + 1).keys()].map((value) => [...world, value])),
      [[]],
    );
    const all_rules = [...early, ...later];
    const solutions = worlds.filter((world) => all_rules.every((rule) => rule.holds(world)));
    const best = Math.max(...solutions.map((world) => world[0] ?? 0));
    const read = "g = [m.eval(v, model_completion=True).as_long() for v in x]";
    const program = [
      `x = [Int(f'x_{i}') for i in range(${size})]`,
      `s = ${is_best ? "Optimize" : "Solver"}()`,
      `s.add(*[And(v >= 0, v <= ${largest}) for v in x])`,
      ...early.map(({ text }) => `s.add(${text})`),
      "s.check()\nm = s.model()",
      read.replace("g =", "early ="),
      ...later.map(({ text }) => `s.add(${text})`),
      ...(is_best ? ["s.maximize(x[0])"] : []),
      "if s.check() == sat:\n    m = s.model()",
      `    ${read}`,
      `    export_solution(s, {${exports.map(({ text }) => text).join(", ")}})`,
      "else:\n    export_solution(s, {})",
    ].join("\n");
    // A condition that no values meet ends the program at its first model.
    if (!worlds.some((world) => early.every((rule) => rule.holds(world)))) return;
    const { status, model, confirmed, optimal, unchecked } = await models.solve("z3", [program]);
    expect(status).toBe(solutions.length > 0 ? "sat" : "unsat");
    if (!model) return;
    const left_out = Array.isArray(unchecked) ? unchecked : [];
    // The last of several exports under one name counts.
    const counting = exports.filter(
      ({ text }, i) => !exports.slice(i + 1).some((each) => each.text.split(":")[0] === text.split(":")[0]),
    );
    if (counting.every(({ is_honest }) => is_honest)) {
      expect([confirmed, left_out.filter((name) => name !== "total")]).toEqual([true, []]);
    }
    if (!confirmed) return;
    const stated = statedOf(model, left_out);
    const wanted = solutions.filter((world) => !optimal || world[0] === best);
    expect(wanted.some((world) => stated.every(([i, value]) => world[i] === value))).toBe(true);
    if (is_best) expect(optimal).toBe(true);
  });
}

const literal = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()).map(([v, sign]) => (sign ? v : -v));
const clause = fc.uniqueArray(literal, { minLength: 1, maxLength: 3, selector: Math.abs });
const flips = fc.tuple(
  ...[1, 2, 3, 4].map(() =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(-1) }),
  ),
);

const questions = fc.record({
  hard: fc.array(clause, { minLength: 1, maxLength: 5 }),
  weights: fc.tuple(...[1, 2, 3, 4].map(() => fc.integer({ min: 1, max: 4 }))),
  is_best: fc.boolean(),
  flipped: flips,
  other: fc.array(clause, { maxLength: 2 }),
  exports: fc.uniqueArray(fc.constantFrom("whole", "as_dictionary", "list", "early", "positive", "engine"), {
    minLength: 1,
    maxLength: 3,
  }),
});

/** The same of PySAT: whole assignments are solutions of the clauses, with the proved cost. */
export function rightAssignments(models: Models) {
  return fc.asyncProperty(questions, async ({ hard, weights, is_best, flipped, other, exports }) => {
    const worlds = [...Array(16).keys()].map((bits) => [0, 1, 2, 3].map((i) => ((bits >> i) & 1 ? i + 1 : -i - 1)));
    // Each variable occurs in a clause, so that a solution has a value for it.
    const clauses = [...hard, ...[1, 2, 3, 4].map((v) => [v, -v])];
    const solutions = worlds.filter((world) => clauses.every((each) => each.some((one) => world.includes(one))));
    const cost = (world: World) => weights.reduce((sum, weight, i) => sum + (world.includes(i + 1) ? weight : 0), 0);
    const least = Math.min(...solutions.map(cost));
    const by_engine = exports.includes("engine");
    const values = {
      whole: "m",
      as_dictionary: "{abs(l): l > 0 for l in m}",
      list: "[m, m]",
      early: "early",
      positive: "[l for l in m if l > 0]",
    };
    const shown = exports.flatMap((each) => (each === "engine" ? [] : [`'${each}': ${values[each]}`]));
    const program = [
      `clauses = ${JSON.stringify(clauses)}`,
      `with Glucose3(bootstrap_with=${JSON.stringify([...other, ...[1, 2, 3, 4].map((v) => [v, -v])])}) as first:`,
      "    early = first.get_model() if first.solve() else []",
      "w = WCNF()",
      "for each in clauses: w.append(each)",
      ...weights.map((weight, i) => `w.append([-${i + 1}], weight=${weight})`),
      is_best ? "e = RC2(w)\nm = e.compute()" : "e = Glucose3(bootstrap_with=clauses)\ne.solve()\nm = e.get_model()",
      "if m is None:\n    export_solution({'satisfiable': False})",
      "else:",
      `    m = [l * f for l, f in zip(m, [${flipped}])]`,
      by_engine
        ? `    export_solution(e, variables={'engine': [1, 2, 3, 4]}${shown.length > 0 ? `, **{${shown.join(", ")}}` : ""})`
        : `    export_solution({'satisfiable': True, ${[...shown, ...(is_best ? ["'cost': e.cost"] : [])].join(", ")}})`,
    ].join("\n");
    const answer = await models.solve("pysat", [program]);
    expect(answer.status).toBe(solutions.length > 0 ? "sat" : "unsat");
    const { model, confirmed, optimal, unchecked } = answer;
    if (!model) return;
    const left_out = Array.isArray(unchecked) ? unchecked : [];
    if (optimal) expect(answer["objective_value"]).toBe(least);
    const is_honest = honestly(flipped.map((each) => each - 1)) && !exports.includes("early");
    if (is_honest && (other.length === 0 || !is_best))
      // A list without a negation may be a list of numbers of anything else.
      expect(left_out.filter((name) => /-|false/.test(JSON.stringify(model[String(name)])))).toEqual([]);
    if (!confirmed) return;
    for (const [name, value] of Object.entries(model)) {
      if (left_out.includes(name)) continue;
      expect(name).not.toBe("positive");
      for (const world of assignmentsIn(name, value)) {
        expect(solutions).toContainEqual(world);
        if (optimal) expect(cost(world)).toBe(least);
      }
    }
  });
}

function assignmentsIn(name: string, value: unknown): number[][] {
  if (typeof value !== "object" || value === null) throw new Error(`${name} is not an assignment`);
  if (!Array.isArray(value))
    return [Object.entries(value).map(([key, holds]) => (holds === true ? Number(key) : -Number(key)))];
  if (name === "engine") return [value.map((holds, i) => (holds === true ? i + 1 : -i - 1))];
  return value.every(Array.isArray) ? value : [value];
}
