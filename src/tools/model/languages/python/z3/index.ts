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

const bit_vectors = /\b(?:BitVecs?|BitVecVal|BitVecSort|BV2Int|Int2BV|LShR|UDiv|URem|RotateLeft|RotateRight)\b/;
const beyond_numbers =
  /\b(?:ForAll|Exists|Lambda|Function|RecFunction|DeclareSort|Datatype|EnumSort|Array|ArraySort|Strings?|StringVal|Seq\w*|Re|FPs?|FPVal|Float\d+|Fixedpoint)\b/;

const powers = /\*\*|\b([A-Za-z_]\w*)\s*\*\s*\1\b/;
const reals = /\bReal(?:s|Val|Vector|Sort)?\b/;

/**
 * Suggests another solver for problems on which Z3 is slow: counting, sums and schedules. For bit-vectors, Bitwuzla is
 * faster. The linear solvers of MiniZinc do not multiply variables, and CPMpy has no reals.
 */
function orElsewhere(items: readonly string[]): string {
  if (items.some((item) => beyond_numbers.test(item))) return "";
  if (items.some((item) => bit_vectors.test(item)))
    return ", or send it to solve_smtlib as SMT-LIB, which print(s.to_smt2()) before the check shows: there, Bitwuzla also solves bit-vectors";
  if (items.some((item) => powers.test(item))) return "";
  if (items.some((item) => reals.test(item)))
    return ", or, if it is linear, state it in the language minizinc with solver highs";
  return ", or state it in the language minizinc with solver highs (counting and sums), or in the language cpmpy (schedules and routes)";
}

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
  orElsewhere,
};
