const { verdict } = JSON.parse(process.argv[2] ?? "{}");
const say = (valid, reason) => console.log(JSON.stringify({ valid, optimal: null, reason }));
const place = (letter, used) =>
  letter === 7 || [0, 1, 2, 3, 4, 5].some((box) => !used.includes(box) && place(letter + 1, [...used, box]));
say(verdict === "unsat" && !place(0, []), "seven letters do not fit");
