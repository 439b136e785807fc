const { verdict } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const people = ["ann", "bob", "cem", "dora"];
const pairs = people.flatMap((a, i) => people.slice(i + 1).map((b) => [a, b]));
const allowed = (c) => {
  const has = (p) => c.includes(p);
  return (
    !(has("ann") && has("bob")) &&
    (!has("cem") || has("ann")) &&
    (!has("dora") || has("bob")) &&
    (has("ann") || has("dora")) &&
    (!has("ann") || has("cem")) &&
    !has("cem")
  );
};
const found = pairs.filter(allowed);
say(
  verdict === (found.length > 0 ? "sat" : "unsat"),
  found.length > 0 ? "there is a committee: Bob and Dora" : "there is none",
);
