const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { start, finished } = values;
const jobs = [
  [
    [1, 5],
    [2, 3],
    [3, 4],
  ],
  [
    [2, 4],
    [1, 6],
    [3, 2],
  ],
  [
    [3, 3],
    [1, 4],
    [2, 5],
  ],
  [
    [2, 2],
    [3, 6],
    [1, 3],
  ],
];
const rows = Array.isArray(start) && start.length === 12 ? [0, 3, 6, 9].map((at) => start.slice(at, at + 3)) : start;
const tasks = jobs.flatMap((job, j) => job.map(([machine, time], k) => ({ j, k, machine, time, at: rows?.[j]?.[k] })));
const in_order = tasks.every(
  ({ j, k, at }) => Number.isInteger(at) && at >= 0 && (k === 0 || at >= rows[j][k - 1] + jobs[j][k - 1][1]),
);
const apart = tasks.every((a, i) =>
  tasks.every((b, o) => i >= o || a.machine !== b.machine || a.at + a.time <= b.at || b.at + b.time <= a.at),
);
const end = Math.max(...tasks.map(({ at, time }) => at + time));
let best = Number.POSITIVE_INFINITY;
/** All orders in which tasks can be placed as early as possible: one of them is best. */
const place = (next, free_job, free_machine) => {
  if (Math.max(...free_job) >= best) return;
  if (next.every((k) => k === 3)) best = Math.max(...free_job);
  for (let j = 0; j < 4; j++) {
    const task = jobs[j][next[j]];
    if (!task) continue;
    const done = Math.max(free_job[j], free_machine[task[0]] ?? 0) + task[1];
    place(next.with(j, next[j] + 1), free_job.with(j, done), { ...free_machine, [task[0]]: done });
  }
};
place([0, 0, 0, 0], [0, 0, 0, 0], {});
const right = in_order && apart && end === finished;
say(right, right ? "" : "the tasks overlap or are out of order", end === best);
