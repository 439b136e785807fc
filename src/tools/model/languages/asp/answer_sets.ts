/** An answer set as JSON: its atoms and, for each predicate, the argument tuples for which it holds. */
export type AnswerSet = Readonly<Record<string, unknown>>;

interface Atom {
  readonly name: string;
  /** The atom's arguments; undefined if it has none or can't be parsed. */
  readonly args: readonly unknown[] | undefined;
}

const order = new Intl.Collator("en", { numeric: true });

/**
 * Converts atoms to JSON: `{atoms: ["color(a,red)", "on"], color: [["a", "red"]], on: true}`. Numbers stay numbers,
 * strings and constants become strings, tuples become lists, and any other term becomes its text. A name with several
 * arities, or the name `atoms`, has its arity appended: `color/2`.
 */
export function answerSet(symbols: readonly string[]): AnswerSet {
  const atoms = [...symbols].sort(order.compare);
  const parsed = atoms.map(parseAtom);
  const arities = new Map<string, Set<number>>();
  for (const { name, args } of parsed) {
    const known = arities.get(name) ?? new Set();
    arities.set(name, known.add(args?.length ?? 0));
  }
  const groups = new Map<string, unknown[][] | true>();
  for (const { name, args } of parsed) {
    const plain = name !== "atoms" && arities.get(name)?.size === 1;
    const key = plain ? name : `${name}/${args?.length ?? 0}`;
    const group = groups.get(key);
    if (!args) groups.set(key, true);
    else if (Array.isArray(group)) group.push([...args]);
    else groups.set(key, [[...args]]);
  }
  return Object.fromEntries([["atoms", atoms], ...groups]);
}

function parseAtom(text: string): Atom {
  const open = /^(-?[_']*[a-z][\w']*)\(/.exec(text);
  const name = open?.[1];
  if (name === undefined || !text.endsWith(")")) return { name: text, args: undefined };
  const inside = text.slice(name.length + 1, -1);
  return { name, args: termsIn(inside).map(jsonOf) };
}

/** Splits a list of terms at the commas outside brackets and strings; the list ends at its closing bracket. */
export function termsIn(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[(),]/g)) {
    if (sign === "(") depth++;
    else if (sign === ")" && depth-- === 0) return [...parts, text.slice(start, index)];
    else if (sign === "," && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function jsonOf(term: string): unknown {
  if (/^-?\d+$/.test(term)) return Number(term);
  if (/^"(?:[^"\\]|\\.)*"$/.test(term)) return unquote(term);
  if (term === "()") return [];
  const tuple = /^\((.*)\)$/s.exec(term)?.[1];
  // A one-element tuple ends with a comma.
  return tuple === undefined ? term : termsIn(tuple.replace(/,$/, "")).map(jsonOf);
}

function unquote(term: string): string {
  return term.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char));
}
