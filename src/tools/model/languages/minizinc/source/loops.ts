import type { Statement } from "../../../../../evidence/minizinc/statements.ts";
import {
  closingOf,
  endOf,
  isEnclosed,
  outside,
  parted,
  type Tokens,
  written,
} from "../../../../../evidence/minizinc/tokens.ts";

/** The loops of a constraint, which is a conjunction of cases: one per combination of the loop variables' values. */
export interface Loops {
  /** The generators as written in the source, from the outermost loop inwards. */
  readonly generators: readonly string[];
  /** The variables of the generators. */
  readonly variables: readonly string[];
  /** A MiniZinc expression for the values of the loop variables in a case. */
  readonly values: string;
  /**
   * A MiniZinc expression for the name of a case: the names given by the author, and the values of variables that no
   * name describes.
   */
  readonly name: string;
  /** The offset in the item after the last generator. */
  readonly end: number;
}

/**
 * Finds the loops of a constraint that consists of a `forall`, or that has a name from its author. Undefined if neither
 * is the case.
 */
export function loopsOf({ tokens, end }: Statement, item: string): Loops | undefined {
  const generators: string[] = [];
  const variables: string[] = [];
  let names: string[] = [];
  // The loop variables that no name describes.
  let unnamed: string[] = [];
  let offset = end;
  let rest: Tokens | undefined = tokens.slice(1, -1);
  while (rest !== undefined) {
    const { core, given } = withoutAnnotations(rest, item);
    if (given.length > 0) [names, unnamed] = [[...names, ...given], []];
    const loop = loopIn(core);
    if (loop) {
      const own = variablesOf(loop.generators);
      generators.push(written(loop.generators, item));
      variables.push(...own);
      unnamed.push(...own);
      offset = endOf(loop.generators.at(-1));
    }
    rest = loop?.body;
  }
  const all = unnamed.length === 0 ? names : [...names, valuesOf(unnamed)];
  if (all.length === 0) return undefined;
  return { generators, variables, values: valuesOf(variables), name: all.join(' ++ ", " ++ '), end: offset };
}

/** Returns what a constraint states for each case: the body of its loops, without annotations. */
export function bodyOf({ tokens }: Pick<Statement, "tokens">, item: string): Tokens {
  for (let rest: Tokens = tokens.slice(1, -1); ; ) {
    const { core } = withoutAnnotations(rest, item);
    const loop = loopIn(core);
    if (!loop) return core;
    rest = loop.body;
  }
}

/** Writes a MiniZinc expression that shows the values of variables. */
export function valuesOf(variables: readonly string[]): string {
  return `"${variables.map((each) => `${each} = \\(${each})`).join(", ")}"`;
}

/**
 * Removes the enclosing brackets and the annotations from an expression; also returns the names that the annotations
 * give it.
 */
function withoutAnnotations(tokens: Tokens, item: string): { core: Tokens; given: string[] } {
  const [first] = tokens;
  if (first?.text === "(" && isEnclosed(tokens)) return withoutAnnotations(tokens.slice(1, -1), item);
  const [at] = outside(tokens, /^::$/);
  if (at === undefined) return { core: tokens, given: [] };
  const end = tokens[at + 2]?.text === "(" ? closingOf(tokens, at + 2) + 1 : at + 2;
  const name = nameIn(tokens.slice(at + 1, end), item);
  const { core, given } = withoutAnnotations([...tokens.slice(0, at), ...tokens.slice(end)], item);
  return { core, given: name === undefined ? given : [name, ...given] };
}

/** Returns the name that an annotation gives, as a MiniZinc expression for a string. */
function nameIn([first, ...args]: Tokens, item: string): string | undefined {
  if (first?.kind === "string") return first.text;
  return first && /^(?:constraint|expression)_name$/.test(first.text) ? written(args, item) : undefined;
}

/** Parses `forall(GENERATORS)(BODY)` or `forall([BODY | GENERATORS])`, or another function of a list. */
export function loopIn(
  tokens: Tokens,
  name = "forall",
): { readonly generators: Tokens; readonly body: Tokens } | undefined {
  const [first, open] = tokens;
  if (first?.text !== name || open?.text !== "(") return undefined;
  const close = closingOf(tokens, 1);
  const inside = tokens.slice(2, close);
  const body = tokens.slice(close + 1);
  if (body[0]?.text === "(" && isEnclosed(body)) return { generators: inside, body };
  const list = inside.slice(1, -1);
  const [bar] = outside(list, /^\|$/);
  if (body.length > 0 || inside[0]?.text !== "[" || !isEnclosed(inside) || bar === undefined) return undefined;
  return { generators: list.slice(bar + 1), body: list.slice(0, bar) };
}

/**
 * Finds the variables of generators such as `i, j in 1..n where i < j, k in S`. Names that are assigned by an
 * expression do not count.
 */
export function variablesOf(generators: Tokens): string[] {
  return parted(generators).flatMap(([name, sign]) =>
    name && name.text !== "_" && (sign === undefined || sign.text === "in") ? [name.text] : [],
  );
}
