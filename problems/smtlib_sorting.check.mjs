const { verdict } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const pairs = [
  [0, 1],
  [2, 3],
  [0, 2],
  [1, 3],
  [1, 2],
];
const sorts = (list) =>
  pairs
    .reduce((l, [p, q]) => (l[p] <= l[q] ? l : l.with(p, l[q]).with(q, l[p])), list)
    .every((n, i, l) => i === 0 || l[i - 1] <= n);
// A circuit of comparators sorts everything if it sorts all lists of zeros and ones.
const always = Array.from({ length: 16 }, (_, n) => [n & 1, (n >> 1) & 1, (n >> 2) & 1, (n >> 3) & 1]).every(sorts);
say(verdict === (always ? "unsat" : "sat"), "it sorts always");
