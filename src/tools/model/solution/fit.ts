import { cut } from "../../../kernel/text/cut.ts";

export interface FittedValue {
  /** The value, or its beginning in the same form: a shorter string, the first elements of a list. */
  readonly value: unknown;
  readonly whole: boolean;
  /** The length of its JSON. */
  readonly chars: number;
}

/** As much of a value as fits, by the length of its JSON. */
export function fitValue(value: unknown, chars_max: number): FittedValue {
  const chars = lengthOf(value);
  return chars <= chars_max
    ? { value, whole: true, chars }
    : { value: beginning(value, chars_max), whole: false, chars };
}

function lengthOf(value: unknown): number {
  return (JSON.stringify(value) ?? "null").length;
}

/** The beginning of a value that is too long, with at least the beginning of its first part. */
function beginning(value: unknown, chars_max: number): unknown {
  if (typeof value === "string") return cut(value, chars_max);
  if (Array.isArray(value)) return beginningOf(value, chars_max);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const shown = beginningOf(
    entries.map(([, each]) => each),
    chars_max - 3 * entries.length,
  );
  return Object.fromEntries(entries.slice(0, shown.length).map(([key], i) => [key, shown[i]]));
}

function beginningOf(list: readonly unknown[], chars_max: number): unknown[] {
  let left = chars_max;
  const end = list.findIndex((each) => {
    left -= lengthOf(each) + 1;
    return left < 0;
  });
  return end === 0 ? [beginning(list[0], Math.max(0, chars_max))] : list.slice(0, end < 0 ? list.length : end);
}

export interface FittedValues {
  readonly values: Record<string, unknown>;
  /** Names of values that are cut or left out. */
  readonly short: readonly string[];
}

/** A longer name is shown only where it fits with its value, as any value is. */
const longest_name = 200;

/** As many values as fit together, the first ones first; the one at the border is cut. */
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

/** As many texts as fit together, the first ones first; a note at the end says how many are left out. */
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
