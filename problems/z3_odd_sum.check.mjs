const { verdict } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
// An odd number is 1 or 3 modulo 4, and 100 is 0.
const sums = (left) => (left === 0 ? [0] : sums(left - 1).flatMap((sum) => [sum + 1, sum + 3]));
const possible = sums(5).some((sum) => sum % 4 === 0);
say(verdict === (possible ? "sat" : "unsat"), "the sum of five odd numbers is odd");
