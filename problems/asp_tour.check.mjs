const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { roads, km } = values;
const map = "1-2 7, 1-3 9, 1-6 14, 2-3 10, 2-4 15, 3-4 11, 3-6 2, 4-5 6, 5-6 9, 5-7 8, 6-7 12, 4-7 5, 1-7 20"
  .split(", ")
  .map((r) => r.split(/[- ]/).map(Number));
const length = (a, b) =>
  map.find(([x, y]) => (x === a && y === b) || (x === b && y === a))?.[2] ?? Number.POSITIVE_INFINITY;
const orders = (left) =>
  left.length === 0 ? [[]] : left.flatMap((one) => orders(left.filter((o) => o !== one)).map((rest) => [one, ...rest]));
const total = (tour) => tour.reduce((sum, town, i) => sum + length(town, tour[(i + 1) % tour.length]), 0);
const best = Math.min(...orders([2, 3, 4, 5, 6, 7]).map((rest) => total([1, ...rest])));
const next = new Map(roads ?? []);
const tour = [1];
while (tour.length < 7 && next.has(tour.at(-1))) tour.push(next.get(tour.at(-1)));
const right = new Set(tour).size === 7 && next.size === 7 && next.get(tour[6]) === 1 && total(tour) === km;
say(right, right ? "" : "this is no tour, or its length is wrong", km === best);
