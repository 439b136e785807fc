const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { taken, worth } = values;
const weight = [5, 3, 4, 2, 6, 7, 1];
const value = [10, 7, 8, 4, 5, 13, 2];
const worthOf = (t) => t.reduce((sum, on, i) => sum + on * value[i], 0);
const allowed = (t) => t.reduce((sum, on, i) => sum + on * weight[i], 0) <= 15 && (t[2] === 0 || t[1] === 1);
const all = Array.from({ length: 128 }, (_, n) => weight.map((_, i) => (n >> i) & 1)).filter(allowed);
const isOn = (on) => [0, 1, true, false].includes(on);
const bits = Array.isArray(taken) ? taken.map(Number) : [];
const right = bits.length === 7 && taken.every(isOn) && allowed(bits) && worthOf(bits) === worth;
say(right, right ? "" : "too heavy, or the rope without the stove", worthOf(bits) === Math.max(...all.map(worthOf)));
