import type { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { Lines } from "../../kernel/lines.ts";
import type { Language } from "./language.ts";
import type { Model } from "./model.ts";

/** Texts and comments are no code, whatever the language. */
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

interface Written {
  /** "MiniZinc", as a fault names it. */
  readonly what: string;
  /** The languages of these tools in which it is written; none for what belongs elsewhere. */
  readonly languages: readonly string[];
  readonly sign: RegExp;
  /** What to do with it where no language of these tools reads it. */
  readonly instead?: string;
}

/** Signs of a language that hardly any other one has; the surest ones first. */
const written: readonly Written[] = [
  {
    what: "clingo's Python interface",
    languages: ["asp"],
    sign: /\bimport clingo\b|\bfrom clingo\b|clingo\.Control\(|\b(?:ctl|control)\.(?:add|ground|solve)\(/,
    instead: "send the rules themselves, without Python",
  },
  {
    what: "OR-Tools",
    languages: ["minizinc", "z3"],
    sign: /\bortools\b|\bcp_model\b|\bpywraplp\b|\.(?:NewIntVar|NewBoolVar|AddAllDifferent|new_int_var|new_bool_var|add_all_different)\(/,
    instead: "OR-Tools is not here: state the same model in one of them",
  },
  {
    what: "a Python solver library that is not here",
    languages: ["minizinc", "z3"],
    sign: /^\s*(?:import|from)\s+(?:pulp|cpmpy|pyomo|mip|gurobipy|cplex|docplex|constraint|cvxpy|highspy|minizinc|pycosat|sympy)\b/m,
    instead: "state the same model in one of them",
  },
  {
    what: "SMT-LIB",
    languages: [],
    sign: /^\s*\((?:set-logic|set-option|declare-(?:const|fun|sort|datatypes?)|define-(?:fun|const|sort)(?:-rec)?|assert|check-sat|get-model|get-value)[\s)]/m,
    instead: "send the whole script to solve_smtlib",
  },
  {
    what: "Python with PySAT",
    languages: ["pysat"],
    sign: /\b(?:import|from) pysat\b|\b(?:CNF|WCNF|IDPool|RC2|MUSX)\(|\bCardEnc\./,
  },
  {
    what: "Python with Z3",
    languages: ["z3"],
    sign: /\b(?:import|from) z3\b|\b(?:Ints?|Bools?|Reals?|BitVecs?|Optimize|IntVector|BoolVector)\(/,
  },
  {
    what: "MiniZinc",
    languages: ["minizinc"],
    sign: /^\s*(?:var|par|set\s+of|array\s*\[[^\]]*\]\s*of)\s+[^:;=]*:\s*\w+|^\s*(?:int|bool|float|string)\s*:\s*\w+\s*(?:=[^;]*)?;|^\s*constraint\s+[^;]*;|^\s*solve\s+(?:::[^;]*)?(?:satisfy|minimize|maximize)\b|^\s*include\s+"[^"]*\.mzn"|^\s*enum\s+\w+\s*=\s*\{/m,
  },
  {
    what: "an answer-set program",
    languages: ["asp"],
    sign: /^(?:[^%#\n]*[\s)\w])?:-[^\n]*\.\s*(?:%.*)?$|:~[^\n]*\.\s*\[|^\s*#(?:show|minimize|maximize|const|external|defined|program)\b|^\s*\{[^}\n]*\}[^;\n]*\.\s*$|^\s*-?[a-z]\w*\((?:[^()\n]|\([^()\n]*\))*\)\.\s*(?:$|%|[a-z])/m,
  },
  {
    what: "Python",
    languages: ["z3", "pysat"],
    sign: /^\s*(?:import\s+\w|from\s+\w+\s+import\b|def\s+\w+\(|class\s+\w+|for\s+\w+(?:\s*,\s*\w+)*\s+in\s.*:\s*$|while\s.*:\s*$|if\s.*:\s*$)|\bexport_solution\(|\b\w+\.add\(/m,
  },
];

/** Steps for an item that is written in another language than the model's; `unread` when it could not be read at all. */
export function otherLanguages(text: string, model: Model, choices: readonly Language[], unread: boolean): string[] {
  const { language, language_defaulted } = model;
  const found = written.find(({ sign }) => sign.test(text));
  if (found && !found.languages.includes(language.id)) return [stepTo(found, language, choices)];
  // OR-Tools, or another interface, in a language that could state the same.
  if (found?.instead !== undefined) return [`this is ${found.what}: ${found.instead}`];
  const others = choices.filter((other) => other !== language).map(({ id }) => id);
  if (found || !unread || !language_defaulted || others.length === 0) return [];
  return [
    `this model's language is ${language.id}; clear_model with language chooses another of: ${others.join(", ")}`,
  ];
}

function stepTo({ what, languages, instead }: Written, { id }: Language, choices: readonly Language[]): string {
  const here = languages.filter((language) => choices.some((choice) => choice.id === language));
  const clear = `clear_model with language ${here.map((language) => `"${language}"`).join(" or ")}`;
  const steps = [...(here.length > 0 ? [clear] : []), ...(instead === undefined ? [] : [instead])];
  const rest =
    steps.length > 0 ? steps.join(", and ") : `this server has only ${choices.map((choice) => choice.id).join(", ")}`;
  return `this is ${what}, and the model's language is ${id}: ${rest}`;
}

/** Invisible characters, and a space that is none. */
const invisible = /[\u00A0\u00AD\u200B-\u200F\u2060\uFEFF]/;

/** Steps for what is wrong with a text in any language, and for signs of another language on the line of the fault. */
export function habits(text: string, { code, position }: Fault, { slips }: Language): string[] {
  const code_only = text.replaceAll(quoted, (part) => " ".repeat(part.length));
  const at = invisible.exec(code_only)?.index;
  const line = position ? (code_only.split("\n")[position.line - 1] ?? "") : "";
  return [
    ...(at === undefined ? [] : [deleteIt(text, at)]),
    ...(/(?<!\/)\\n/.test(code_only)
      ? ['the item has \\n as two characters: send real line breaks, "\\n" in JSON with one backslash']
      : []),
    ...(code === "syntax_error" ? slips.filter(({ sign }) => sign.test(line)).map(({ cure }) => cure) : []),
  ].slice(0, limits.habits_told_max);
}

function deleteIt(text: string, at: number): string {
  const { line, column } = new Lines(text).at(at);
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `line ${line}, column ${column} has the invisible character U+${code}: delete it, or write a plain space`;
}
