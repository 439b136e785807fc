import { randomFrom, times } from "./random.mjs";

export const nurse_roster = {
  family: "nurse_roster",
  goal: "minimize",
  sizes: [
    { name: "nurse_roster_8_7", seed: 81, nurses: 8, days: 7, cover: [2, 2, 1] },
    { name: "nurse_roster_12_14", seed: 82, nurses: 12, days: 14, cover: [3, 3, 2] },
    { name: "nurse_roster_20_14", seed: 83, nurses: 20, days: 14, cover: [5, 4, 3] },
  ],
  /**
   * Shifts: 0 is free, then early, late, night. cover: how many nurses each shift has on each day. wish[n][d][s]: what
   * it costs if nurse n has shift s on day d. shifts_min, shifts_max: days of work of one nurse.
   */
  data({ seed, nurses, days, cover }) {
    const random = randomFrom(seed);
    const wishes = () => times(4, () => (random.chance(0.4) ? random.int(1, 9) : 0));
    const needed = cover.reduce((a, b) => a + b) * days;
    return {
      nurses,
      days,
      cover: [nurses - cover.reduce((a, b) => a + b), ...cover],
      shifts_max: Math.ceil(needed / nurses) + 1,
      shifts_min: Math.floor(needed / nurses) - 1,
      wish: times(nurses, () => times(days, wishes)),
    };
  },
  minizinc: `include "global_cardinality.mzn";
int: nurses;
int: days;
array[0..3] of int: cover;
int: shifts_max;
int: shifts_min;
array[1..nurses, 1..days, 0..3] of int: wish;
array[1..nurses, 1..days] of var 0..3: shift;
constraint forall(d in 1..days)(global_cardinality(shift[.., d], [0, 1, 2, 3], array1d(cover)));
% After a night no early or late shift, after a late shift no early one; at most five days of work in a row.
constraint forall(n in 1..nurses, d in 1..days - 1)(shift[n, d + 1] = 0 \\/ shift[n, d + 1] >= shift[n, d]);
constraint forall(n in 1..nurses, d in 1..days - 5)(exists(e in d..d + 5)(shift[n, e] = 0));
constraint forall(n in 1..nurses)(
  let { var int: worked = sum(d in 1..days)(bool2int(shift[n, d] > 0)) } in
  worked >= shifts_min /\\ worked <= shifts_max);
solve minimize sum(n in 1..nurses, d in 1..days)(wish[n, d, shift[n, d]]);
`,
};
