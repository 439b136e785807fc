const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { chairs, tables, shelves, income } = values;
const allowed = (c, t, s) =>
  2 * c + 5 * t + 3 * s <= 60 && 3 * c + 6 * t + 5 * s <= 80 && t >= 2 && s <= 8 && c >= 0 && s >= 0;
const worth = (c, t, s) => 30 * c + 70 * t + 48 * s;
let best = 0;
for (let c = 0; c <= 30; c++)
  for (let t = 2; t <= 12; t++)
    for (let s = 0; s <= 8; s++) if (allowed(c, t, s)) best = Math.max(best, worth(c, t, s));
const right =
  [chairs, tables, shelves].every(Number.isInteger) &&
  allowed(chairs, tables, shelves) &&
  worth(chairs, tables, shelves) === income;
say(right, right ? "" : "the plan needs too much", income === best);
