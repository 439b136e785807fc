const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason) => console.log(JSON.stringify({ valid: valid && is_found, optimal: null, reason }));
const { ann, bob, cem, dora } = values;
const right =
  [ann, bob, cem, dora].every((v) => typeof v === "boolean") &&
  (!ann || bob) &&
  cem === !dora &&
  !(bob && cem) &&
  [ann, bob, cem, dora].filter(Boolean).length >= 2 &&
  (!dora || ann);
say(right, "a sentence is broken");
