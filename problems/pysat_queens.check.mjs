const { values } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const { columns } = values;
const right =
  Array.isArray(columns) &&
  columns.length === 8 &&
  columns[0] === 1 &&
  columns.every(
    (c, i) => c >= 1 && c <= 8 && columns.every((d, j) => i === j || (c !== d && Math.abs(c - d) !== Math.abs(i - j))),
  );
say(right, "two queens attack each other, or the corner is empty");
