import type { ProgramError } from "../../../../engines/python/talk.ts";
import { correct_and_solve, type Step } from "../../../../kernel/step.ts";

/** Suggested steps for an exception, matched by its type and by the message from Python or a library. */
export interface Hint {
  readonly type: RegExp;
  readonly message: RegExp;
  readonly steps: readonly string[];
}

/** Hints for common mistakes in Python itself. */
const of_python: readonly Hint[] = [
  {
    type: /NameError/,
    message: /name 'data' is not defined/,
    steps: ['call solve_model with data or data_files: data["staff"] has the rows of data_files: ["staff.csv"]'],
  },
  {
    type: /NameError/,
    message: /is not defined/,
    steps: ["define it in an earlier item: items run in the order that get_model shows", "check the spelling"],
  },
  {
    type: /TypeError/,
    message: /unsupported operand|not supported between/,
    steps: ["None or a list might be used where a number or an expression is required; print the parts to see them"],
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
  { type: /RecursionError/, message: /.*/, steps: ["use a loop, or sum(…) and And(…) over a list instead of nesting"] },
  { type: /KeyError|IndexError/, message: /.*/, steps: ["check the range of the keys or indices"] },
];

/** Returns the steps for a program's exception; `own` contains its language's hints, which take precedence. */
export function hintsFor({ type = "", message, steps }: ProgramError, own: readonly Hint[]): Step[] {
  const hint = [...own, ...of_python].find((hint) => hint.type.test(type) && hint.message.test(message));
  return [...(steps.length > 0 ? steps : (hint?.steps ?? [])), correct_and_solve];
}
