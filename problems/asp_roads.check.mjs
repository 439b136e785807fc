const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { closed, cost } = values;
const roads = "AB AC BD CD CE DF EF BE".split(" ");
const price = [3, 4, 2, 1, 2, 5, 3, 2];
const reaches = (open) => {
  const seen = new Set(["A"]);
  for (let round = 0; round < 6; round++) for (const [a, b] of open) if (seen.has(a)) seen.add(b);
  return seen.has("F");
};
const costs = Array.from({ length: 256 }, (_, n) => n)
  .filter((n) => !reaches(roads.filter((_, i) => !((n >> i) & 1))))
  .map((n) => price.reduce((sum, p, i) => sum + p * ((n >> i) & 1), 0));
const names = (closed ?? []).map((ends) => ends.slice(0, 2).join("").toUpperCase());
const are_roads = new Set(names).size === names.length && names.every((name) => roads.includes(name));
const sum = names.reduce((total, name) => total + (price[roads.indexOf(name)] ?? Number.NaN), 0);
const right = are_roads && !reaches(roads.filter((road) => !names.includes(road))) && sum === cost;
say(right, right ? "" : "there is still a way, or the cost is wrong", cost === Math.min(...costs));
