import { randomFrom, sum, times } from "./random.mjs";

export const rcpsp = {
  family: "rcpsp",
  goal: "minimize",
  sizes: [
    { name: "rcpsp_20", seed: 121, tasks: 20 },
    { name: "rcpsp_40", seed: 122, tasks: 40 },
  ],
  /** before: pairs of tasks (from 0), the first of which must end before the second begins. */
  data({ seed, tasks }) {
    const random = randomFrom(seed);
    const resources = 3;
    const duration = times(tasks, () => random.int(1, 10));
    const before = times(tasks, (t) => t)
      .slice(1)
      .flatMap((t) => times(random.int(0, 2), () => [random.int(Math.max(0, t - 8), t - 1), t]));
    return {
      tasks,
      resources,
      capacity: times(resources, () => random.int(9, 13)),
      duration,
      need: times(resources, () => times(tasks, () => (random.chance(0.7) ? random.int(1, 8) : 0))),
      links: before.length,
      before,
      horizon: sum(duration),
    };
  },
  minizinc: `include "cumulative.mzn";
int: tasks;
int: resources;
int: links;
int: horizon;
array[1..resources] of int: capacity;
array[1..tasks] of int: duration;
array[1..resources, 1..tasks] of int: need;
array[1..links, 1..2] of int: before;
array[1..tasks] of var 0..horizon: start;
var 0..horizon: makespan;
constraint forall(l in 1..links)(start[before[l, 1] + 1] + duration[before[l, 1] + 1] <= start[before[l, 2] + 1]);
constraint forall(r in 1..resources)(cumulative(start, duration, need[r, ..], capacity[r]));
constraint forall(t in 1..tasks)(start[t] + duration[t] <= makespan);
solve minimize makespan;
`,
};
