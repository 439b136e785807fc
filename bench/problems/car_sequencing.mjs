import { randomFrom, times } from "./random.mjs";

export const car_sequencing = {
  family: "car_sequencing",
  goal: "minimize",
  sizes: [
    { name: "car_sequencing_20", seed: 101, cars: 20, classes: 6 },
    { name: "car_sequencing_40", seed: 102, cars: 40, classes: 8 },
  ],
  /** Of each `window` cars in a row at most `most` can get an option; needs[c][o]: class c has option o. */
  data({ seed, cars, classes }) {
    const random = randomFrom(seed);
    const most = [1, 2, 1, 2, 1];
    const window = [2, 3, 3, 5, 5];
    const needs = times(classes, () => most.map((each, o) => (random.chance((0.9 * each) / window[o]) ? 1 : 0)));
    const count = times(classes, () => 1);
    for (let left = cars - classes; left > 0; left--) count[random.int(0, classes - 1)]++;
    return { cars, classes, options: most.length, count, most, window, needs };
  },
  minizinc: `include "global_cardinality.mzn";
int: cars;
int: classes;
int: options;
array[1..classes] of int: count;
array[1..options] of int: most;
array[1..options] of int: window;
array[1..classes, 1..options] of int: needs;
array[1..cars] of var 1..classes: class;
array[1..cars, 1..options] of var 0..1: has;
constraint global_cardinality(class, [c | c in 1..classes], count);
constraint forall(i in 1..cars, o in 1..options)(has[i, o] = needs[class[i], o]);
% Stretches of the line in which an option is asked for too often.
var int: violations = sum(o in 1..options, i in 1..cars - window[o] + 1)(
  bool2int(sum(j in i..i + window[o] - 1)(has[j, o]) > most[o]));
solve minimize violations;
`,
};
