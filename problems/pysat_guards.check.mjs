const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason = "", optimal = null) =>
  console.log(JSON.stringify({ valid: valid && is_found, optimal, reason }));
const { halls, guards } = values;
const doors = "1-2 1-5 2-3 2-6 3-4 3-7 4-8 5-6 5-9 6-7 6-10 7-8 7-11 8-12 9-10 10-11 11-12 1-6 7-12"
  .split(" ")
  .map((d) => d.split("-").map(Number));
const watched = (set) => doors.every(([a, b]) => set.includes(a) || set.includes(b));
const sizes = Array.from({ length: 4096 }, (_, n) =>
  Array.from({ length: 12 }, (_, i) => i + 1).filter((i) => (n >> (i - 1)) & 1),
)
  .filter(watched)
  .map((set) => set.length);
const are_halls = Array.isArray(halls) && halls.every((h) => Number.isInteger(h) && h >= 1 && h <= 12);
const right = are_halls && new Set(halls).size === halls.length && halls.length === guards && watched(halls);
say(right, right ? "" : "a door is not watched", right && guards === Math.min(...sizes));
