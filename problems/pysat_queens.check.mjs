const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason) => console.log(JSON.stringify({ valid: valid && is_found, optimal: null, reason }));
const { columns } = values;
const right =
  Array.isArray(columns) &&
  columns.length === 8 &&
  columns[0] === 1 &&
  columns.every(
    (c, i) =>
      Number.isInteger(c) &&
      c >= 1 &&
      c <= 8 &&
      columns.every((d, j) => i === j || (c !== d && Math.abs(c - d) !== Math.abs(i - j))),
  );
say(right, "two queens attack each other, or the corner is empty");
