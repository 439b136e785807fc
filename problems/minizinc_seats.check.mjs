const { verdict } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const orders = (left) =>
  left.length === 0 ? [[]] : left.flatMap((one) => orders(left.filter((o) => o !== one)).map((rest) => [one, ...rest]));
const near = (row, a, b) => Math.abs(row.indexOf(a) - row.indexOf(b)) === 1;
const possible = orders(["a", "b", "c", "d", "e"]).some(
  (row) => near(row, "a", "b") && near(row, "b", "c") && near(row, "c", "a"),
);
say(!possible && verdict === "unsat", "three friends in a row can't all be beside each other");
