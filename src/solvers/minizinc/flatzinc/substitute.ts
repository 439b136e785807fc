import type { Constraint, Expression, FlatZinc, Variable } from "./parse.ts";
import type { Rational } from "./rational.ts";

/** Stands for what was lost when a variable was not in the compiled model: no one can say or check it. */
const lost: Constraint = { name: "value_of_a_float", args: [] };

/** The compiled model with exact values in place of these variables, which are floats. */
export function substitute(model: FlatZinc, values: ReadonlyMap<string, Rational>): FlatZinc {
  const put = (given: Expression): Expression => {
    if (given.kind === "array") return { kind: "array", elements: given.elements.map(put) };
    const value = given.kind === "name" ? values.get(given.name) : undefined;
    return value ? { kind: "number", value, text: String(value.toNumber()), given: true } : given;
  };
  const removed = [...values.keys()].map((name) => model.variables.get(name));
  const { kind, objective } = model.goal;
  return {
    variables: new Map([...model.variables].filter(([name]) => !values.has(name))),
    arrays: new Map(
      [...model.arrays].map(([name, array]) => [name, { ...array, elements: array.elements.map(put) }] as const),
    ),
    constraints: [
      ...model.constraints.map(({ name, args }) => ({ name, args: args.map(put) })),
      ...removed.flatMap((variable) => (variable ? boundsOf(variable, put) : [lost])),
    ],
    goal: { kind, objective: objective && put(objective) },
  };
}

/** What the domain of a variable says. */
function boundsOf({ name, domain }: Variable, put: (given: Expression) => Expression): Constraint[] {
  const [low, high] = [domain?.[0]?.low, domain?.at(-1)?.high];
  if (!low || !high) return [];
  const own = put({ kind: "name", name });
  const side = (value: Rational): Expression => ({ kind: "number", value, text: `${value.toNumber()}.0`, given: true });
  return [
    { name: "float_le", args: [side(low), own] },
    { name: "float_le", args: [own, side(high)] },
  ];
}
