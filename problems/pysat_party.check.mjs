const { values } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const { ann, bob, cem, dora } = values;
const right =
  [ann, bob, cem, dora].every((v) => typeof v === "boolean") &&
  (!ann || bob) &&
  cem === !dora &&
  !(bob && cem) &&
  [ann, bob, cem, dora].filter(Boolean).length >= 2 &&
  (!dora || ann);
say(right, "a sentence is broken");
