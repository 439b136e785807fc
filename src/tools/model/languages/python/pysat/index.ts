import { question_kinds } from "../../questions/kinds.ts";
import type { PythonLanguage } from "../language.ts";
import guide from "./guide.md";
import { hints } from "./hints.ts";

const slips = [
  { sign: /&&/, cure: "write two clauses for `p && q`: cnf.append([p]), cnf.append([q])" },
  { sign: /\|\|/, cure: "write one clause for `p || q`: cnf.append([p, q])" },
  { sign: /^(?!\s*(?:async\s+)?def\b).*[^<]->|[^<]=>/, cure: "write the clause [-p, q] for `p -> q`" },
  { sign: /<->|<=>/, cure: "write the clauses [-p, q] and [p, -q] for `p <-> q`" },
  { sign: /(?:^|[\s(,=])!\s*[\w(]/, cure: "write -p for `!p`" },
];

/** PySAT in Python: SAT, MaxSAT, conflicting and correcting sets, enumeration, counting. */
export const pysat: PythonLanguage = {
  id: "pysat",
  name: "PySAT",
  sign: /\b(?:import|from) pysat\b|\b(?:CNF|WCNF|IDPool|RC2|MUSX)\(|\bCardEnc\./,
  also: ["sat", "maxsat"],
  title: "How to model in PySAT",
  guide,
  slips,
  hints,
  takes: ["check", ...question_kinds, "why"],
  second: "z3",
  has_proofs: true,
};
