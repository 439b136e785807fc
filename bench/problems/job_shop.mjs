import { randomFrom, times } from "./random.mjs";

export const job_shop = {
  family: "job_shop",
  goal: "minimize",
  sizes: [
    { name: "job_shop_6", seed: 1, jobs: 6, machines: 6 },
    { name: "job_shop_8", seed: 2, jobs: 8, machines: 8 },
    { name: "job_shop_10", seed: 3, jobs: 10, machines: 8 },
    { name: "job_shop_12", seed: 4, jobs: 12, machines: 8 },
    { name: "job_shop_15", seed: 5, jobs: 15, machines: 10 },
  ],
  /** machine[j][k]: the machine (from 0) of the k-th task of job j; duration[j][k]: its time. */
  data({ seed, jobs, machines }) {
    const random = randomFrom(seed);
    return {
      jobs,
      machines,
      machine: times(jobs, () => random.shuffled(times(machines, (m) => m))),
      duration: times(jobs, () => times(machines, () => random.int(3, 30))),
    };
  },
  minizinc: `include "disjunctive.mzn";
int: jobs;
int: machines;
array[1..jobs, 1..machines] of int: machine;
array[1..jobs, 1..machines] of int: duration;
int: horizon = sum(duration);
array[1..jobs, 1..machines] of var 0..horizon: start;
var 0..horizon: makespan;
constraint forall(j in 1..jobs, k in 1..machines - 1)(start[j, k] + duration[j, k] <= start[j, k + 1]);
constraint forall(j in 1..jobs)(start[j, machines] + duration[j, machines] <= makespan);
constraint forall(m in 0..machines - 1)(
  disjunctive([start[j, k] | j in 1..jobs, k in 1..machines where machine[j, k] = m],
              [duration[j, k] | j in 1..jobs, k in 1..machines where machine[j, k] = m]));
solve minimize makespan;
`,
};
