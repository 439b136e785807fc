const { values } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const { mother, son } = values;
say(mother === 3 * son && mother + 12 === 2 * (son + 12), "the ages do not fit");
