const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { rice, beans, greens, cents } = values;
const enough = (r, b, g) => 200 * r + 150 * b + 40 * g >= 700 && 4 * r + 10 * b + 3 * g >= 30 && g >= 1;
const cost = (r, b, g) => 50 * r + 80 * b + 60 * g;
let best = Number.POSITIVE_INFINITY;
for (let r = 0; r <= 20; r++)
  for (let b = 0; b <= 20; b++) for (let g = 1; g <= 20; g++) if (enough(r, b, g)) best = Math.min(best, cost(r, b, g));
const right =
  [rice, beans, greens].every((n) => Number.isInteger(n) && n >= 0) &&
  enough(rice, beans, greens) &&
  cost(rice, beans, greens) === cents;
say(right, right ? "" : "the meal lacks something", cents === best);
