import { randomFrom, sum, times } from "./random.mjs";

export const knapsack = {
  family: "knapsack",
  goal: "maximize",
  sizes: [
    { name: "knapsack_60", seed: 41, items: 60, resources: 1, bonus: 0 },
    { name: "knapsack_60_correlated", seed: 42, items: 60, resources: 1, bonus: 10 },
    { name: "knapsack_50_four", seed: 43, items: 50, resources: 4, bonus: 0 },
  ],
  /** size[r][i]: what item i needs of resource r. With a bonus, an item is worth its size and the bonus. */
  data({ seed, items, resources, bonus }) {
    const random = randomFrom(seed);
    const size = times(resources, () => times(items, () => random.int(10, 99)));
    const worth = times(items, (i) => (bonus > 0 ? size[0][i] + bonus : random.int(10, 99)));
    return { items, resources, worth, size, capacity: size.map((row) => Math.floor(sum(row) / 2)) };
  },
  minizinc: `int: items;
int: resources;
array[1..items] of int: worth;
array[1..resources, 1..items] of int: size;
array[1..resources] of int: capacity;
array[1..items] of var 0..1: take;
constraint forall(r in 1..resources)(sum(i in 1..items)(size[r, i] * take[i]) <= capacity[r]);
solve maximize sum(i in 1..items)(worth[i] * take[i]);
`,
};
