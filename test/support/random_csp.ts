import fc from "fast-check";

/** A small model with its answer by brute force. */
export interface RandomCsp {
  readonly items: readonly string[];
  /** All solutions, as values of a, b, c. */
  readonly solutions: readonly (readonly number[])[];
  /** The best value of the objective; undefined without one, or without a solution. */
  readonly best: number | undefined;
}

interface Constraint {
  readonly text: string;
  readonly holds: (values: readonly number[]) => boolean;
}

const names = ["a", "b", "c"] as const;
const index = fc.integer({ min: 0, max: 2 });
const small = fc.integer({ min: -4, max: 6 });
const at = (values: readonly number[], i: number) => values[i] ?? 0;

const linear = fc.tuple(small, small, small, small).map(
  ([p, q, r, k]): Constraint => ({
    text: `${p}*a + ${q}*b + ${r}*c <= ${k}`,
    holds: (v) => p * at(v, 0) + q * at(v, 1) + r * at(v, 2) <= k,
  }),
);

const product = fc.tuple(index, index, small).map(
  ([i, j, k]): Constraint => ({
    text: `${names[i]} * ${names[j]} = ${k}`,
    holds: (v) => at(v, i) * at(v, j) === k,
  }),
);

const different = fc.tuple(index, index, small).map(
  ([i, j, k]): Constraint => ({
    text: `${names[i]} != ${names[j]} + ${k}`,
    holds: (v) => at(v, i) !== at(v, j) + k,
  }),
);

const simple = fc.oneof(linear, product, different);
const constraint = fc.oneof(
  simple,
  fc.tuple(simple, simple).map(
    ([p, q]): Constraint => ({
      text: `(${p.text}) \\/ (${q.text})`,
      holds: (v) => p.holds(v) || q.holds(v),
    }),
  ),
  fc.tuple(simple, simple).map(
    ([p, q]): Constraint => ({
      text: `(${p.text}) -> (${q.text})`,
      holds: (v) => !p.holds(v) || q.holds(v),
    }),
  ),
);

const goal = fc.constantFrom("satisfy", "minimize", "maximize");
const weights = fc.tuple(small, small, small);

/** Three variables over -3..4, some constraints, with or without an objective. */
export const random_csp: fc.Arbitrary<RandomCsp> = fc
  .record({ constraints: fc.array(constraint, { minLength: 1, maxLength: 5 }), goal, weights })
  .map(({ constraints, goal, weights: [p, q, r] }) => {
    const range = Array.from({ length: 8 }, (_, i) => i - 3);
    const all = range.flatMap((a) => range.flatMap((b) => range.map((c) => [a, b, c])));
    const solutions = all.filter((values) => constraints.every(({ holds }) => holds(values)));
    const costs = solutions.map((v) => p * at(v, 0) + q * at(v, 1) + r * at(v, 2));
    const best =
      goal === "satisfy" || costs.length === 0
        ? undefined
        : goal === "minimize"
          ? Math.min(...costs)
          : Math.max(...costs);
    const items = [
      ...names.map((name) => `var -3..4: ${name};`),
      ...constraints.map(({ text }) => `constraint ${text};`),
      goal === "satisfy" ? "solve satisfy;" : `solve ${goal} ${p}*a + ${q}*b + ${r}*c;`,
    ];
    return { items, solutions, best };
  });
