const { values } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const { short, long, hypotenuse } = values;
const right =
  [short, long, hypotenuse].every((n) => Number.isInteger(n) && n > 0) &&
  short < long &&
  short ** 2 + long ** 2 === hypotenuse ** 2 &&
  short + long + hypotenuse === 84 &&
  short < 21;
say(right, "no such triangle");
