/**
 * Solvers give an integer variable without bounds the bounds of their own numbers, and go on: Gecode 6
 * answered `unsat` for `x > 2147483640 /\ x * x > 9`, Chuffed found -500000000 for `x > 3000000000`, both
 * without a word. So what was compiled is looked at: whatever it holds that a solver's numbers can't is named.
 */

/** The largest integer that a solver reckons with; others reckon in floating point, exact to 2^53. */
const largest: readonly { readonly solver: RegExp; readonly integer: number }[] = [
  { solver: /gecode/i, integer: 2_147_483_646 },
  { solver: /chuffed/i, integer: 500_000_000 },
];

function largestOf(solver: string): number {
  return largest.find((each) => each.solver.test(solver))?.integer ?? Number.MAX_SAFE_INTEGER;
}

/** What a solver can't reckon with: variables without bounds, and numbers that are too large. */
export function beyond(flatzinc: string, solver: string): string[] {
  const most = largestOf(solver);
  const text = flatzinc.replaceAll(/"(?:[^"\\]|\\.)*"|^%.*$/gm, "");
  const bounds = boundsIn(text);
  boundDefined(text, bounds);
  const unbounded = [...bounds].filter(([, range]) => range === undefined).map(([name]) => `${name} has no bounds`);
  return [...unbounded, ...tooLarge(text, most), ...[...bounds].flatMap(([name, range]) => wide(name, range, most))];
}

/** Whether a text names a number that this solver can't reckon with. */
export function namesLarge(text: string, solver: string): boolean {
  return tooLarge(text, largestOf(solver)).length > 0;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

function wide(name: string, range: Range | undefined, most: number): string[] {
  return range && Math.max(Math.abs(range.low), Math.abs(range.high)) > most ? [`${name} is too large`] : [];
}

function tooLarge(text: string, most: number): string[] {
  const found = text.match(/(?<!\w|[^.]\.)\d{9,}(?!\w|\.\d)/g) ?? [];
  return [...new Set(found)].filter((number) => Number(number) > most).map((number) => `${number} is too large`);
}

/** Each integer variable with its bounds, where it has some. */
function boundsIn(text: string): Map<string, Range | undefined> {
  const declarations = text.matchAll(/^var (int|-?\d+\.\.-?\d+|\{[-\d, ]+\})\s*:\s*(\w+)/gm);
  return new Map([...declarations].map(([, domain = "", name = ""]) => [name, rangeOf(domain)]));
}

function rangeOf(domain: string): Range | undefined {
  if (domain === "int") return undefined;
  const numbers = domain.match(/-?\d+/g)?.map(Number) ?? [];
  return { low: Math.min(...numbers), high: Math.max(...numbers) };
}

const definition = /^constraint int_lin_eq\((\w+|\[[^\]]*\]),(\w+|\[[^\]]*\]),(-?\d+)\).*:: ?defines_var\((\w+)\)/gm;

/** Bounds that follow for variables defined as a sum of bounded ones; the compiler leaves some of them out. */
function boundDefined(text: string, bounds: Map<string, Range | undefined>): void {
  if (![...bounds.values()].includes(undefined)) return;
  const arrays = new Map(
    [...text.matchAll(/^array \[[^\]]*\] of (?:var )?int\s*:\s*(\w+)[^=\n]*= ?\[([^\]]*)\]/gm)].map(
      ([, name = "", elements = ""]) => [name, elements],
    ),
  );
  const listOf = (given: string) =>
    (given.startsWith("[") ? given.slice(1, -1) : (arrays.get(given) ?? "")).split(",").map((each) => each.trim());
  const sums = [...text.matchAll(definition)].map(([, coefficients = "", variables = "", sum = "", defined = ""]) => ({
    coefficients: listOf(coefficients).map(Number),
    variables: listOf(variables),
    sum: Number(sum),
    defined,
  }));
  for (let grew = true; grew; ) {
    grew = false;
    for (const sum of sums) {
      if (!bounds.has(sum.defined) || bounds.get(sum.defined)) continue;
      const range = rangeOfSum(sum, bounds);
      if (range) bounds.set(sum.defined, range);
      grew ||= range !== undefined;
    }
  }
}

interface Sum {
  readonly coefficients: readonly number[];
  readonly variables: readonly string[];
  readonly sum: number;
  readonly defined: string;
}

/** The range of the defined variable in `c1*x1 + … = sum`. */
function rangeOfSum(
  { coefficients, variables, sum, defined }: Sum,
  bounds: ReadonlyMap<string, Range | undefined>,
): Range | undefined {
  let [low, high] = [sum, sum];
  let own = 0;
  for (const [i, name] of variables.entries()) {
    const coefficient = coefficients[i] ?? Number.NaN;
    if (name === defined) own += coefficient;
    else {
      const range = /^-?\d+$/.test(name) ? { low: Number(name), high: Number(name) } : bounds.get(name);
      if (!range) return undefined;
      const ends = [coefficient * range.low, coefficient * range.high];
      low -= Math.max(...ends);
      high -= Math.min(...ends);
    }
  }
  const ends = [low / own, high / own];
  return ends.every(Number.isFinite) ? { low: Math.min(...ends), high: Math.max(...ends) } : undefined;
}
