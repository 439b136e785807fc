const { verdict } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const powers = Array.from({ length: 32 }, (_, k) => 2 ** k);
const sample = Array.from({ length: 65536 }, (_, x) => x + 1).every(
  (x) => ((x & (x - 1)) === 0) === powers.includes(x),
);
say(verdict === "unsat" && sample, "the claim is true: no number refutes it");
