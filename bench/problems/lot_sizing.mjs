import { randomFrom, times } from "./random.mjs";

export const lot_sizing = {
  family: "lot_sizing",
  goal: "minimize",
  sizes: [
    { name: "lot_sizing_3_8", seed: 71, products: 3, periods: 8 },
    { name: "lot_sizing_6_12", seed: 72, products: 6, periods: 12 },
  ],
  /** Amounts are real numbers; each set-up costs, and takes time of the machine that all products share. */
  data({ seed, products, periods }) {
    const random = randomFrom(seed);
    return {
      products,
      periods,
      demand: times(products, () => times(periods, (t) => (t < 1 || random.chance(0.2) ? 0 : random.int(20, 150) / 2))),
      setup_cost: times(products, () => random.int(80, 300)),
      holding_cost: times(products, () => random.int(2, 12) / 8),
      setup_time: times(products, () => random.int(5, 15)),
      capacity: products * 50,
    };
  },
  minizinc: `int: products;
int: periods;
array[1..products, 1..periods] of float: demand;
array[1..products] of float: setup_cost;
array[1..products] of float: holding_cost;
array[1..products] of float: setup_time;
float: capacity;
array[1..products, 1..periods] of var 0.0..capacity: make;
array[1..products, 0..periods] of var 0.0..1000.0: stock;
array[1..products, 1..periods] of var 0..1: setup;
constraint forall(p in 1..products)(stock[p, 0] = 0.0);
constraint forall(p in 1..products, t in 1..periods)(
  stock[p, t - 1] + make[p, t] = demand[p, t] + stock[p, t] /\\ make[p, t] <= capacity * setup[p, t]);
constraint forall(t in 1..periods)(
  sum(p in 1..products)(make[p, t] + setup_time[p] * setup[p, t]) <= capacity);
solve minimize sum(p in 1..products, t in 1..periods)(setup_cost[p] * setup[p, t] + holding_cost[p] * stock[p, t]);
`,
};
