import { squeezed } from "../kernel/text/squeezed.ts";
import { python_ids, python_languages } from "./model/languages/python/index.ts";

/** A notation in which texts are written. */
export interface Written {
  /** The name of the notation in a fault, such as "MiniZinc". */
  readonly what: string;
  /** The ids of the modelling languages that use the notation; empty if only other programs use it. */
  readonly languages: readonly string[];
  readonly sign: RegExp;
  /** The file extension, if such a file's text is a whole model. */
  readonly ending?: string;
  /** The step to suggest if no modelling language reads such a text unchanged. */
  readonly instead?: string;
}

/**
 * File formats in which the text is a whole model; the runner's `FORMATS` (`languages/files`) have the same patterns.
 * Other languages read some of these formats too.
 */
const files: readonly Written[] = [
  {
    what: "a DIMACS file",
    ending: ".cnf",
    languages: ["pysat"],
    sign: /^(?:p \w*cnf\b|(?=(?:.*\n)*?h )(?:h|\d+)(?: -?\d+)* 0\n)/,
  },
  {
    what: "an OPB file",
    ending: ".opb",
    languages: ["ortools"],
    sign: /^(?:soft ?:|(?:min|max) ?:\s?(?:[+-]?\d+ ~?x\d+|;)|(?:\[ ?\d+ ?\] ?)?[+-]?\d+ ~?x\d+ )/,
  },
  {
    what: "an MPS file",
    ending: ".mps",
    languages: ["ortools"],
    sign: /^(?:ROWS\n|(?:NAME|OBJSENSE)\b(?! ?[=:(.])(?:.*\n)*?ROWS\n)/i,
  },
  {
    what: "an LP file",
    ending: ".lp",
    languages: ["ortools"],
    sign: /^(?:min|max)(?:imi[sz]e|imum)?\s(?! ?[=(.:])(?:.*\n)*?(?:subject to|such that|s\.?t\.?|bounds?|end)\b/i,
  },
  { what: "a JSPLIB file", ending: ".jsp", languages: ["cpmpy"], sign: /^\d+ \d+\n(?:\d+ \d+ ?)+\n/ },
  { what: "a PSPLIB file", ending: ".sm", languages: ["cpmpy"], sign: /^file with basedata/ },
];

/** Matches comment lines in any of these formats, and empty lines. */
const comments = /^(?:(?:[*\\#]|c(?=\s))[^\n]*\n|[ \t\r]*\n)*[ \t]*/;

/** The maximum length of comments at the start of a file; longer comments hide the format. */
const comments_chars_max = 200_000;

/** Determines the format of a file from how it begins after its comments. */
function fileIn(whole: string): Written | undefined {
  const text = squeezed(whole.slice(0, comments_chars_max).replace(comments, ""));
  return files.find(({ sign }) => sign.test(text));
}

/**
 * The Python languages, last one first, since a program in a language can use the package of a language earlier in the
 * list.
 */
const in_python: readonly Written[] = python_languages
  .toReversed()
  .map(({ id, name, sign }) => ({ what: `Python with ${name}`, languages: [id], sign }));

/** Notations recognised by signs that are specific to one of them, the most reliable ones first. */
const notations: readonly Written[] = [
  {
    what: "JSON",
    languages: [],
    sign: /^\s*\{\s*"\w+"\s*:/,
    instead: "send only the text as the argument, without JSON around it",
  },
  {
    what: "an XCSP3 file",
    languages: [],
    sign: /^\s*(?:<\?xml[^>]*>\s*)?<instance\b[^>]*XCSP3/,
    instead: "write the model in MiniZinc or CPMpy: reading XCSP3 needs a package that is not installed here",
  },
  {
    what: "Lean",
    languages: [],
    sign: /^\s*(?:(?:theorem|lemma)\s+\w[^\n]*:|example\b[^\n]*:=)/m,
    instead: "state the negated goal as (assert (not …)) in solve_smtlib, or use a prover for Lean",
  },
  {
    what: "clingo's Python interface",
    languages: ["asp"],
    sign: /\bimport clingo\b|\bfrom clingo\b|clingo\.Control\(|\b(?:ctl|control)\.(?:add|ground|solve)\(/,
    instead: "send the rules themselves, without Python",
  },
  {
    what: "SMT-LIB",
    languages: [],
    sign: /^\s*\((?:set-logic|set-option|declare-(?:const|fun|sort|datatypes?)|define-(?:fun|const|sort)(?:-rec)?|assert|check-sat|get-model|get-value)[\s)]/m,
    instead: "send the whole script to solve_smtlib",
  },
  {
    what: "OR-Tools' library for routing or for linear programs",
    languages: ["ortools"],
    sign: /^\s*(?:import|from)\s+ortools\.(?:constraint_solver|linear_solver|graph|algorithms)\b/m,
    instead:
      "write a tour with cp_model's model.add_circuit or model.add_multiple_circuit, and a linear program in MathOpt",
  },
  ...in_python,
  {
    what: "a Python solver library that is not available",
    languages: ["minizinc", "z3"],
    sign: /^\s*(?:import|from)\s+(?:ortools|pulp|pyomo|mip|gurobipy|cplex|docplex|constraint|cvxpy|highspy|minizinc|pycosat|sympy)\b/m,
    instead: "write the same model in one of them, or a linear one in MathOpt of the language ortools",
  },
  {
    what: "MiniZinc",
    languages: ["minizinc"],
    sign: /(?:^|;)\s*(?:(?:var|par|set\s+of|array\s*\[[^\]]*\]\s*of)\s+[^:;=]*:\s*\w+|(?:int|bool|float|string)\s*:\s*\w+\s*(?:=[^;]*)?;|constraint\s+[^;]*;|solve\s+(?:::[^;]*)?(?:satisfy|minimize|maximize)\b|include\s+"[^"]*\.mzn"|enum\s+\w+\s*[=;])/m,
  },
  {
    what: "an answer-set or Prolog program",
    languages: ["asp"],
    sign: /^(?:[^%#\n]*[\s)\w])?:-[^\n]*\.\s*(?:%.*)?$|:~[^\n]*\.\s*\[|^\s*#(?:show|minimize|maximize|const|external|defined|program)\b|^\s*\{[^}\n]*\}[^;\n]*\.\s*$|^\s*-?[a-z]\w*\((?:[^()\n]|\([^()\n]*\))*\)\.\s*(?:$|%|[a-z])/m,
  },
  {
    what: "Python",
    languages: python_ids,
    sign: /^\s*(?:import\s+\w|from\s+\w+\s+import\b|def\s+\w+\(|class\s+\w+|for\s+\w+(?:\s*,\s*\w+)*\s+in\s.*:\s*$|while\s.*:\s*$|if\s.*:\s*$|print\(|\w+\s*=\s*Solver\()|\bexport_solution\(|\b\w+\.add\(/m,
  },
];

/**
 * Recognises the notation of a text by its signs; undefined if it has none of them. A program in the Python language
 * `own` keeps that language even if a comment or a string in it shows another notation.
 */
export function writtenIn(whole: string, own?: string): Written | undefined {
  const text = squeezed(whole);
  const as_own = in_python.find(
    ({ languages, sign }) => own !== undefined && languages.includes(own) && sign.test(text),
  );
  return as_own ?? fileIn(whole) ?? notations.find(({ sign }) => sign.test(text));
}

/** Whether a text has a file format in which the text is a whole model. */
export function isFile(text: string): boolean {
  return fileIn(text) !== undefined;
}

/**
 * Returns the file extension for a text in a file format in which it is a whole model; undefined for any other text.
 */
export function endingOf(text: string): string | undefined {
  return fileIn(text)?.ending;
}
