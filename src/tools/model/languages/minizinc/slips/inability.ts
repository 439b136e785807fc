import { kindOf } from "../../../../../evidence/flatzinc/trust.ts";

/** Solver messages about unsupported constraints. */
const missing_constraint = /cannot handle constraint: (\w+)|Constraint (\w+) not found/;

/** Functions of real variables that few solvers support, recognised by the FlatZinc constraints they compile to. */
const real_functions = /^(?:fzn_)?float_(a?sinh?|a?cosh?|a?tanh?|exp|ln|log2|log10|pow)$/;

/**
 * Suggests steps if a solver does not support a model; undefined if the message means something else. Never recommends
 * the same solver.
 */
export function inabilitySteps(message: string, solver: string): string[] | undefined {
  const match = missing_constraint.exec(message);
  const constraint = match?.[1] ?? match?.[2];
  if (constraint !== undefined) return stepsForConstraint(constraint, solver);
  if (not_linear.test(message)) return steps_for_products;
  if (!/not supported|cannot handle/i.test(message)) return undefined;
  if (solver === "gecode") return [leave_out, rewrite, exact];
  if (kindOf(solver) !== "linear" && /\bfloat\b|\d\.\d/.test(message))
    return [
      'use solver "highs" if reals are only added and compared, "gecode" if they are multiplied',
      "or scale to integers (cents instead of 0.01)",
      exact,
    ];
  return [
    'use solver "gecode", which has integers, floats and sets; chuffed has integers only, highs and coin-bc multiply only variables with small bounds',
    rewrite,
  ];
}

/** Phrased as a condition, since a call that named no solver has already tried all of them. */
const leave_out = "if the call names a solver, remove it: Verdict then chooses one that supports the model";
const rewrite = "or state this constraint without the unsupported construct";
const exact = "or model it in the language z3, whose integers and reals are exact";

/** Messages about non-linear expressions from MiniZinc's libraries for linear solvers. */
export const not_linear = /unable to (?:create linear|linearize)/i;

/**
 * The suggested steps if a linear solver would have to multiply: only products of integers with small bounds can be
 * written as sums.
 */
export const steps_for_products = [
  'use solver "gecode", which multiplies reals, or leave solver out: Verdict then chooses one, or asks Z3',
  "or multiply reals only by constants: highs and coin-bc solve sums, and products of integers with small bounds",
  exact,
];

function stepsForConstraint(constraint: string, solver: string): string[] {
  const name = real_functions.exec(constraint)?.[1];
  if (name === "pow")
    return [
      "write a power of a real variable as a product: x * x * x instead of pow(x, 3.0)",
      "or model it in the language z3, whose reals are exact",
    ];
  if (name !== undefined)
    return [
      `replace ${name} with a table over an index: array[0..100] of float: ${name}_table = [${name}(i / 10) | i in 0..100]; var 0..100: i; and ${name}_table[i]`,
      `or ask the user to set VERDICT_MINIZINC to a native MiniZinc whose Gecode supports ${name} of variables; no embedded solver does`,
    ];
  if (constraint === "int_pow")
    return [
      "if the call names a solver, remove it: highs supports powers of integers with small bounds",
      "or write a table: array[0..10] of int: powers = [pow(2, i) | i in 0..10]; and powers[n] instead of pow(2, n)",
    ];
  return [leave_out, `or state it without the construct that is compiled to ${constraint} for ${solver}`, exact];
}
