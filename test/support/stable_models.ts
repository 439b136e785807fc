import fc from "fast-check";

/** A propositional rule: its head follows, may be chosen, or is missing (a constraint). */
export interface Rule {
  readonly kind: "derive" | "choose" | "forbid" | "disjoin";
  readonly head: readonly string[];
  readonly positive: readonly string[];
  readonly negative: readonly string[];
}

/** A price for an answer set in which the atom is true. */
export interface Price {
  readonly atom: string;
  readonly weight: number;
  readonly level: number;
}

export interface SmallProgram {
  readonly rules: readonly Rule[];
  readonly prices: readonly Price[];
}

export const atoms = ["a", "b", "c", "d", "e", "f"] as const;

const some = (maxLength: number) => fc.uniqueArray(fc.constantFrom(...atoms), { maxLength });
const rule: fc.Arbitrary<Rule> = fc
  .record({
    kind: fc.constantFrom("derive", "derive", "derive", "choose", "choose", "forbid", "disjoin"),
    head: fc.uniqueArray(fc.constantFrom(...atoms), { minLength: 2, maxLength: 2 }),
    positive: some(2),
    negative: some(2),
  })
  .map(({ kind, head, ...body }) => {
    const heads = kind === "forbid" ? [] : kind === "derive" ? head.slice(0, 1) : head;
    return { kind, head: heads, ...body };
  });
const price = fc.record({
  atom: fc.constantFrom(...atoms),
  weight: fc.integer({ min: -3, max: 3 }),
  level: fc.integer({ min: 1, max: 2 }),
});

/** Programs small enough that all their interpretations can be looked at. */
export const smallProgram: fc.Arbitrary<SmallProgram> = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 9 }),
  prices: fc.array(price, { maxLength: 3 }),
});

/** The program as items; a price is a weak constraint with a key of its own. */
export function itemsOf({ rules, prices }: SmallProgram): string[] {
  const weak = prices.map(({ atom, weight, level }, i) => `:~ ${atom}. [${weight}@${level}, ${i}]`);
  return [...rules.map(textOf), ...weak, `#defined ${atoms.map((atom) => `${atom}/0`).join(". #defined ")}.`];
}

function textOf({ kind, head, positive, negative }: Rule): string {
  const body = [...positive, ...negative.map((atom) => `not ${atom}`)].join(", ");
  const heads = kind === "choose" ? `{ ${head.join("; ")} }` : head.join(" | ");
  return `${heads}${body || kind === "forbid" ? ` :- ${body || "#true"}` : ""}.`;
}

type Interpretation = ReadonlySet<string>;

const interpretations: readonly Interpretation[] = Array.from(
  { length: 2 ** atoms.length },
  (_, bits) => new Set(atoms.filter((_, i) => (bits >> i) & 1)),
);

/**
 * The stable models by their definition: an interpretation that satisfies the rules, and no proper subset of
 * which satisfies what is left of them (Gelfond and Lifschitz's reduct, where a chosen atom supports itself).
 */
export function stableModels({ rules }: SmallProgram): string[][] {
  return interpretations.filter((whole) => isStable(rules, whole)).map((model) => [...model].sort());
}

function isStable(rules: readonly Rule[], whole: Interpretation): boolean {
  if (!rules.every((rule) => satisfies(rule, whole, whole))) return false;
  const smaller = interpretations.filter(
    (part) => part.size < whole.size && [...part].every((atom) => whole.has(atom)),
  );
  return !smaller.some((part) => rules.every((rule) => satisfies(rule, part, whole)));
}

/** Whether a part satisfies the rule as it is under the whole interpretation. */
function satisfies({ kind, head, positive, negative }: Rule, part: Interpretation, whole: Interpretation): boolean {
  if (negative.some((atom) => whole.has(atom)) || !positive.every((atom) => part.has(atom))) return true;
  if (kind === "choose") return head.every((atom) => !whole.has(atom) || part.has(atom));
  return head.some((atom) => part.has(atom));
}

/** The costs of a model by level, the higher level first; levels without a price are not there. */
export function costsOf(model: readonly string[], { prices }: SmallProgram): number[] {
  const levels = [...new Set(prices.map(({ level }) => level))].sort().reverse();
  return levels.map((level) =>
    prices
      .filter((each) => each.level === level && model.includes(each.atom))
      .reduce((sum, { weight }) => sum + weight, 0),
  );
}

/** Which costs are better, the first difference decides. */
export function compareCosts(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((cost, i) => cost !== other[i]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
