import { closingOf } from "./brackets.ts";
import { parted, writtenElements } from "./calls.ts";
import type { Statement, Token } from "./source.ts";

/** Names are replaced by their values so many times: a name that stands for itself has no size. */
const steps_max = 8;

/** The numbers of elements of lists, as far as the source and the data show them. */
export class Sizes {
  readonly #statements: readonly Statement[];
  readonly #data: readonly string[];

  constructor(statements: readonly Statement[], data: readonly string[]) {
    this.#statements = statements;
    this.#data = data;
  }

  ofList(list: readonly Token[]): number | undefined {
    const [first, second] = list;
    if (first?.text === "array1d" && second?.text === "(" && closingOf(list, 1) === list.length - 1)
      return this.ofList(parted(list.slice(2, -1)).at(-1) ?? []);
    const written = writtenElements(list, this.#statements, this.#data);
    if (written !== undefined) return written.length;
    // `[e | i in S]` has an element for each one of the set.
    const [, ...generator] = textOf(list.slice(1, -1)).split("|");
    const over = first?.text === "[" && generator.length === 1 ? /^ \w+ in ([^,]+)$/.exec(generator[0] ?? "") : null;
    if (over) return this.#ofSet(over[1] ?? "", steps_max);
    const set = list.length === 1 && first ? indexSetOf(first.text, this.#statements) : undefined;
    return set === undefined ? undefined : this.#ofSet(set, steps_max);
  }

  #ofSet(set: string, steps: number): number | undefined {
    const [low, high, ...more] = set.split("..").map((part) => this.#number(part, steps));
    if (low !== undefined && high !== undefined && more.length === 0) return Math.max(0, high - low + 1);
    const elements = /^\s*\{([^|]*)\}\s*$/.exec(set)?.[1];
    if (elements !== undefined) return elements.split(",").filter((each) => each.trim() !== "").length;
    const value = steps > 0 ? this.#value(set) : undefined;
    return value === undefined ? undefined : this.#ofSet(value, steps - 1);
  }

  #number(text: string, steps: number): number | undefined {
    const [, term = "", sign, by = "0"] = /^\s*(-? ?\w+) ?(?:([-+]) ?(\d+))?\s*$/.exec(text) ?? [];
    const plain = term.replace(" ", "");
    const value = /^-?\d+$/.test(plain) ? plain : steps > 0 ? this.#value(plain) : undefined;
    const base = value === plain ? Number(plain) : value && this.#number(value, steps - 1);
    return typeof base === "number" ? base + Number(by) * (sign === "-" ? -1 : 1) : undefined;
  }

  /** What a name stands for, as text. */
  #value(name: string): string | undefined {
    const word = name.trim();
    for (const { tokens } of this.#statements) {
      const i = tokens.findIndex(({ text }, at) => text === word && tokens[at + 1]?.text === "=");
      const before = tokens[i - 1]?.text;
      if (i >= 0 && (before === undefined || before === ":" || before === "enum"))
        return textOf(tokens.slice(i + 2)).replace(/ ?;$/, "");
    }
    for (const text of this.#data) {
      const values: unknown = JSON.parse(text);
      const own = typeof values === "object" && values !== null ? Object.entries(values) : [];
      const value: unknown = own.find(([key]) => key === word)?.[1];
      if (typeof value === "number") return String(value);
      const size = sizeOfSet(value);
      if (size !== undefined) return `1..${size}`;
    }
    return undefined;
  }
}

/** How many elements a set or an enum of the data has: `{"set": [1, [3, 5]]}` has four. */
function sizeOfSet(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("set" in value) || !Array.isArray(value.set)) return undefined;
  const sizes = value.set.map((each) => (Array.isArray(each) ? Math.max(0, each[1] - each[0] + 1) : 1));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function indexSetOf(name: string, statements: readonly Statement[]): string | undefined {
  for (const { tokens } of statements) {
    const end = tokens[0]?.text === "array" ? closingOf(tokens, 1) : tokens.length;
    const colon = tokens.findIndex(({ text }, i) => i > end && text === ":");
    if (tokens[colon + 1]?.text === name && colon >= 0) return textOf(tokens.slice(2, end));
  }
  return undefined;
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(". .", "..");
}
