import { question_kinds } from "../../questions/kinds.ts";
import type { PythonLanguage } from "../language.ts";
import guide from "./guide.md";

const slips = [
  { sign: /&&/, cure: "write p & q, or two constraints, for `p && q`" },
  { sign: /\|\|/, cure: "write p | q for `p || q`" },
  { sign: /^(?!\s*(?:async\s+)?def\b).*[^<]->|[^<]=>/, cure: "write p.implies(q) for `p -> q`" },
  { sign: /<->|<=>/, cure: "write p == q for `p <-> q`" },
];

const hints = [
  {
    type: /TypeError/,
    message: /_(?:Int|Bool)VarImpl' object is not (?:subscriptable|iterable)|len\(\) of unsized object/,
    steps: ["shape=1 creates one variable, not an array: write shape=(1,), or remove the index"],
  },
  {
    type: /Exception/,
    message: /constraints must be expressions that return a Boolean value/,
    steps: [
      "compare a number to make it a constraint: x == 1 in place of x, values[x] == 1 in place of values[x]",
      "declare what is true or false with cp.boolvar(shape=n)",
    ],
  },
  {
    type: /TypeError/,
    message: /(?:int|bool)var\(\) missing 1 required positional argument/,
    steps: [
      "write x = cp.intvar(min(values), max(values), shape=n) and m += [cp.InDomain(each, values) for each in x]",
    ],
  },
  {
    type: /TypeError/,
    message: /Element\.__init__\(\) takes 3 positional/,
    steps: ["write cp.cpm_array(rows)[x, y] for an element of a matrix"],
  },
  {
    type: /TypeError/,
    message: /slice indices must be integers|object cannot be interpreted as an integer/,
    steps: [
      "a variable can't be the bound of a slice or a range: loop over all i, and write (i < x).implies(c) for what holds up to x",
    ],
  },
  {
    type: /TypeError|RuntimeError|OverflowError/,
    message:
      /incompatible (?:constructor|function) arguments|Unable to cast Python instance of type <class 'int'>|too (?:large|big)/,
    steps: ["keep sums below 2**53 (split long numbers into digits with carries), or write m.solve(solver='z3')"],
  },
  {
    type: /AssertionError/,
    message: /IntVar (?:lower|upper)bound must be integer/,
    steps: [
      "a bound is one number for all variables: for individual bounds, write [cp.intvar(0, most) for most in bounds]",
    ],
  },
  {
    type: /AttributeError/,
    message: /'Model' object has no attribute '(?:add_?[Cc]onstraints?|constrain|assert|require|subject_to)'/,
    steps: ["write m += constraint, or m.add(constraint)"],
  },
  {
    type: /AttributeError/,
    message: /'(?:bool|bool_)' object has no attribute 'implies'/,
    steps: ["both sides of that comparison are plain values: write `if` for it, or cp.BoolVal(value).implies(q)"],
  },
  {
    type: /NotImplementedError/,
    message: /Not a known var \(/,
    steps: [
      "a function takes one expression, not an array: write [cp.Abs(each) for each in xs] in place of cp.Abs(xs)",
    ],
  },
  {
    type: /TypeError/,
    message: /only boolean expression allowed in IfThenElse/,
    steps: ["cp.IfThenElse takes three constraints: for a number write p * a + (1 - p) * b"],
  },
  {
    type: /UnboundLocalError/,
    message: /.*/,
    steps: ["`m += c` in a function needs the line `global m` before it; or write m.add(c)"],
  },
  {
    type: /TypeError/,
    message: /is a number, did you forget|Only Boolean arguments/,
    steps: ["a truth value is a constraint: write x == 1 in place of x, and brackets: (x == 2) | (y < 5)"],
  },
  {
    type: /TypeError/,
    message: /not JSON serializable/,
    steps: ["write int(x.value()): json does not accept numpy's numbers"],
  },
  {
    type: /ValueError/,
    message: /truth|ambiguous|bool/i,
    steps: [
      "write (x > 1) & (y > 2), with brackets, instead of `x > 1 and y > 2`",
      "write cp.max, cp.min, cp.any and cp.all instead of Python's own",
    ],
  },
  {
    type: /TypeError/,
    message: /integers|float/,
    steps: ["use integers: scale decimals"],
  },
  {
    type: /TypeError/,
    message: /NoneType/,
    steps: ["without a solution, x.value() is None: check the result of m.solve() first"],
  },
  {
    type: /NotSupportedError/,
    message: /kwargs/,
    steps: [
      "name the solver: m.solve(solver='ortools', …)",
      "or remove m.solve(): the only model is then solved automatically",
    ],
  },
];

/** CPMpy in Python: constraint programming, solved by OR-Tools CP-SAT by default. */
export const cpmpy: PythonLanguage = {
  id: "cpmpy",
  name: "CPMpy",
  sign: /\b(?:import|from) cpmpy\b|\bcp\.(?:Model|intvar|boolvar)\(/,
  needs: "model_cp",
  solver_needs: { exact: "model_cp_exact", pumpkin: "model_cp_pumpkin" },
  title: "How to model in CPMpy",
  guide,
  slips,
  hints,
  takes: ["solver", "all_solutions", "max_solutions", "check", ...question_kinds, "why", "reproducible"],
};
