/**
 * Finds states of a function's variables in which given terms are true. A solver proposes a state, and evaluation
 * confirms it.
 */
import { unless } from "../kernel/unless.ts";
import type { Queries } from "./ask/queries.ts";
import { concrete, partsFor, termsToTell } from "./inputs.ts";
import { type Concrete, evaluator, readValue, Valueless } from "./logic/evaluate.ts";
import { expand, partsIn, small } from "./logic/expand.ts";
import { lawAt } from "./logic/mappings.ts";
import { INT, symbolsIn, type Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import { type Mapping, type Plain, partsOf } from "./logic/values.ts";
import type { Variables } from "./run/parts.ts";
import type { Argument } from "./summary.ts";

/** What is needed to find states. */
export interface Setting {
  readonly t: Terms;
  readonly queries: Queries;
  readonly args: readonly Argument[];
}

export type Values = ReadonlyMap<Term, Concrete>;

/** How large a state may be (the number of list items and the size of integers), and how long to search for one. */
interface Size {
  readonly items: number;
  readonly size: number | undefined;
  readonly ms: number;
}

const sizes: readonly Size[] = [
  { items: 3, size: 6, ms: 1_000 },
  { items: 4, size: 100, ms: 2_000 },
  { items: 5, size: undefined, ms: 2_000 },
];
/** The smallest size. States of this size are found immediately or not at all. */
export const smallest: readonly Size[] = [{ items: 3, size: 6, ms: 300 }];

/** Returns values of all symbols that satisfy all assertions and give these variables values. */
export async function stateIn(
  { t, queries, args }: Setting,
  asserted: readonly Term[],
  variables: readonly Variables[],
  tried: readonly Size[] = sizes,
): Promise<Values | undefined> {
  const plains = [
    ...args.flatMap((arg) => arg.plains),
    ...variables.flatMap((each) => [...each.values()].flatMap((value) => value.map(({ plain }) => plain))),
  ];
  const terms_shown = [...plains.flatMap(partsOf), ...args.flatMap(({ tag }) => tag ?? [])];
  const symbols = [...symbolsIn([...asserted, ...terms_shown, ...variables.flatMap(conditionsOf)])];
  const lengths = [...new Set(plains.flatMap(lengthsOf))];
  // The keys of mappings need not be near 0, unlike the indices of list items.
  const mappings = plains.flatMap((plain) =>
    plain.kind === "mapping" && plain.mapping.count.op === "symbol" ? plain : [],
  );
  for (const { items, size, ms } of tried) {
    const lawful = mappings.flatMap(({ mapping }) => lawOf(t, mapping, items));
    const limited = [...expand(t, asserted, items), ...small(t, symbols, lengths, items, size), ...lawful];
    const terms = [
      ...symbols.flatMap((symbol) => partsIn(t, symbol, items + 2)),
      ...mappings.flatMap((plain) => termsToTell(t, plain, items)),
    ];
    const asked = queries.unsat.length;
    const verdict = await queries.values(limited, terms, Math.min(queries.question_ms, ms));
    // The fact that no small state exists is not part of a proof.
    queries.unsat.splice(asked);
    if (verdict.kind !== "sat") continue;
    const texts = new Map(terms.map((term, i) => [term, readValue(verdict.witness[i] ?? "")]));
    const values = new Map(symbols.map((symbol) => [symbol, concreteOf(t, symbol, items + 2, texts)]));
    for (const plain of mappings) {
      const value = concrete(t, plain, (term) => texts.get(term));
      const parts = value && partsFor(t, plain.mapping.type, value);
      for (const [i, symbol] of partsOf(plain).entries()) values.set(symbol, parts?.[i] ?? emptyOf(symbol.sort));
    }
    if (holds(values, asserted)) return values;
  }
  return undefined;
}

function lawOf(t: Terms, mapping: Mapping, items: number): Term[] {
  const places = Array.from({ length: items }, (_, i) => t.int(BigInt(i)));
  return places.map((place) => t.implies(t.lt(place, mapping.count), lawAt(t, mapping, place)));
}

function conditionsOf(variables: Variables): Term[] {
  return [...variables.values()].flatMap((value) => value.map(({ when }) => when));
}

/** Returns the lengths of a value and of its parts. */
export function lengthsOf(plain: Plain): Term[] {
  if (plain.kind === "tuple" || plain.kind === "record") return plain.items.flatMap(lengthsOf);
  if (plain.kind === "mapping") return [plain.mapping.count];
  return plain.kind === "sequence" ? [plain.sequence.length] : [];
}

function concreteOf(t: Terms, term: Term, items: number, read: ReadonlyMap<Term, Concrete | undefined>): Concrete {
  const { item } = term.sort;
  if (!item) return read.get(term) ?? (term.sort === INT ? 0n : term.sort.text === "Bool" ? false : 0);
  const own = Array.from({ length: items }, (_, i): [bigint, Concrete] => {
    const at = BigInt(i);
    return [at, concreteOf(t, t.select(term, t.int(at)), items, read)];
  });
  return { items: new Map(own), rest: emptyOf(item) };
}

/** Returns a value of a sort: 0, false, or an array of these. */
export function emptyOf(sort: Term["sort"]): Concrete {
  if (sort.item) return { items: new Map(), rest: emptyOf(sort.item) };
  return sort === INT ? 0n : sort.text === "Bool" ? false : 0;
}

/** Whether all terms are true under these values. False if a term has no value. */
export function holds(values: Values, terms: readonly Term[]): boolean {
  return (
    unless(Valueless, () => {
      const read = evaluator(values);
      return terms.every((term) => read(term) === true);
    }) ?? false
  );
}
