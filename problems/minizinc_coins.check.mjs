const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { ones, fours, nines, twenty_fives } = values;
const counts = [ones, fours, nines, twenty_fives];
const kinds = [1, 4, 9, 25];
const best = [0];
for (let sum = 1; sum <= 63; sum++)
  best[sum] = 1 + Math.min(...kinds.filter((k) => k <= sum).map((k) => best[sum - k]));
const right =
  counts.every((n) => Number.isInteger(n) && n >= 0) && counts.reduce((sum, n, i) => sum + n * kinds[i], 0) === 63;
say(right, right ? "" : "the coins do not make 63 cents", counts.reduce((a, b) => a + b, 0) === best[63]);
