import type { Values } from "../language.ts";
import type { Pair } from "./compare.ts";
import { canCompare, flat, formOf, keyOf, kindOf } from "./form.ts";
import type { Answered, Listed, Solutions } from "./side.ts";

/** A model's own answer, and its solutions with the values that its solver chose. */
export interface Known {
  readonly own: Answered;
  readonly chosen: Solutions;
}

type Both<Each> = readonly [Each, Each];

/** Returns the names that can correspond: those that both programs print, or otherwise those that both models have. */
export function candidates(both: Both<Answered>): Pair[] {
  const [one, two] = both.map(({ printed, values }) => {
    const names = Object.keys(printed);
    return names.length > 0 ? names : Object.keys(values);
  });
  const common = shared(one, two);
  return common.length > 0
    ? common
    : shared(...both.map(({ printed, values }) => Object.keys({ ...values, ...printed })));
}

/**
 * Returns the names that only one of the programs prints, besides names that both print. They correspond if the other
 * program has an expression of that name, whose value its solver chooses.
 */
export function printedOnce([one, two]: Both<Answered>): Pair[] {
  const printed = [one, two].map((each) => Object.keys(each.printed));
  const names = printed.flatMap((own, side) => own.filter((name) => !printed[1 - side]?.includes(name)));
  return names.length < printed.flat().length ? names.map((name) => [name, name]) : [];
}

/** Adds to the pairs the names whose values both solvers choose. */
export function withChosen(pairs: readonly Pair[], both: Both<Known>): Pair[] {
  const more = shared(...both.map(({ chosen }) => chosen.over));
  return [...pairs, ...more.filter(([name]) => !pairs.some(([own]) => own === name))];
}

function shared(one: readonly string[] = [], two: readonly string[] = []): Pair[] {
  const others = new Set(two);
  return one.filter((name) => others.has(name)).map((name): Pair => [name, name]);
}

/**
 * Returns the pairs that can be compared, and the solutions of both models in these names. If a program prints other
 * values under these names than its solver chooses, its own answer is its only known solution.
 */
export function inNames(
  both: Both<Known>,
  pairs: readonly Pair[],
  are_wanted: boolean,
): readonly [readonly Pair[], Both<Solutions>] {
  const [one, two] = both;
  const are_chosen = (some: readonly Pair[], side: 0 | 1) => some.every((pair) => isChosen(both[side], pair[side]));
  const usable = pairs.filter(([a, b]) => isKnown(one, a) && isKnown(two, b));
  const chosen = [are_chosen(usable, 0), are_chosen(usable, 1)] as const;
  if (usable.length > 0 && (chosen[0] || chosen[1]) && (!are_wanted || usable.length === pairs.length)) {
    const solutions = ([0, 1] as const).map((side) =>
      chosen[side] ? taking(both[side], usable, side) : printedOf(both[side], usable, side),
    );
    return [usable, [solutions[0] ?? one.chosen, solutions[1] ?? two.chosen]];
  }
  const rest = are_wanted ? pairs : usable.filter((pair) => are_chosen([pair], 0) && are_chosen([pair], 1));
  return [rest, [taking(one, rest, 0), taking(two, rest, 1)]];
}

/**
 * Adds optional pairs to those that are compared, provided that one side's solver chooses all of these values. Returns
 * undefined if none qualifies.
 */
export function withOptional(
  both: Both<Known>,
  pairs: readonly Pair[],
  optional: readonly Pair[],
): ReturnType<typeof inNames> | undefined {
  const [most = []] = ([0, 1] as const)
    .filter((side) => pairs.every((pair) => isChosen(both[side], pair[side])))
    .map((side) => optional.filter((pair) => isChosen(both[side], pair[side]) && correspond(both, pair)))
    .sort((a, b) => b.length - a.length);
  return most.length > 0 ? inNames(both, [...pairs, ...most], true) : undefined;
}

/** Whether both models have a value of this name, and the two can be compared. */
function correspond(both: Both<Known>, pair: Pair): boolean {
  const kinds = both.map(({ own: { printed, values } }, side) => {
    const name = pair[side === 0 ? 0 : 1];
    return kindOf(formOf(Object.hasOwn(printed, name) ? printed[name] : values[name]));
  });
  return isKnown(both[0], pair[0]) && isKnown(both[1], pair[1]) && canCompare(kinds[0] ?? "", kinds[1] ?? "");
}

/**
 * Returns the solver's solutions, and which of the names the program prints too. For another solution, the program may
 * print something else under these names.
 */
function taking(known: Known, pairs: readonly Pair[], side: 0 | 1): Solutions {
  const taken = pairs.map((pair) => pair[side]).filter((name) => Object.hasOwn(known.own.printed, name));
  return { ...withOwn(known), ...(taken.length > 0 && { taken }) };
}

function isKnown(known: Known, name: string): boolean {
  return isChosen(known, name) || Object.hasOwn(known.own.printed, name);
}

/** Whether the solver chooses the value of a name, and the program prints no other value under this name. */
function isChosen({ own: { printed, values }, chosen }: Known, name: string): boolean {
  if (!chosen.over.includes(name)) return false;
  return !Object.hasOwn(printed, name) || flatKey(printed[name]) === flatKey(values[name]);
}

function flatKey(value: unknown): string {
  return keyOf(flat(formOf(value)));
}

/** Returns the model's own answer, followed by the listed solutions. */
function withOwn({ own, chosen }: Known): Solutions {
  return chosen.is_all ? chosen : { ...chosen, rows: [rowOf(own, own.values), ...chosen.rows] };
}

function printedOf({ own, chosen }: Known, pairs: readonly Pair[], side: 0 | 1): Solutions {
  return {
    ...chosen,
    rows: [rowOf(own, own.printed)],
    is_all: false,
    over: pairs.map((pair) => pair[side]),
    is_printed: true,
    reason: only_printed,
  };
}

const only_printed =
  "a program prints values under these names that differ from its solver's, so only its own answer was compared";

function rowOf({ best }: Answered, values: Values): Listed {
  return { values, objective: best?.value, is_best: best === undefined || best.proved === true };
}
