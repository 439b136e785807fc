import { isObject } from "../../../../kernel/arguments.ts";
import { Fault } from "../../../../kernel/fault.ts";
import type { Items } from "../../items/items.ts";
import type { SolveOptions } from "../../language.ts";
import type { AspProgram } from "./program.ts";

/** The largest integer that clingo can represent, since it computes in 32 bits. */
const int_max = 2_147_483_647;

/**
 * Appends the call's data to the items as an additional item. A table becomes one fact per row, with the values in
 * column order. A list becomes facts with positions counted from 1, an object becomes facts with its keys, and a single
 * value becomes a constant. Texts become strings, and a missing value becomes `none`. Raises `input_rejected` for a
 * number that clingo can't represent, and for names that clingo can't distinguish.
 */
export function withFacts(items: Items, data: SolveOptions["data"] = {}): Items {
  const names = Object.keys(data);
  const twice = names.find((name, at) => names.findIndex((each) => predicateOf(each) === predicateOf(name)) < at);
  if (twice !== undefined)
    throw new Fault("input_rejected", `Two data entries both become ${predicateOf(twice)} in an answer-set program.`, [
      `give ${JSON.stringify(twice)} another name`,
    ]);
  const statements = Object.entries(data).flatMap(([name, value]) => statementsOf(name, value));
  return statements.length === 0 ? items : [...items, statements.join("\n")];
}

/** Raises `invalid_argument` if the program itself mentions no data of a name: the data then changes nothing. */
export function expectUsed(names: readonly string[], { statements }: Pick<AspProgram, "statements">, items: Items) {
  const own = statements.filter(({ item }) => item < items.length);
  const used = new Set(own.flatMap(({ tokens }) => tokens.map(({ text }) => text)));
  const idle = names.find((name) => !used.has(predicateOf(name)));
  if (idle === undefined) return;
  throw new Fault(
    "invalid_argument",
    `The case sets data that does not change the answer: nothing in the program uses ${idle}.`,
    [`use ${predicateOf(idle)} in the model`, "or change the value by an item of the case"],
  );
}

function statementsOf(name: string, value: unknown): string[] {
  const predicate = predicateOf(name);
  if (!isObject(value) && !Array.isArray(value)) return [`#const ${predicate} = ${termOf(value, name)}.`];
  return factsOf(value, [], name).map((terms) => `${predicate}(${terms.join(",")}).`);
}

/** Lists the arguments of each fact. */
function factsOf(value: unknown, before: readonly string[], name: string): string[][] {
  if (Array.isArray(value))
    return value.flatMap((each: unknown, i) =>
      // The rows of a table need no position.
      isObject(each) && !Array.isArray(each) && before.length === 0
        ? [Object.values(each).map((cell) => termOf(cell, name))]
        : factsOf(each, [...before, String(i + 1)], name),
    );
  if (isObject(value))
    return Object.entries(value).flatMap(([key, each]) => factsOf(each, [...before, textTerm(key, name)], name));
  return [[...before, termOf(value, name)]];
}

function termOf(value: unknown, name: string): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return textTerm(value, name);
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= int_max) return String(value);
  throw new Fault(
    "input_rejected",
    `The data ${name} contains ${JSON.stringify(value)}, but clingo computes with 32-bit integers.`,
    ["use integers in smaller units: 250 cents for 2.5", "or model this in the language minizinc, ortools or z3"],
  );
}

/**
 * Converts a text to a clingo string: clingo has three escape sequences, and no other character needs one. Raises
 * `input_rejected`.
 */
function textTerm(text: string, name: string): string {
  if (/(?![\t\n])\p{Cc}/u.test(text))
    throw new Fault(
      "input_rejected",
      `The data ${name} contains a string with a control character: ${JSON.stringify(text)}.`,
      ["remove it, or omit this column"],
    );
  return `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** Converts a name to a predicate, which has to begin with a lower-case letter. */
function predicateOf(name: string): string {
  const word = name.replaceAll(/\W/g, "_").replace(/^(\d)/, "t_$1");
  return word.slice(0, 1).toLowerCase() + word.slice(1);
}
