import type { Python } from "../../../../engines/python/index.ts";
import type { Language } from "../../language.ts";
import { pythonLanguage } from "./language.ts";
import guide from "./pysat.md";
import { pysat_hints as hints } from "./pysat_hints.ts";

const slips = [
  { sign: /&&/, cure: "write two clauses for `p && q`: cnf.append([p]), cnf.append([q])" },
  { sign: /\|\|/, cure: "write one clause for `p || q`: cnf.append([p, q])" },
  { sign: /^(?!\s*(?:async\s+)?def\b).*[^<]->|[^<]=>/, cure: "write the clause [-p, q] for `p -> q`" },
  { sign: /<->|<=>/, cure: "write the clauses [-p, q] and [p, -q] for `p <-> q`" },
  { sign: /(?:^|[\s(,=])!\s*[\w(]/, cure: "write -p for `!p`" },
];

/** PySAT in Python: SAT, MaxSAT, conflicting and correcting sets, enumeration, counting. */
export function pysat(python: Python): Language {
  return pythonLanguage(python, {
    id: "pysat",
    also: ["sat", "maxsat"],
    title: "How to model in PySAT",
    guide,
    slips,
    hints,
  });
}
