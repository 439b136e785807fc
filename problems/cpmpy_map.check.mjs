const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { colour, colours } = values;
const edges = "A-B A-C A-D B-C B-E C-D C-E C-F D-F D-G E-F E-H F-G F-H F-I G-I H-I"
  .split(" ")
  .map((e) => [...e].filter((c) => c !== "-").map((c) => c.charCodeAt(0) - 65));
const can = (n, c = []) =>
  edges.some(([a, b]) => c[a] !== undefined && c[a] === c[b])
    ? false
    : c.length === 9 || Array.from({ length: n }, (_, i) => i).some((i) => can(n, [...c, i]));
const right =
  Array.isArray(colour) &&
  colour.length === 9 &&
  colour.every((c) => Number.isInteger(c) && c >= 1 && c <= colours) &&
  edges.every(([a, b]) => colour[a] !== colour[b]) &&
  new Set(colour).size === colours;
say(right, right ? "" : "neighbours have the same colour", right && !can(colours - 1));
