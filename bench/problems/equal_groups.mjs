import { randomFrom, times } from "./random.mjs";

export const equal_groups = {
  family: "equal_groups",
  goal: "minimize",
  sizes: [
    { name: "equal_groups_16", seed: 131, people: 16, groups: 4 },
    { name: "equal_groups_30", seed: 132, people: 30, groups: 5 },
  ],
  data({ seed, people, groups }) {
    const random = randomFrom(seed);
    return { people, groups, strength: times(people, () => random.int(100, 999)) };
  },
  minizinc: `include "global_cardinality.mzn";
int: people;
int: groups;
array[1..people] of int: strength;
array[1..people] of var 1..groups: group;
constraint global_cardinality(group, [g | g in 1..groups], [people div groups | g in 1..groups]);
constraint group[1] = 1;
array[1..groups] of var 0..sum(strength): total =
  [sum(i in 1..people)(strength[i] * bool2int(group[i] = g)) | g in 1..groups];
solve minimize max(total) - min(total);
`,
};
