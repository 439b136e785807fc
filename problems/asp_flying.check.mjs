const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason) => console.log(JSON.stringify({ valid: valid && is_found, optimal: null, reason }));
const names = (values.flying ?? [])
  .flat()
  .map((n) => String(n).toLowerCase())
  .sort();
say(names.join() === "rita,tweety", "only Tweety and Rita fly");
