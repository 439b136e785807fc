const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { begin, done } = values;
const time = [6, 4, 7, 3, 2, 5, 4];
const places = [2, 1, 3, 1, 2, 2, 3];
const after = { 3: 0, 4: 1 };
const load = (b, minute, only) =>
  only.reduce((sum, i) => sum + (b[i] <= minute && minute < b[i] + time[i] ? places[i] : 0), 0);
const all = [0, 1, 2, 3, 4, 5, 6];
const fits = (b) => b.every((minute) => load(b, minute, all) <= 5) && b[3] >= b[0] + time[0] && b[4] >= b[1] + time[1];
const ends = (b) => Math.max(...b.map((at, i) => at + time[i]));
let best = Number.POSITIVE_INFINITY;
/** Each order of the dishes, every dish as early as it fits: one of these plans is best. */
const place = (b, placed) => {
  if (placed.length === 7) best = Math.min(best, ends(b));
  for (const dish of all) {
    if (placed.includes(dish) || (dish in after && !placed.includes(after[dish]))) continue;
    let at = dish in after ? b[after[dish]] + time[after[dish]] : 0;
    const free = () =>
      Array.from({ length: time[dish] }, (_, k) => load(b, at + k, placed)).every((n) => n + places[dish] <= 5);
    while (!free()) at++;
    place(b.with(dish, at), [...placed, dish]);
  }
};
place([0, 0, 0, 0, 0, 0, 0], []);
const right =
  Array.isArray(begin) &&
  begin.length === 7 &&
  begin.every((n) => Number.isInteger(n) && n >= 0) &&
  fits(begin) &&
  ends(begin) === done;
say(right, right ? "" : "the stove is too full, or a dish is too early", done === best);
