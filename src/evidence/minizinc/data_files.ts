import { isObject } from "../../kernel/arguments.ts";
import { declarationsIn, indexSetsOf } from "./declarations.ts";
import { statementsOf } from "./statements.ts";
import { quoted, written } from "./tokens.ts";

/** The name that the model's file has in every task. */
export const model_file = "model.mzn";

/**
 * Returns the data files to pass to MiniZinc. MiniZinc reads JSON integers with 32 bits, and silently turns larger ones
 * into 2147483647. Some builds can't read a float such as `1e+21`, and none can read an empty row. Such values are
 * therefore written in MiniZinc's own syntax. Objects without members are not supported.
 */
export function dataFiles(source: string, data: readonly string[]): Record<string, string> {
  const all = data.flatMap((text, i): [string, string][] => {
    // Parsing a megabyte of data takes a third of a second, during which the server answers nothing else.
    if (!may_be_misread.test(text)) return [[`data${i}.json`, text]];
    const members = Object.entries(numbersKept(text));
    const misread = members.filter(([, value]) => isMisread(value));
    if (misread.length === 0) return members.length === 0 ? [] : [[`data${i}.json`, text]];
    const declared = declarationsIn(statementsOf([source]));
    const assigned = misread.map(([name, value]) => {
      const { type = [] } = declared.find((each) => each.name.text === quoted(name)) ?? {};
      const sets = type[0]?.text === "list" ? ["int"] : indexSetsOf(type).map((set) => written(set, source));
      return `${quoted(name)} = ${literalOf(value, sets)};\n`;
    });
    const others = members.filter(([, value]) => !isMisread(value));
    const plain = JSON.stringify(Object.fromEntries(others)).replaceAll(kept_number, "$1");
    const files: [string, string][] = [[`data${i}.dzn`, assigned.join("")]];
    return others.length === 0 ? files : [[`data${i}.json`, plain], ...files];
  });
  return Object.fromEntries(all);
}

/** Signs of values that MiniZinc may misread: ten digits or an exponent, an empty row, or an object without members. */
const may_be_misread = /\d{10}|\d[eE]|\[\s*\]|^\s*\{\s*\}/;

const strings_and_numbers = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** A key that can't be a field name, since it contains a space. */
const number_key = "the number";
const kept_number = new RegExp(`\\{"${number_key}":"([^"]*)"\\}`, "g");

/** Parses JSON and keeps all digits of its numbers. */
function numbersKept(text: string): Record<string, unknown> {
  const kept = text.replaceAll(strings_and_numbers, (part) =>
    part.startsWith('"') ? part : `{"${number_key}":"${part}"}`,
  );
  const value: unknown = JSON.parse(kept);
  return isObject(value) ? value : {};
}

function isMisread(value: unknown): boolean {
  const digits = numberOf(value);
  if (digits !== undefined) return /e/i.test(digits) || isWideInteger(digits);
  if (isObject(value)) return Object.values(value).some(isMisread);
  return Array.isArray(value) && value.some((each) => (Array.isArray(each) && each.length === 0) || isMisread(each));
}

function isWideInteger(digits: string): boolean {
  return /^-?\d+$/.test(digits) && Number(digits) !== (Number(digits) | 0);
}

function numberOf(value: unknown): string | undefined {
  const digits = isObject(value) ? value[number_key] : undefined;
  return typeof digits === "string" ? digits : undefined;
}

/** Writes a value in MiniZinc's syntax; lists that are not arrays become tuples. */
function literalOf(value: unknown, index_sets: readonly string[] = []): string {
  if (value === null) return "<>";
  if (Array.isArray(value)) return index_sets.length > 0 ? arrayOf(value, index_sets) : `(${listed(value)},)`;
  if (!isObject(value)) return JSON.stringify(value);
  const digits = numberOf(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value.set)) return setOf(value.set);
  if (typeof value.e === "string") return quoted(value.e);
  return `(${Object.entries(value).map(([name, field]) => `${quoted(name)}: ${literalOf(field)}`)})`;
}

/** Writes an array with explicit index sets, since the declared index sets need not begin at 1. */
function arrayOf(value: readonly unknown[], index_sets: readonly string[]): string {
  let elements = value;
  const sets = index_sets.map((set, i) => {
    if (i > 0) elements = elements.flat();
    const [first] = elements;
    const length = i + 1 < index_sets.length && Array.isArray(first) ? first.length : 0;
    return { set, length };
  });
  const lengths = [value.length, ...sets.map(({ length }) => length)];
  const texts = sets.map(({ set }, i) => (/^int$|^\$/.test(set) ? `1..${lengths[i]}` : set));
  return `array${texts.length}d(${[...texts, `[${listed(elements)}]`].join(", ")})`;
}

function listed(elements: readonly unknown[]): string {
  return elements.map((each) => literalOf(each)).join(", ");
}

/** Writes a set as elements and ranges: `{1, 7} union 3..4`. */
function setOf(elements: readonly unknown[]): string {
  const single = elements.filter((each) => !Array.isArray(each));
  const ranges = elements.filter(Array.isArray).map((range) => range.map((end) => literalOf(end)).join(".."));
  return [`{${listed(single)}}`, ...ranges].join(" union ");
}
