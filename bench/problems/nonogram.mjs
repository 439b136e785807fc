import { randomFrom, times } from "./random.mjs";

/** Lengths of the blocks of a line, filled up with 0. */
function clues(line, length_max) {
  const blocks = line
    .join("")
    .split("0")
    .flatMap(({ length }) => (length > 0 ? [length] : []));
  return times(length_max, (i) => blocks[i] ?? 0);
}

export const nonogram = {
  family: "nonogram",
  goal: "satisfy",
  sizes: [
    { name: "nonogram_15", seed: 111, side: 15 },
    { name: "nonogram_25", seed: 112, side: 25 },
  ],
  /** row[r], column[c]: lengths of the blocks of filled squares, then zeros. */
  data({ seed, side }) {
    const random = randomFrom(seed);
    const picture = times(side, () => times(side, () => (random.chance(0.6) ? 1 : 0)));
    const blocks_max = Math.ceil(side / 2);
    return {
      side,
      blocks_max,
      row: picture.map((line) => clues(line, blocks_max)),
      column: times(side, (c) =>
        clues(
          picture.map((line) => line[c]),
          blocks_max,
        ),
      ),
    };
  },
  minizinc: `include "regular.mzn";
int: side;
int: blocks_max;
array[1..side, 1..blocks_max] of int: row;
array[1..side, 1..blocks_max] of int: column;
array[1..side, 1..side] of var 1..2: square;   % 2 is filled
% A line as an automaton: each square of a block, and the gap after it, is a state.
predicate line(array[int] of var int: squares, array[int] of int: blocks) =
  let {
    array[int] of int: pattern = [0] ++ [if i <= b then 1 else 0 endif | b in blocks where b > 0, i in 1..b + 1];
    int: states = max(1, length(pattern) - bool2int(length(pattern) > 1));
    array[1..states, 1..2] of int: move = array2d(1..states, 1..2, [
      if s = states then if v = 1 then s else 0 endif
      else if v = 1 then if pattern[s] = 0 then s elseif pattern[s + 1] = 0 then s + 1 else 0 endif
           elseif pattern[s + 1] = 1 then s + 1 else 0 endif
      endif | s in 1..states, v in 1..2]);
  } in regular(squares, states, 2, move, 1, {states});
constraint forall(i in 1..side)(line(square[i, ..], row[i, ..]) /\\ line(square[.., i], column[i, ..]));
solve satisfy;
`,
};
