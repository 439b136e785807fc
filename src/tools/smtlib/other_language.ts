/** Signs of languages that are sent here by mistake, and the tool that reads them. */
const languages: readonly { readonly what: string; readonly sign: RegExp; readonly step: string }[] = [
  {
    what: "an SMT-LIB script inside of JSON",
    sign: /^\s*\{\s*"\w+"\s*:/,
    step: "send the script alone as the argument `smtlib`, without JSON around it",
  },
  {
    what: "a DIMACS file",
    sign: /^p\s+w?cnf\s/m,
    step: "use the model tools with the language pysat, or write each clause as (assert (or a (not b)))",
  },
  {
    what: "MiniZinc",
    sign: /^\s*(?:var\s+[^;]*:|constraint\s+[^;]*;|solve\s+(?:satisfy|minimize|maximize)\b|include\s+"[^"]*\.mzn")/m,
    step: "use the model tools: clear_model with the language minizinc, add_item, solve_model",
  },
  {
    what: "an answer-set or Prolog program",
    sign: /:-|^\s*#(?:show|const|minimize|maximize)\b|^[a-z]\w*\([^()]*\)\.\s*$/m,
    step: "use the model tools: clear_model with the language asp, add_item, solve_model",
  },
  {
    what: "Python",
    sign: /^\s*(?:from\s+\w[\w.]*\s+import\b|import\s+\w|def\s+\w+\(|print\(|\w+\s*=\s*(?:Ints?|Bools?|Reals?|Solver|Optimize)\()/m,
    step: "use the model tools: clear_model with the language z3, add_item with the program, solve_model",
  },
  {
    what: "Lean",
    sign: /^\s*(?:theorem|lemma|example)\b[^\n]*:/m,
    step: "state the negated goal as (assert (not …)) here, or use a prover for Lean",
  },
];

const is_smtlib = /^\s*\((?:set-|declare-|define-|assert|check-sat|push|pop)/m;

/** What a text that is no SMT-LIB is written in, with the step that leads on; undefined where nothing tells. */
export function otherLanguageOf(text: string): { readonly what: string; readonly step: string } | undefined {
  return is_smtlib.test(text) ? undefined : languages.find(({ sign }) => sign.test(text));
}
