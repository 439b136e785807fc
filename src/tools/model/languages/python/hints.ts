import type { ProgramError } from "../../../../engines/python/talk.ts";
import { correct_and_solve, type Step } from "../../../../kernel/step.ts";

/** Suggested steps for an exception, matched by its type and by the message from Python or a library. */
export interface Hint {
  readonly type: RegExp;
  /** Its first group, if it has one, is the `$1` of the steps. */
  readonly message: RegExp;
  readonly steps: readonly string[];
}

/** Hints for common mistakes in Python itself. */
const of_python: readonly Hint[] = [
  {
    type: /NameError/,
    message: /name 'data' is not defined/,
    steps: [
      'pass data in the call: data["n"] is 8 with data: {"n": 8}, and data["staff"] has the rows of data_files: ["staff.csv"]',
    ],
  },
  {
    type: /NameError/,
    message: /name '([^']{1,80})' is not defined/,
    steps: ["define $1 before this line: items run in the order that get_model shows", "or check the spelling of $1"],
  },
  {
    type: /TypeError/,
    message: /unsupported operand|not supported between/,
    steps: ["use a number or an expression: one of the operands is None, a list or text; print both to see which"],
  },
  {
    type: /PermissionError/,
    message: /.*/,
    steps: ["a model can't use files, the network or processes: put its data into items"],
  },
  {
    type: /ImportError|ModuleNotFoundError/,
    message: /.*/,
    steps: ["import only what this language's guide lists"],
  },
  {
    type: /AttributeError/,
    message: /is not available to a model: it is withheld/,
    steps: ["omit it: a program can use only its own values and the values in data"],
  },
  { type: /RecursionError/, message: /.*/, steps: ["use a loop, or sum(…) and And(…) over a list instead of nesting"] },
  { type: /KeyError|IndexError/, message: /.*/, steps: ["check the range of the keys or indices"] },
];

/** Returns the steps for a program's exception; `own` contains its language's hints, which take precedence. */
export function hintsFor({ type = "", message, steps }: ProgramError, own: readonly Hint[]): Step[] {
  const hint = [...own, ...of_python].find((hint) => hint.type.test(type) && hint.message.test(message));
  const [, name = ""] = hint?.message.exec(message) ?? [];
  const named = (hint?.steps ?? []).map((step) => step.replaceAll("$1", () => name));
  return [...(steps.length > 0 ? steps : named), correct_and_solve];
}
