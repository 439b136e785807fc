import { extname } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { python_ids } from "../../tools/model/languages/python/index.ts";
import { shown_languages } from "../../tools/model/languages/shown.ts";
import { isFile, writtenIn } from "../../tools/written_in.ts";

/** The language of `solve_smtlib`; all other languages belong to `solve`. */
export const smtlib = "smtlib";

const by_ending: ReadonlyMap<string, string> = new Map([
  [".smt2", smtlib],
  [".smt", smtlib],
  ...Object.entries(shown_languages).flatMap(([id, { endings = [] }]) => endings.map((each) => [each, id] as const)),
]);

/** Input formats of other solvers, each with the pattern that recognises it. */
const formats: Readonly<Record<string, { readonly language: string; readonly begins: string }>> = {
  ".mps": { language: "ortools", begins: "NAME or ROWS, and has ROWS, COLUMNS and ENDATA on separate lines" },
  ".opb": { language: "ortools", begins: "`* #variable= 3 #constraint= 2`, then `min: +1 x1 ;` or a constraint" },
  ".wbo": { language: "ortools", begins: "`* #variable= 3 #constraint= 2`, then `soft: 9 ;`" },
  ".cnf": { language: "pysat", begins: "`p cnf VARIABLES CLAUSES`" },
  ".wcnf": {
    language: "pysat",
    begins: "`p wcnf VARIABLES CLAUSES TOP`, or with clauses of which some are hard, such as `h 1 -2 0`",
  },
};

const all: readonly string[] = [smtlib, ...Object.keys(shown_languages)];

/**
 * Determines a model's language: `named` if it is given, or else from the file extension or the text. Raises
 * `invalid_argument`.
 */
export function languageOf(file: string, text: string, named: string | undefined): string {
  if (named !== undefined) {
    if (all.includes(named)) return named;
    throw new Fault("invalid_argument", `There is no language "${named}".`, [`choose from: ${all.join(", ")}`]);
  }
  const ending = extname(file).toLowerCase();
  const format = formats[ending];
  if (format !== undefined && isFile(text)) return format.language;
  if (format !== undefined) throw unlike(file, ending, format.begins);
  // The file contains an answer-set program or a linear program.
  if (ending === ".lp") return writtenIn(text)?.languages.includes("ortools") ? "ortools" : "asp";
  if (ending === ".py") return pythonLanguage(file, text);
  const known = by_ending.get(ending);
  if (known !== undefined) return known;
  if ([".dzn", ".json"].includes(ending)) throw dataFirst(file);
  return bySigns(file, text);
}

/**
 * Determines a Python program's language from the package that it imports. CPMpy comes first, since it can use OR-Tools
 * and Z3 as backends.
 */
function pythonLanguage(file: string, text: string): string {
  const imported = python_ids.filter((name) => new RegExp(`^[ \\t]*(?:import|from)[ \\t]+${name}\\b`, "m").test(text));
  const [first, second] = imported.includes("cpmpy") ? ["cpmpy"] : imported;
  if (first !== undefined && second === undefined) return first;
  if (first === undefined) return bySigns(file, text);
  throw new Fault(
    "invalid_argument",
    `${file} imports ${imported.join(" and ")}: it is not clear which of them solves it.`,
    [`name it, such as --language ${first}`],
  );
}

/** Determines a text's language from signs that are specific to one language. */
function bySigns(file: string, text: string): string {
  const written = writtenIn(text);
  const [first, second] = written?.what === "SMT-LIB" ? [smtlib] : (written?.languages ?? []);
  if (first !== undefined && second === undefined) return first;
  const what =
    file === "-" ? "The language of standard input is not recognised" : `The language of ${file} is not recognised`;
  throw new Fault(
    "invalid_argument",
    `${what}${first === undefined ? "" : ` (it can be ${written?.languages.join(", ")})`}.`,
    [
      `name it with --language, one of: ${all.join(", ")}`,
      `or give the file its usual extension: .smt2, .mzn, .lp, or .py with an import of one of: ${python_ids.join(", ")}`,
      ...functionStep(file, text),
    ],
  );
}

/** Plain Python code is not a model; another command handles its functions. */
function functionStep(file: string, text: string): string[] {
  const [, name] = /^def[ \t]+(\w+)/m.exec(text) ?? [];
  return file.endsWith(".py") && name !== undefined
    ? [`or check a function of it: verdict check ${file}::${name}`]
    : [];
}

function unlike(file: string, ending: string, begins: string): Fault {
  return new Fault("invalid_argument", `${file} is not recognised as a ${ending} file: one begins with ${begins}.`, [
    "correct its first lines",
    `or name the language with --language if it is something else, one of: ${all.join(", ")}`,
  ]);
}

function dataFirst(file: string): Fault {
  return new Fault("invalid_argument", `${file} is data, not a model.`, [
    `name the model first: verdict solve MODEL.mzn --data ${file}`,
  ]);
}
