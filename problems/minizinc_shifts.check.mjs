const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { begins, nurses } = values;
const needed = [4, 3, 3, 5, 6, 2, 2];
const covers = (b) =>
  needed.every((n, day) => [0, 1, 2, 3, 4].reduce((sum, back) => sum + b[(day - back + 7) % 7], 0) >= n);
/** Whether so many nurses can be spread over the days. */
const can = (left, b = []) => {
  if (b.length === 6) return covers([...b, left]);
  for (let n = 0; n <= left; n++) if (can(left - n, [...b, n])) return true;
  return false;
};
const right =
  Array.isArray(begins) &&
  begins.length === 7 &&
  begins.every((n) => Number.isInteger(n) && n >= 0) &&
  begins.reduce((a, b) => a + b, 0) === nurses &&
  covers(begins);
say(right, right ? "" : "a day lacks nurses, or the numbers do not add up", right && !can(nurses - 1));
