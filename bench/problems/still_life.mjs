export const still_life = {
  family: "still_life",
  goal: "maximize",
  sizes: [
    { name: "still_life_6", side: 6 },
    { name: "still_life_8", side: 8 },
  ],
  data({ side }) {
    return { side };
  },
  minizinc: `int: side;
% Living squares of a board, with a dead margin of two, that stay as they are in the game of life.
array[0..side + 1, 0..side + 1] of var 0..1: alive;
constraint forall(i in 0..side + 1)(
  alive[0, i] = 0 /\\ alive[side + 1, i] = 0 /\\ alive[i, 0] = 0 /\\ alive[i, side + 1] = 0);
constraint forall(r, c in 0..side + 1)(
  let {
    var 0..8: neighbours = sum(p in max(0, r - 1)..min(side + 1, r + 1), q in max(0, c - 1)..min(side + 1, c + 1)
      where p != r \\/ q != c)(alive[p, q])
  } in (alive[r, c] = 1 -> neighbours >= 2 /\\ neighbours <= 3) /\\ (alive[r, c] = 0 -> neighbours != 3));
solve maximize sum(r, c in 1..side)(alive[r, c]);
`,
};
