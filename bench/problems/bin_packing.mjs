import { randomFrom, times } from "./random.mjs";

export const bin_packing = {
  family: "bin_packing",
  goal: "minimize",
  sizes: [
    { name: "bin_packing_15", seed: 51, items: 15 },
    { name: "bin_packing_24", seed: 52, items: 24 },
    { name: "bin_packing_36", seed: 53, items: 36 },
  ],
  /** bins: the number that packing them one after the other in the given order needs, and one more. */
  data({ seed, items }) {
    const random = randomFrom(seed);
    const capacity = 100;
    const size = times(items, () => random.int(15, 60));
    const loads = [];
    for (const each of size) {
      const bin = loads.findIndex((load) => load + each <= capacity);
      if (bin < 0) loads.push(each);
      else loads[bin] += each;
    }
    return { items, bins: loads.length + 1, capacity, size };
  },
  minizinc: `include "bin_packing_load.mzn";
int: items;
int: bins;
int: capacity;
array[1..items] of int: size;
array[1..items] of var 1..bins: bin;
array[1..bins] of var 0..capacity: load;
constraint bin_packing_load(load, bin, size);
% Full bins first: the bins are alike.
constraint forall(b in 1..bins - 1)(load[b] >= load[b + 1]);
var 0..bins: used = sum(b in 1..bins)(bool2int(load[b] > 0));
solve minimize used;
`,
};
