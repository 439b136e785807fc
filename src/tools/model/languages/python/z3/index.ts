import { question_kinds } from "../../questions/kinds.ts";
import type { PythonLanguage } from "../language.ts";
import guide from "./guide.md";
import { hints } from "./hints.ts";

const slips = [
  { sign: /&&/, cure: "write And(p, q) for `p && q`" },
  { sign: /\|\|/, cure: "write Or(p, q) for `p || q`" },
  { sign: /^(?!\s*(?:async\s+)?def\b).*[^<]->|[^<]=>/, cure: "write Implies(p, q) for `p -> q`" },
  { sign: /<->|<=>/, cure: "write p == q for `p <-> q`" },
  { sign: /(?:^|[\s(,=])!\s*[\w(]/, cure: "write Not(p) for `!p`" },
];

/** Z3 in Python: integers, reals, bit-vectors, arrays, strings, functions; optimisation. */
export const z3: PythonLanguage = {
  id: "z3",
  name: "Z3",
  sign: /\b(?:import|from) z3\b|\b(?:Ints?|Bools?|Reals?|BitVecs?|Optimize|IntVector|BoolVector)\(/,
  also: ["z3py"],
  title: "How to model in Z3's Python",
  guide,
  slips,
  hints,
  takes: ["check", "why", ...question_kinds],
  second: "cvc5",
};
