const { verdict, values } = JSON.parse(process.argv[2] ?? "{}");
const is_found = verdict === "sat" || verdict === "optimal";
const say = (valid, reason) => console.log(JSON.stringify({ valid: valid && is_found, optimal: null, reason }));
const { S, E, N, D, M, O, R, Y } = values;
const n = (...d) => Number(d.join(""));
const all = [S, E, N, D, M, O, R, Y];
say(
  all.every((d) => Number.isInteger(d) && d >= 0 && d <= 9) &&
    new Set(all).size === 8 &&
    S > 0 &&
    M > 0 &&
    n(S, E, N, D) + n(M, O, R, E) === n(M, O, N, E, Y),
  "the sum is wrong",
);
