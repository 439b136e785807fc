import { Chance } from "./chance.ts";
import { areApart, areDifferent, isCircuit, neverAbove, type Task } from "./global_meanings.ts";
import {
  type Call,
  contexts,
  type Generate,
  listed,
  mended_calls,
  namesOf,
  numberOf,
  numbersOf,
  optional,
  truth,
  upTo,
  type Value,
  type Values,
  type Variable,
  whole,
} from "./mended_calls.ts";
import { type Declared, type RandomModel, solved } from "./random_minizinc.ts";

/** Random calls of the constraints that CP-SAT has itself, each with its meaning. */

const variablesOf = (chance: Chance, count: number, low: number, high: number) =>
  upTo(count).map((i) => {
    const least = low + chance.between(-1, 1);
    return whole(`x${i}`, least, Math.max(least, high + chance.between(-1, 1)));
  });

const allDifferent: Generate = (chance) => {
  const xs = variablesOf(chance, chance.between(1, 4), 0, 2);
  return {
    variables: xs,
    text: `all_different(${namesOf(xs)})`,
    holds: (values) => areDifferent(numbersOf(values, xs)),
  };
};

/** A list whose first index is another one. */
const shifted = (xs: readonly Variable[], base: number) =>
  base === 1 ? namesOf(xs) : `array1d(${base}..${base + xs.length - 1}, ${namesOf(xs)})`;

const circuit: Generate = (chance) => {
  const [count, base] = [chance.between(2, 4), chance.between(-1, 2)];
  const xs = variablesOf(chance, count, base, base + count - 1);
  return {
    variables: xs,
    text: `circuit(${shifted(xs, base)})`,
    holds: (values) => isCircuit(numbersOf(values, xs), base),
  };
};

const inverse: Generate = (chance) => {
  const [count, base, other] = [chance.between(1, 3), chance.between(0, 2), chance.between(0, 2)];
  const xs = variablesOf(chance, count, other, other + count - 1);
  const ys = upTo(count).map((i) => whole(`y${i}`, base - chance.between(0, 1), base + count - 1));
  return {
    variables: [...xs, ...ys],
    text: `inverse(${shifted(xs, base)}, ${shifted(ys, other)})`,
    holds: (values) => {
      const [there, back] = [numbersOf(values, xs), numbersOf(values, ys)];
      return there.every((x, i) => back[x - other] === i + base) && back.every((y, i) => there[y - base] === i + other);
    },
  };
};

const table: Generate = (chance) => {
  const xs = variablesOf(chance, chance.between(1, 3), 0, 2);
  const rows = upTo(chance.between(1, 4)).map(() => xs.map(() => chance.between(-1, 3)));
  return {
    variables: xs,
    text: `table(${namesOf(xs)}, [| ${rows.map((row) => row.join()).join(" | ")} |])`,
    holds: (values) => rows.some((row) => row.join() === numbersOf(values, xs).join()),
  };
};

const tableOfTruths: Generate = (chance) => {
  const xs = upTo(chance.between(1, 3)).map((i) => truth(`x${i}`));
  const rows = upTo(chance.between(1, 4)).map(() => xs.map(() => chance.between(0, 1) === 1));
  return {
    variables: xs,
    text: `table(${namesOf(xs)}, [| ${rows.map((row) => row.join()).join(" | ")} |])`,
    holds: (values) => rows.some((row) => row.join() === xs.map(({ name }) => values[name]).join()),
  };
};

const automaton =
  (isCertain: boolean): Generate =>
  (chance) => {
    const xs = variablesOf(chance, chance.between(1, 3), 1, 2);
    const [states, inputs] = [chance.between(1, 3), chance.between(1, 3)];
    const next = upTo(states).map(() =>
      upTo(inputs).map(() => (isCertain ? [chance.between(0, states)] : chance.some(upTo(states)))),
    );
    const ends = chance.some(upTo(states));
    const cell = (states: readonly number[]) => (isCertain ? String(states[0]) : `{${states.join()}}`);
    const rows = next.map((row) => row.map(cell).join()).join(" | ");
    return {
      variables: xs,
      text: `${isCertain ? "regular" : "regular_nfa"}(${namesOf(xs)}, ${states}, ${inputs}, [| ${rows} |], 1, {${ends.join()}})`,
      holds: (values) => {
        const step = (now: readonly number[], x: number) =>
          now.flatMap((state) => (x >= 1 && x <= inputs ? (next[state - 1]?.[x - 1] ?? []) : []));
        return numbersOf(values, xs)
          .reduce(step, [1])
          .some((state) => ends.includes(state));
      },
    };
  };

/** Numbers for each task: constants, or variables. */
function needs(chance: Chance, name: string, count: number, most: number): readonly (Variable | number)[] {
  return upTo(count).map((i) =>
    chance.between(0, 2) === 0 ? whole(`${name}${i}`, 0, chance.between(0, most)) : chance.between(0, most),
  );
}

const texts = (all: readonly (Variable | number)[]) =>
  listed(all.map((each) => (typeof each === "number" ? each : each.name)));
const variablesIn = (all: readonly (Variable | number)[]) =>
  all.flatMap((each) => (typeof each === "number" ? [] : [each]));
const read = (values: Values, each: Variable | number | undefined) =>
  typeof each === "object" ? numberOf(values[each.name]) : (each ?? 0);

type TaskKind = "cumulative" | "disjunctive" | "disjunctive_strict";

const tasks =
  (kind: TaskKind, areOptional: boolean): Generate =>
  (chance) => {
    const count = chance.between(2, 3);
    const starts = upTo(count).map((i) =>
      areOptional && chance.between(0, 1) ? optional(`s${i}`, 0, 2) : whole(`s${i}`, 0, 2),
    );
    const sizes = needs(chance, "d", count, 3);
    const loads = kind === "cumulative" ? needs(chance, "r", count, 2) : upTo(count).map(() => 1);
    const most = kind === "cumulative" && chance.between(0, 2) === 0 ? whole("c", 0, 2) : chance.between(1, 3);
    const load = kind === "cumulative" ? `, ${texts(loads)}, ${typeof most === "number" ? most : most.name}` : "";
    return {
      variables: [...starts, ...variablesIn([...sizes, ...loads, ...(kind === "cumulative" ? [most] : [])])],
      text: `${kind}(${namesOf(starts)}, ${texts(sizes)}${load})`,
      holds: (values) => {
        const placed = starts.flatMap(({ name }, i): Task[] => {
          if (values[name] === null) return [];
          return [{ start: numberOf(values[name]), size: read(values, sizes[i]), need: read(values, loads[i]) }];
        });
        if (kind === "cumulative") return neverAbove(placed, read(values, most));
        return areApart(placed, kind === "disjunctive_strict");
      },
    };
  };

const rectangles: Generate = (chance) => {
  const [xs, ys] = [variablesOf(chance, 2, 0, 2), upTo(2).map((i) => whole(`y${i}`, 0, chance.between(0, 2)))];
  const [widths, heights] = [needs(chance, "w", 2, 2), needs(chance, "h", 2, 2)];
  return {
    variables: [...xs, ...ys, ...variablesIn([...widths, ...heights])],
    text: `diffn(${namesOf(xs)}, ${namesOf(ys)}, ${texts(widths)}, ${texts(heights)})`,
    holds: (values) => {
      const [[a = 0, b = 0], [c = 0, d = 0]] = [numbersOf(values, xs), numbersOf(values, ys)];
      const [w, v, h, g] = [widths[0], widths[1], heights[0], heights[1]].map((each) => read(values, each));
      return a + (w ?? 0) <= b || b + (v ?? 0) <= a || c + (h ?? 0) <= d || d + (g ?? 0) <= c;
    },
  };
};

const extremes: Generate = (chance) => {
  const xs = variablesOf(chance, chance.between(1, 3), 0, 2);
  const isMost = chance.between(0, 1) === 1;
  return {
    variables: [...xs, whole("m", 0, 2)],
    text: `${isMost ? "maximum" : "minimum"}(m, ${namesOf(xs)})`,
    holds: (values) => (isMost ? Math.max : Math.min)(...numbersOf(values, xs)) === values["m"],
  };
};

const native_calls: readonly Generate[] = [
  ...[allDifferent, circuit, inverse, table, tableOfTruths, automaton(true), automaton(false), rectangles, extremes],
  ...(["cumulative", "disjunctive", "disjunctive_strict"] as const).flatMap((kind) => [
    tasks(kind, false),
    tasks(kind, true),
  ]),
];

/**
 * What stands for a value in an assignment: an absent one is -9, a set the sum of the powers of two of its members, which are
 * counted from 1 more if there can be -1.
 */
function codeOf(value: Value, domain: readonly Value[]): number {
  if (value === null) return -9;
  if (typeof value !== "object") return Number(value);
  const shift = Number(domain.some((set) => Array.isArray(set) && set.includes(-1)));
  return value.reduce((sum, each) => sum + 2 ** (each + shift), 0);
}

/** A call in one of the contexts, with all values for which that holds. */
export function callModel(seed: number): RandomModel {
  const chance = new Chance(seed);
  const calls = [...native_calls, ...native_calls, ...mended_calls];
  const call: Call = chance.of(calls)(chance);
  const [text, holds] = chance.of(contexts);
  const variables = [...call.variables, truth("b")];
  const declared = variables.map(
    ({ name, declaration, domain }): Declared => ({
      name,
      text: declaration,
      values: domain.map((each) => codeOf(each, domain)),
    }),
  );
  const decode = (values: Readonly<Record<string, number>>): Values =>
    Object.fromEntries(
      variables.map(({ name, domain }) => [name, domain.find((each) => codeOf(each, domain) === values[name]) ?? null]),
    );
  return solved({
    declared,
    conditions: [
      { text: text(call.text), of: (values) => holds(call.holds(decode(values)), decode(values)["b"] === true) },
    ],
    goal: "satisfy",
    objective: "0",
    objectiveOf: () => 0,
  });
}
