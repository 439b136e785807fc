import { cut } from "../../kernel/cut.ts";

export interface FittedValue {
  /** The value, or the beginning of its JSON as a text. */
  readonly value: unknown;
  readonly whole: boolean;
  /** The length of its JSON. */
  readonly chars: number;
}

/** As much of a value as fits, by the length of its JSON. */
export function fitValue(value: unknown, chars_max: number): FittedValue {
  const json = JSON.stringify(value) ?? "null";
  const chars = json.length;
  return chars <= chars_max ? { value, whole: true, chars } : { value: cut(json, chars_max), whole: false, chars };
}

export interface FittedValues {
  readonly values: Record<string, unknown>;
  /** Names of values that are cut or left out. */
  readonly short: readonly string[];
}

/** As many values as fit together, the first ones first; the one at the border is cut. */
export function fitValues(all: Readonly<Record<string, unknown>>, chars_max: number): FittedValues {
  const shown: [string, unknown][] = [];
  const short: string[] = [];
  let left = chars_max;
  for (const [name, given] of Object.entries(all)) {
    const { value, whole, chars } = fitValue(given, Math.max(0, left - name.length));
    if (!whole) short.push(name);
    if (whole || left > 0) shown.push([name, value]);
    left = whole ? left - name.length - chars : 0;
  }
  return { values: Object.fromEntries(shown), short };
}

/** As many texts as fit together, the first ones first; says at the end how many are left out. */
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
