import { limits } from "../limits.ts";
import { cut } from "./cut.ts";

/** Computes the space available in an answer from the space in an ordinary answer. */
export type Room = (usual: number) => number;

/**
 * Returns the space for an answer: an ordinary answer goes into a model's context, a `whole` one to a program or a
 * file.
 */
export function roomFor({ whole = false }: { readonly whole?: boolean }): Room {
  return (usual) => (whole ? limits.whole_answer_chars_max : usual);
}

export interface FittedValue {
  /** The value, or a prefix of the same type: a shorter string, or the first elements of a list. */
  readonly value: unknown;
  readonly whole: boolean;
  /** The length of its JSON. */
  readonly chars: number;
}

/** Returns as much of a value as fits, measured by the length of its JSON. */
export function fitValue(value: unknown, chars_max: number): FittedValue {
  const chars = lengthOf(value);
  return chars <= chars_max
    ? { value, whole: true, chars }
    : { value: beginning(value, chars_max), whole: false, chars };
}

function lengthOf(value: unknown): number {
  return (JSON.stringify(value) ?? "null").length;
}

/** Returns the beginning of a value that is too long. It includes at least the beginning of the first part. */
function beginning(value: unknown, chars_max: number): unknown {
  if (typeof value === "string") return cut(value, chars_max);
  if (Array.isArray(value)) return beginningOf(value, chars_max);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const shown = beginningOf(
    entries.map(([, each]) => each),
    chars_max,
    entries.map(([key]) => key.length + 3),
  );
  return Object.fromEntries(entries.slice(0, shown.length).map(([key], i) => [key, shown[i]]));
}

/** Returns the first elements that fit together. `more_chars` are the additional characters that each element needs. */
function beginningOf(list: readonly unknown[], chars_max: number, more_chars: readonly number[] = []): unknown[] {
  let left = chars_max;
  const end = list.findIndex((each, i) => {
    left -= lengthOf(each) + 1 + (more_chars[i] ?? 0);
    return left < 0;
  });
  return end === 0 ? [beginning(list[0], Math.max(0, chars_max))] : list.slice(0, end < 0 ? list.length : end);
}

export interface FittedValues {
  readonly values: Record<string, unknown>;
  /** The names of values that were truncated or omitted. */
  readonly short: readonly string[];
}

/** A name longer than this is shown only if it fits together with its value. */
const longest_name = 200;

/** Returns as many values as fit together, starting with the first. The last one that fits only partly is cut. */
export function fitValues(all: Readonly<Record<string, unknown>>, chars_max: number): FittedValues {
  const shown: [string, unknown][] = [];
  const short: string[] = [];
  let left = chars_max;
  for (const [name, unfitted] of Object.entries(all)) {
    if (name.length > left && name.length > longest_name) {
      short.push(`${name.slice(0, longest_name)}…`);
      continue;
    }
    const { value, whole, chars } = fitValue(unfitted, Math.max(0, left - name.length));
    if (!whole) short.push(name);
    if (whole || left > 0) shown.push([name, value]);
    left = whole ? left - name.length - chars : 0;
  }
  return { values: Object.fromEntries(shown), short };
}

/** The values that fit, and how many of the omitted values are 0 or false. */
export interface FittedSolution extends FittedValues {
  readonly zeros: number;
}

/**
 * Returns the values of a solution that fit together. If not all of them fit, values that are 0 or false are omitted
 * first.
 */
export function fitSolution(all: Readonly<Record<string, unknown>>, chars_max: number): FittedSolution {
  if (lengthOf(all) <= chars_max) return { values: { ...all }, short: [], zeros: 0 };
  const entries = Object.entries(all);
  const telling = entries.filter(([, value]) => !isZero(value));
  return { ...fitValues(Object.fromEntries(telling), chars_max), zeros: entries.length - telling.length };
}

const names_listed_max = 20;

/** Returns a note on which values an answer omits and how to see them; empty if it omits none. */
export function cutNote({ short, zeros }: FittedSolution, chars_max: number, rest: string): string[] {
  if (short.length + zeros === 0) return [];
  const more = short.length - names_listed_max;
  const left_out = [
    ...(zeros > 0 ? [`${zeros} values that are 0 or false`] : []),
    ...short.slice(0, names_listed_max),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  const what = `The values are longer than one answer (${chars_max} characters); shortened or left out`;
  return [`${what}: ${left_out.join(", ")}. ${rest}.`];
}

const zero_of_smtlib = /^(?:0(?:\.0+)?|false|#(?:x0+|b0+)|\(_ (?:bv0|\+zero) [\d ]+\))$/;

/** Whether a value is 0 or false, in JSON or in SMT-LIB, or consists of such values. */
export function isZero(value: unknown): boolean {
  if (typeof value === "string") return zero_of_smtlib.test(value);
  if (typeof value !== "object" || value === null) return value === 0 || value === false;
  const parts: readonly unknown[] = Object.values(value);
  return parts.length > 0 && parts.every(isZero);
}

/** Returns as many texts as fit together, starting with the first. A note at the end says how many are shown. */
export function fitTexts(texts: readonly string[], chars_max: number): string[] {
  const shown: string[] = [];
  let left = chars_max;
  for (const text of texts) {
    if (left <= 0) return [...shown, `; cut: ${shown.length} of ${texts.length} are shown`];
    shown.push(cut(text, left));
    left -= text.length + 1;
  }
  return shown;
}

/** Returns the first lines that fit together, at least one. Each line is cut to `line_chars_max`. */
export function fitLines(lines: readonly string[], chars_max: number, line_chars_max = chars_max): string[] {
  const shown = lines.map((line) => cut(line, line_chars_max));
  let left = chars_max;
  const end = shown.findIndex((line, i) => {
    left -= line.length;
    return left < 0 && i > 0;
  });
  return end < 0 ? shown : shown.slice(0, end);
}

/**
 * Selects which lines of a listing to show; each line has one value. If there are only a few lines, all of them are
 * shown; otherwise, only those whose value is not 0 or false, up to a limit.
 */
export function fitListing(
  lines: readonly string[],
  zeros: readonly boolean[],
  unit = "values",
): { readonly shown: readonly string[]; readonly left_out: string | undefined } {
  const { values_text_max, values_text_chars_max, value_text_chars_max } = limits;
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  if (lines.length <= values_text_max && chars <= values_text_chars_max) return { shown: lines, left_out: undefined };
  const telling = lines.filter((_, i) => !zeros[i]);
  const shown = fitLines(telling.slice(0, values_text_max), values_text_chars_max, value_text_chars_max);
  const left = telling.length - shown.length;
  const of_zero = lines.length - telling.length;
  const parts = [
    ...(left > 0 ? [`${left} ${unit}`] : []),
    ...(of_zero > 0 ? [`${of_zero} ${unit} that are 0 or false`] : []),
    ...(shown.some((line, i) => line !== telling[i]) ? ["the rest of long values"] : []),
  ];
  return { shown, left_out: parts.length > 0 ? parts.join(", ") : undefined };
}

/**
 * The share of a long output that is kept from its beginning. It is small because programs print their results last.
 */
const share_of_beginning = 0.2;

/** Returns the printed lines that fit together: the first and the last ones, with a note between them. */
export function fitPrinted(lines: readonly string[], chars_max: number): string[] {
  const text = lines.join("\n");
  if (text.length <= chars_max) return [...lines];
  const first = text.slice(0, chars_max * share_of_beginning).replace(/\n[^\n]*$/, "");
  const last = text.slice(-chars_max * (1 - share_of_beginning)).replace(/^[^\n]*\n/, "");
  const left_out = text.length - first.length - last.length;
  return [...first.split("\n"), `… ${left_out} characters are left out …`, ...last.split("\n")];
}
