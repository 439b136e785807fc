import type { Python } from "../../../../../engines/python/index.ts";
import { asking } from "../../../../../engines/smt/second.ts";
import type { Language } from "../../../language.ts";
import { question_kinds } from "../../questions/options.ts";
import { certificateOf } from "../confirm/certificate.ts";
import type { Others } from "../confirm/second.ts";
import { pythonLanguage } from "../language.ts";
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
export function pysat(python: Python, { drat, z3 }: Others): Language {
  return pythonLanguage(python, {
    id: "pysat",
    also: ["sat", "maxsat"],
    title: "How to model in PySAT",
    guide,
    slips,
    hints,
    takes: ["check", ...question_kinds, "why"],
    ask: (progress) => asking(z3, progress),
    certify: (evidence, proof, deadline) => certificateOf(drat, evidence, proof, deadline),
  });
}
