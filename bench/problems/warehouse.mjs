import { randomFrom, times } from "./random.mjs";

export const warehouse = {
  family: "warehouse",
  goal: "minimize",
  sizes: [
    { name: "warehouse_6_15", seed: 61, warehouses: 6, stores: 15 },
    { name: "warehouse_10_25", seed: 62, warehouses: 10, stores: 25 },
    { name: "warehouse_16_50", seed: 63, warehouses: 16, stores: 50 },
  ],
  /** capacity: how many stores a warehouse can supply; cost[s][w]: of supplying store s from warehouse w. */
  data({ seed, warehouses, stores }) {
    const random = randomFrom(seed);
    return {
      warehouses,
      stores,
      fixed: times(warehouses, () => random.int(60, 160)),
      capacity: times(warehouses, () => random.int(3, Math.ceil((4 * stores) / warehouses))),
      cost: times(stores, () => times(warehouses, () => random.int(5, 99))),
    };
  },
  minizinc: `include "global_cardinality_low_up.mzn";
int: warehouses;
int: stores;
array[1..warehouses] of int: fixed;
array[1..warehouses] of int: capacity;
array[1..stores, 1..warehouses] of int: cost;
array[1..stores] of var 1..warehouses: supplier;
array[1..warehouses] of var bool: open;
constraint forall(s in 1..stores)(open[supplier[s]]);
constraint global_cardinality_low_up(supplier, [w | w in 1..warehouses], [0 | w in 1..warehouses], capacity);
solve minimize sum(s in 1..stores)(cost[s, supplier[s]]) + sum(w in 1..warehouses)(fixed[w] * open[w]);
`,
};
