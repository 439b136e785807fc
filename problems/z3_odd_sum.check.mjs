const { verdict } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
say(verdict === "unsat", "the sum of five odd numbers is odd");
