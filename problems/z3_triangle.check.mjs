const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason) => console.log(JSON.stringify({ valid: valid && is_found, optimal: null, reason }));
const { short, long, hypotenuse } = values;
const right =
  [short, long, hypotenuse].every((n) => Number.isInteger(n) && n > 0) &&
  short < long &&
  short ** 2 + long ** 2 === hypotenuse ** 2 &&
  short + long + hypotenuse === 84 &&
  short < 21;
say(right, "no such triangle");
