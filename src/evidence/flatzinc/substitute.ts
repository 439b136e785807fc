import { evaluate } from "./evaluate.ts";
import { is_irrational } from "./meaning.ts";
import type { Constraint, Expression, FlatZinc, Variable } from "./parse.ts";
import { Rational } from "./rational.ts";

/**
 * Stands in for the constraints on a variable that is missing from the compiled model; it can't be translated or
 * checked.
 */
const lost: Constraint = { name: "value_of_a_float", args: [] };

/** The compiled model with these float variables replaced by their exact values. */
export function substitute(model: FlatZinc, values: ReadonlyMap<string, Rational>): FlatZinc {
  const substituted = replaced(model, values);
  const removed = [...values.keys()].map((name) => model.variables.get(name));
  const put = (expression: Expression) => putIn(expression, values);
  return {
    ...substituted,
    variables: new Map([...model.variables].filter(([name]) => !values.has(name))),
    constraints: [
      ...substituted.constraints,
      ...removed.flatMap((variable) => (variable ? boundsOf(variable, put) : [lost])),
    ],
  };
}

/** Inserts the float values that follow from the model's numbers, so that products with them are linear. */
export function withConstants(model: FlatZinc): FlatZinc {
  const { values, defining } = evaluate(model, new Map());
  const floats = new Map<string, Rational>();
  for (const [name, value] of values)
    if (model.variables.get(name)?.type === "float" && value instanceof Rational) floats.set(name, value);
  // Values computed in doubles here are not exact.
  if ([...defining].some(({ name }) => is_irrational.test(name))) return model;
  const substituted = replaced(model, floats);
  const own = [...floats.keys()].map((name): Constraint => {
    const variable: Expression = { kind: "name", name };
    return { name: "float_eq", args: [variable, putIn(variable, floats)] };
  });
  return { ...substituted, constraints: [...substituted.constraints, ...own] };
}

function replaced(model: FlatZinc, values: ReadonlyMap<string, Rational>): FlatZinc {
  const put = (expression: Expression) => putIn(expression, values);
  const { kind, objective } = model.goal;
  return {
    variables: model.variables,
    arrays: new Map(
      [...model.arrays].map(([name, array]) => [name, { ...array, elements: array.elements.map(put) }] as const),
    ),
    constraints: model.constraints.map(({ name, args }) => ({ name, args: args.map(put) })),
    goal: { kind, objective: objective && put(objective) },
  };
}

function putIn(expression: Expression, values: ReadonlyMap<string, Rational>): Expression {
  if (expression.kind === "array")
    return { kind: "array", elements: expression.elements.map((each) => putIn(each, values)) };
  const value = expression.kind === "name" ? values.get(expression.name) : undefined;
  return value ? { kind: "number", value, text: String(value.toNumber()), substituted: true } : expression;
}

/** The constraint stated by a variable's domain. */
function boundsOf({ name, domain }: Variable, put: (expression: Expression) => Expression): Constraint[] {
  const [low, high] = [domain?.[0]?.low, domain?.at(-1)?.high];
  if (!low || !high) return [];
  const own = put({ kind: "name", name });
  const side = (value: Rational): Expression => ({
    kind: "number",
    value,
    text: `${value.toNumber()}.0`,
    substituted: true,
  });
  return [
    { name: "float_le", args: [side(low), own] },
    { name: "float_le", args: [own, side(high)] },
  ];
}
