import type { ProgramError } from "../../../solvers/python/talk.ts";

interface Hint {
  readonly type: RegExp;
  readonly message: RegExp;
  readonly steps: readonly string[];
}

/** The usual slips of programs that use Z3 and PySAT, by what Python says of them. */
const hints: readonly Hint[] = [
  {
    type: /Z3Exception/,
    message: /Symbolic expressions cannot be cast/,
    steps: [
      "a constraint has no truth value in Python: use And(…), Or(…), Not(…), If(c, a, b) instead of and, or, not, if",
      "write And(0 <= x, x < 9) instead of 0 <= x < 9",
    ],
  },
  {
    type: /Z3Exception/,
    message: /[Ss]ort mismatch|sort mismatch/,
    steps: [
      "both sides need the same sort: convert with ToReal, ToInt, Int2BV, BV2Int, or ZeroExt/SignExt of bit-vectors",
    ],
  },
  {
    type: /Z3Exception/,
    message: /model is not available/,
    steps: ["ask for model() only after check() answered sat"],
  },
  {
    type: /NameError/,
    message: /is not defined/,
    steps: ["define it in an item before this one: items run in the order of get_model", "check the spelling"],
  },
  {
    type: /TypeError/,
    message: /unsupported operand|not supported between/,
    steps: ["a None or a list may stand where a number or an expression should; print the parts to see them"],
  },
  {
    type: /PermissionError/,
    message: /.*/,
    steps: ["a model reaches no file, network or process: write its data into items"],
  },
  { type: /ImportError|ModuleNotFoundError/, message: /.*/, steps: ["import what the guide of this language names"] },
  { type: /RecursionError/, message: /.*/, steps: ["use a loop, or sum(…) and And(…) over a list instead of nesting"] },
  { type: /KeyError|IndexError/, message: /.*/, steps: ["check the range that the keys or indices run over"] },
  {
    type: /NoSuchSolverError/,
    message: /.*/,
    steps: ["take one of: cadical195, glucose4, minisat22, maplechrono, lingeling"],
  },
];

/** What to do about an exception of a program. */
export function hintsFor({ type = "", message }: ProgramError): string[] {
  const found = hints.filter((hint) => hint.type.test(type) && hint.message.test(message));
  return [...found.flatMap(({ steps }) => steps), "mend the item with replace_item, then solve again"];
}
