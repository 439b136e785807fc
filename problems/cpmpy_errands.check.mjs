const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { parcel, cost } = values;
const price = [
  [8, 5, 9, 7],
  [4, 6, 3, 8],
  [7, 8, 6, 5],
  [6, 4, 7, 9],
];
const orders = (left) =>
  left.length === 0 ? [[]] : left.flatMap((one) => orders(left.filter((o) => o !== one)).map((rest) => [one, ...rest]));
const sum = (order) => order.reduce((total, p, i) => total + price[i][p - 1], 0);
const right =
  Array.isArray(parcel) &&
  parcel.every(Number.isInteger) &&
  [...parcel].sort().join() === "1,2,3,4" &&
  sum(parcel) === cost;
say(
  right,
  right ? "" : "a parcel is taken twice, or the sum is wrong",
  right && cost === Math.min(...orders([1, 2, 3, 4]).map(sum)),
);
