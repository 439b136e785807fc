import { randomFrom, times } from "./random.mjs";

export const flexible_job_shop = {
  family: "flexible_job_shop",
  goal: "minimize",
  sizes: [
    { name: "flexible_job_shop_5", seed: 11, jobs: 5, tasks: 4, machines: 4 },
    { name: "flexible_job_shop_10", seed: 12, jobs: 10, tasks: 5, machines: 5 },
  ],
  /** duration[j][k][m]: the time of the k-th task of job j on machine m; 0 if that machine can't do it. */
  data({ seed, jobs, tasks, machines }) {
    const random = randomFrom(seed);
    const task = () => {
      const sure = random.int(0, machines - 1);
      return times(machines, (m) => (m === sure || random.chance(0.4) ? random.int(2, 20) : 0));
    };
    return { jobs, tasks, machines, duration: times(jobs, () => times(tasks, task)) };
  },
  minizinc: `int: jobs;
int: tasks;
int: machines;
array[1..jobs, 1..tasks, 1..machines] of int: duration;
int: horizon = sum(j in 1..jobs, k in 1..tasks)(max(m in 1..machines)(duration[j, k, m]));
array[1..jobs, 1..tasks] of var 1..machines: on;
array[1..jobs, 1..tasks] of var 0..horizon: start;
array[1..jobs, 1..tasks] of var 0..horizon: finish;
var 0..horizon: makespan;
constraint forall(j in 1..jobs, k in 1..tasks)(
  duration[j, k, on[j, k]] > 0 /\\ finish[j, k] = start[j, k] + duration[j, k, on[j, k]]);
constraint forall(j in 1..jobs, k in 1..tasks - 1)(finish[j, k] <= start[j, k + 1]);
constraint forall(i, j in 1..jobs, k, l in 1..tasks where i < j)(
  on[i, k] = on[j, l] -> finish[i, k] <= start[j, l] \\/ finish[j, l] <= start[i, k]);
constraint forall(j in 1..jobs)(finish[j, tasks] <= makespan);
solve minimize makespan;
`,
};
