import { Fault } from "../../../kernel/fault.ts";

/** The modules that a checker can import. An item that imports other modules is a program. */
const modules =
  "collections|copy|csv|dataclasses|datetime|decimal|fractions|functools|heapq|itertools|json|math|operator|re|statistics|string|typing|__future__";

/** Matches an item that begins with a checker function, after comments and standard library imports. */
const begins = new RegExp(
  String.raw`^(?:[ \t\r]*(?:#.*|(?:import|from)[ \t]+(?:${modules})\b.*)?\n)*def[ \t]+violations[ \t]*\(`,
);

/**
 * Matches a line that can precede the checker function: part of another function, a constant, a comment or an import.
 */
const before = new RegExp(
  String.raw`^(?:$|[\s#)\]}]|(?:def|class)\b|[A-Z][A-Z_\d]*[ \t]*=|(?:import|from)[ \t]+(?:${modules})\b)`,
);
const usual = /^def[ \t]+violations[ \t]*\([ \t]*values[ \t]*,[ \t]*data\b/;

/** Whether an item is the model's checker rather than a part of the model. */
export function isChecker(item: string): boolean {
  if (begins.test(item)) return true;
  for (let from = 0, to = 0; to >= 0; from = to + 1) {
    to = item.indexOf("\n", from);
    const line = item.slice(from, to < 0 ? undefined : to);
    if (usual.test(line)) return true;
    if (!before.test(line)) return false;
  }
  return false;
}

/** A model's items without its checker, which is replaced by an empty text so that all others keep their numbers. */
export interface Divided {
  readonly program: readonly string[];
  readonly checker?: { readonly item: number; readonly text: string };
}

/** Separates a model's checker from its other items. Raises `input_rejected` for a second checker. */
export function divided(items: readonly string[]): Divided {
  const [first, second] = items.flatMap((text, item) => (isChecker(text) ? [{ item, text }] : []));
  if (!first) return { program: items };
  if (second) throw secondChecker(first.item, second.item);
  const program = items.with(first.item, "");
  // A model that was given as a whole file must stay the only item.
  while (program.at(-1) === "") program.pop();
  return { program, checker: first };
}

function secondChecker(first: number, second: number): Fault {
  return new Fault(
    "input_rejected",
    { where: `Item ${second}, line 1: `, what: `The model already has a checker: item ${first}.` },
    [
      `replace_item with index ${first} replaces it; one function can yield the violations of all rules`,
      "or give this function another name, if it is part of the model",
    ],
    { item: second, line: 1, column: 1 },
  );
}

/** Returns the fault for a text that was given as a checker but is not a checker. */
export function noChecker(): Fault {
  return new Fault(
    "invalid_argument",
    "The checker does not define violations(values, data), or has other statements before it.",
    [
      "define the function with this line: `def violations(values, data):`; before it, only imports of the standard library, constants such as DAYS = […], and other functions are allowed",
      "yield one string for each violated rule: which rule, where, and by how much",
    ],
  );
}
