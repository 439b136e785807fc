const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { marks, length } = values;
const isRuler = (m) =>
  new Set(m.flatMap((a, i) => m.slice(i + 1).map((b) => b - a))).size === (m.length * (m.length - 1)) / 2;
const shorter = (m, max) =>
  m.length === 5
    ? isRuler(m)
    : Array.from({ length: max }, (_, i) => i + 1).some(
        (next) => next > m.at(-1) && isRuler([...m, next]) && shorter([...m, next], max),
      );
const sorted = Array.isArray(marks) ? [...marks].sort((a, b) => a - b) : [];
const right =
  sorted.length === 5 && sorted.every(Number.isInteger) && sorted[0] === 0 && isRuler(sorted) && sorted[4] === length;
say(right, right ? "" : "two distances are the same", right && !shorter([0], length - 1));
