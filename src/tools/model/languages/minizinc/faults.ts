import type { Place, Remark } from "../../../../engines/minizinc/read.ts";
import { model_file } from "../../../../evidence/minizinc/data_files.ts";
import { placed } from "../../../../evidence/minizinc/tokens.ts";
import { endedFromOutside, Fault, type Position } from "../../../../kernel/fault.ts";
import { limits } from "../../../../kernel/limits.ts";
import type { Step } from "../../../../kernel/step.ts";
import { cut } from "../../../../kernel/text/cut.ts";
import { nearest } from "../../../../kernel/text/near_miss.ts";
import { listed } from "./remarks.ts";
import { cureFor } from "./slips.ts";
import { globals as global_names } from "./source/globals.ts";
import type { SourceLines } from "./source/source.ts";

interface Hint {
  /** Its first group, if it has one, is the `$1` of the steps. */
  readonly message: RegExp;
  readonly steps: readonly Step[];
}

/** Hints for frequent errors, recognised by MiniZinc's messages. */
const hints: readonly Hint[] = [
  {
    message: /cannot handle|not supported|Constraint \w+ not found/i,
    steps: [
      // Phrased as a condition, since a call that named no solver has already tried all of them.
      "if the call names a solver, remove it: Verdict then chooses one that supports the model",
      "or state this constraint without the unsupported construct: with sums, or with a table of values",
      "or model it in the language z3, whose integers and reals are exact",
    ],
  },
  {
    message: /undefined identifier [`'](.+?)'/,
    steps: [
      "declare $1 first, for example `var 1..9: $1;` or `int: $1;`",
      "or check the spelling, including upper and lower case",
    ],
  },
  {
    message: /no function or predicate with this signature[\s\S]*Cannot use the following/,
    steps: ["compare the number and types of the arguments with the signatures in this message"],
  },
  {
    message: /no function or predicate with this signature/,
    steps: [
      "check the name, the number and the types of its arguments",
      'a global constraint needs its include: `include "globals.mzn";`',
    ],
  },
  {
    // The native Gecode can't parse a literal outside its range, and reports a syntax error.
    message: /overflow|outside 32-bit|out of limits|too large|invalid integer literal/i,
    steps: [
      "give variables tight bounds, and use smaller units: gecode and chuffed compute with 32-bit integers",
      'try solver "highs" for large numbers',
      "or state the model in the language z3 (clear_model), whose integers have no bounds",
    ],
  },
  {
    message: /finite|unbounded/i,
    steps: ["give every variable bounds: `var 0..100: x;` instead of `var int: x;`", "try another solver"],
  },
  {
    message: /operator application for `'\+\+''.*`string'/,
    steps: ['strings can only be joined with strings: write "x = " ++ show(x), or "x = \\(x)"'],
  },
  {
    message: /type error in operator application|type-inst|coerce|must be (?:of type|par)|expected type/i,
    steps: [
      "compare the types of both sides: numbers with +, <, =; truth values with /\\, \\/, ->, not; sets with union, in",
      "use bool2int(b) for a truth value in a sum, and int2float(n) for an integer among floats",
    ],
  },
  {
    message: /must be defined|did you forget to specify a data file/,
    steps: ["set its value in `data`, or in its declaration"],
  },
  {
    message: /expecting|unexpected|syntax error/,
    steps: [
      "end each declaration and each constraint with ; and close all brackets",
      "names consist of ASCII letters, digits and _; put other names, and reserved words (ann, any, test, par, op), in single quotes",
    ],
  },
  {
    message: /unable to (?:create linear|linearize)/i,
    steps: [
      'use solver "gecode", which multiplies reals, or leave solver out: Verdict then chooses one, or asks Z3',
      "or multiply reals only by constants: highs and coin-bc solve sums, and products of integers with small bounds",
      "or model it in the language z3, whose integers and reals are exact",
    ],
  },
  { message: /Only one solve item/, steps: ["replace or delete the existing solve item"] },
  {
    message: /same name|multiple (?:definition|assignment)|already (?:defined|declared)/i,
    steps: ["use another name, or delete the existing declaration"],
  },
  {
    message: /Cannot open file/,
    steps: [
      'check the name: only files of MiniZinc\'s library can be included; `include "globals.mzn";` has all global constraints',
      "or write the content of the file into the model, or pass its values in data",
    ],
  },
  {
    message: /but (\d+) elements were expected/,
    steps: ["give $1 values, or change the index set"],
  },
  {
    message: /array (?:index|access)|out of (?:bounds|range)|index set/i,
    steps: ["check the index sets and the number of values"],
  },
];

function stepsFor(message: string): Step[] {
  const unknown = /no function or predicate with name [`'](.+?)'/.exec(message)?.[1];
  if (unknown !== undefined) return [insteadOf(unknown)];
  for (const { message: pattern, steps } of hints) {
    const [match, name = ""] = pattern.exec(message) ?? [];
    if (match !== undefined)
      return steps.map((step) => (typeof step === "string" ? step.replaceAll("$1", () => name) : step));
  }
  return ["compare that line with verdict://guide/minizinc"];
}

/** Suggests a step for a function or predicate that does not exist. */
function insteadOf(name: string): Step {
  const near = nearest(name, global_names);
  if (near.length > 0) return `write ${near.join(" or ")} instead of ${name}`;
  return `define ${name}, for example \`predicate ${name}(var int: x) = …;\`, or use a function of verdict://guide/minizinc`;
}

/** Returns where in the items a remark applies: its innermost position that is in the model. */
export function positionOf({ places }: Remark, lines: SourceLines): Position | undefined {
  const inItem = ({ file, line, column }: Place) => (file === model_file ? lines.positionOf(line, column) : undefined);
  return places.map(inItem).find((position) => position !== undefined);
}

/** Formats a remark as text with its position. */
export function remarkText(remark: Remark, lines: SourceLines): string {
  const position = positionOf(remark, lines);
  return `${position ? placed(position) : ""}${remark.message}`;
}

/** Returns the fault for the first error; MiniZinc's syntax errors become `syntax_error`. */
export function faultOf(error: Remark, lines: SourceLines, last_steps: readonly Step[]): Fault {
  const position = positionOf(error, lines);
  const code = error.what === "syntax error" || error.what === "type error" ? "syntax_error" : "input_rejected";
  const kind = error.message.includes(error.what) || error.what === "error" ? "" : `${error.what}: `;
  const where = position ? placed(position) : "";
  const what = cut(`${kind}${error.message}`, 4 * limits.fault_quote_chars_max - where.length);
  const written = position && lines.textAt(position);
  const cure = written && cureFor(`${error.what}: ${error.message}`, written.text, written.at);
  const steps = cure === undefined ? stepsFor(error.message) : [cure];
  return new Fault(code, { where, what }, [...steps, ...last_steps], position);
}

/** Returns the fault for deleting an item on which another item depends. */
export function stillNeeded(error: Remark, lines: SourceLines): Fault {
  const fault = faultOf(error, lines, []);
  const [, name] =
    /undefined identifier [`'](.+?)'|no function or predicate with name [`'](.+?)'/.exec(error.message) ?? [];
  const { position } = fault;
  const first = position && `delete or replace item ${position.item}, line ${position.line}, first`;
  const steps = [...(first === undefined ? [] : [first]), "or replace the item instead of deleting it"];
  if (name === undefined || position === undefined) return fault.with({ steps });
  const { item, line, column } = position;
  return fault.with({ message: `Item ${item} still needs ${name} (line ${line}, column ${column}).`, steps });
}

/** A possible cause of a crash: numbers outside the solver's range, and where they are. */
export interface Suspicion {
  readonly doubt: readonly string[];
  readonly position: Position | undefined;
  /** The names of the solvers that this MiniZinc installation has. */
  readonly installed: readonly string[];
}

/** Returns the fault for a solver that exited without an answer. */
export function crashFault(
  message: string,
  how: string,
  solver: string,
  { doubt, position, installed }: Suspicion = { doubt: [], position: undefined, installed: [] },
): Fault {
  const outside = endedFromOutside("MiniZinc", how);
  if (outside) return outside;
  const quote = cut(message.trim(), limits.fault_quote_chars_max);
  const suspected = doubt.length > 0 ? ` It can't compute with all numbers of the model: ${listed(doubt)}.` : "";
  const others = ["gecode", "chuffed", "highs"].filter((other) => other !== solver && installed.includes(other));
  const steps = hints.find((hint) => hint.message.test(message))?.steps;
  return new Fault(
    steps ? "input_rejected" : "engine_failed",
    {
      where: position ? placed(position) : "",
      what: `The solver ${solver} exited without an answer (${how})${quote === "" ? "" : `: ${quote}`}.${suspected} Nothing was decided.`,
    },
    steps ?? [
      "give variables tight bounds, or state the constraints differently",
      ...(others.length > 0 ? [`name another solver: ${others.join(", ")}`] : []),
    ],
    position,
  );
}
