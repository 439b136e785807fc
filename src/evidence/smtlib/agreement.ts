import { enginesDisagree } from "../../engines/disagreement.ts";

/** A solver's answers to the checks of a script: `sat`, `unsat` or `unknown`, after its models were evaluated. */
export interface Answers {
  readonly engine: string;
  readonly words: readonly string[];
}

/** Raises `engines_disagree` if one solver answers a check with sat, and another with unsat. */
export function refuseContradiction(answers: readonly Answers[]): void {
  const checks = Math.max(0, ...answers.map(({ words }) => words.length));
  for (let check = 0; check < checks; check++) {
    const each = answers.map(({ engine, words }) => ({ engine, answer: words[check] ?? "unknown" }));
    const is_said = (word: string) => each.some(({ answer }) => answer === word);
    if (!is_said("sat") || !is_said("unsat")) continue;
    throw enginesDisagree(each, of_scripts, checks > 1 ? ` to check ${check + 1}` : "");
  }
}

const of_scripts = [
  "look for a value that SMT-LIB leaves undefined (division by zero, fp.min of zeros): engines may choose different values",
  "make the script smaller until you can see the contradiction",
  "prefer a sat: its model was evaluated",
];
