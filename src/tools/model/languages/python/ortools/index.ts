import { question_kinds } from "../../questions/kinds.ts";
import type { PythonLanguage } from "../language.ts";
import guide from "./guide.md";

const slips = [
  { sign: /&&/, cure: "write two constraints, or model.add_bool_and([p, q]), for `p && q`" },
  { sign: /\|\|/, cure: "write model.add_bool_or([p, q]) for `p || q`" },
  { sign: /^(?!\s*(?:async\s+)?def\b).*[^<]->|[^<]=>/, cure: "write model.add(…).only_enforce_if(p) for `p -> …`" },
];

const literal = [
  "a condition is not a literal: b = model.new_bool_var('b'), model.add(x == 1).only_enforce_if(b), model.add(x != 1).only_enforce_if(~b), and b in its place",
];

const product = "write model.add_multiplication_equality(z, [x, y]) for a product, where z is a new variable";
const whole = "use whole numbers: multiply a comparison so that all its numbers are integers, and scale decimals";

const hints = [
  { type: /TypeError/, message: /^__r?mul__\(\)[\s\S]*Invoked with: .*\(.*, .*\(/, steps: [product] },
  { type: /TypeError/, message: /^__\w+__\(\)[\s\S]*Invoked with: .*, -?\d*\.\d+\s*$/, steps: [whole] },
  {
    type: /TypeError/,
    message: /new_\w*var\w*\(\) missing 1 required positional argument: 'name'/,
    steps: ["give each variable a name as its last argument, such as model.new_int_var(0, 10, 'x')"],
  },
  { type: /TypeError/, message: /Invalid boolean literal/, steps: literal },
  {
    type: /TypeError/,
    message: /BoundedLinearExpression/,
    steps: [...literal, "to count, sum such literals: model.add(sum(bs) == 2)"],
  },
  {
    type: /NotImplementedError|TypeError/,
    message: /type\(s\) for (?:\/\/|%|\*\*|pow)|calling (?:\/\/|%|\*\*|abs|pow|div|mod)/,
    steps: [
      "create a variable for the result: model.add_division_equality(q, a, b) for a // b, model.add_modulo_equality(r, a, b) for a % b, model.add_multiplication_equality(p, [a, b]) for a * b, model.add_abs_equality(d, a) for abs(a)",
    ],
  },
  {
    type: /NotImplementedError/,
    message: /.*/,
    steps: [
      "write two constraints for 1 <= x <= 2, and model.add_bool_or([a, b]) for `a or b`",
      "attach a literal to a comparison with model.add(…).only_enforce_if(b)",
      "for max(x) and min(x) of variables, write model.add_max_equality(y, x) and model.add_min_equality(y, x), where y is a new variable",
    ],
  },
  {
    type: /AttributeError/,
    message: /SolveWithSolutionCallback/,
    steps: ["write solver.solve(model, callback): OR-Tools no longer has any other method for this"],
  },
  {
    type: /TypeError/,
    message: /float|unsupported operand|incompatible|integer/,
    steps: [whole, product],
  },
];

/** OR-Tools in Python: CP-SAT through `cp_model`. */
export const ortools: PythonLanguage = {
  id: "ortools",
  name: "OR-Tools",
  sign: /\bortools\.(?:sat|math_opt)\b|\bcp_model\b|\bmathopt\.|\.(?:NewIntVar|NewBoolVar|AddAllDifferent|new_int_var|new_bool_var|add_all_different)\(/,
  needs: "model_cp",
  also: ["cp_model", "cp-sat", "cpsat", "or-tools", "or_tools"],
  title: "How to model in OR-Tools (CP-SAT)",
  guide,
  slips,
  hints,
  takes: ["all_solutions", "max_solutions", "check", ...question_kinds, "why", "reproducible"],
};
