const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason) => console.log(JSON.stringify({ valid: valid && is_found, optimal: null, reason }));
const { mother, son } = values;
say(mother === 3 * son && mother + 12 === 2 * (son + 12), "the ages do not fit");
