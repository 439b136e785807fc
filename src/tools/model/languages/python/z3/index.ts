import type { Python } from "../../../../../engines/python/index.ts";
import { asking } from "../../../../../engines/smt/second.ts";
import type { Language } from "../../../language.ts";
import { question_kinds } from "../../questions/options.ts";
import type { Others } from "../confirm/second.ts";
import { pythonLanguage } from "../language.ts";
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
export function z3(python: Python, { cvc5 }: Others): Language {
  return pythonLanguage(python, {
    id: "z3",
    also: ["z3py"],
    title: "How to model in Z3's Python",
    guide,
    slips,
    hints,
    takes: ["check", "why", ...question_kinds],
    ask: (progress) => asking(cvc5, progress),
  });
}
