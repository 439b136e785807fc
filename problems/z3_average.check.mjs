const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason) => console.log(JSON.stringify({ valid: valid && is_found, optimal: null, reason }));
const { x, y } = values;
const right = [x, y].every((n) => Number.isInteger(n) && n >= 0 && n < 200) && ((x + y) & 255) >> 1 !== (x + y) >> 1;
say(right, "the program is right for these numbers");
