import type { ProgramError } from "../../../../engines/python/talk.ts";

/** What to do about an exception, by its type and by what Python or a library says with it. */
export interface Hint {
  readonly type: RegExp;
  readonly message: RegExp;
  readonly steps: readonly string[];
}

/** The usual slips of Python itself. */
const of_python: readonly Hint[] = [
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
];

/** What to do about an exception of a program; `own` are the hints of its language, which come first. */
export function hintsFor({ type = "", message, steps }: ProgramError, own: readonly Hint[]): string[] {
  const found = [...own, ...of_python].find((hint) => hint.type.test(type) && hint.message.test(message));
  return [...(steps.length > 0 ? steps : (found?.steps ?? [])), "mend the item with replace_item, then solve again"];
}
