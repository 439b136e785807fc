import { distances, randomFrom } from "./random.mjs";

export const tsp = {
  family: "tsp",
  goal: "minimize",
  sizes: [
    { name: "tsp_20", seed: 31, cities: 20 },
    { name: "tsp_30", seed: 32, cities: 30 },
    { name: "tsp_45", seed: 33, cities: 45 },
    { name: "tsp_60", seed: 34, cities: 60 },
  ],
  data({ seed, cities }) {
    return { cities, distance: distances(randomFrom(seed), cities) };
  },
  minizinc: `include "circuit.mzn";
int: cities;
array[1..cities, 1..cities] of int: distance;
array[1..cities] of var 1..cities: next;
constraint circuit(next);
solve minimize sum(i in 1..cities)(distance[i, next[i]]);
`,
};
