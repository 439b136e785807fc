import { randomFrom, sum, times } from "./random.mjs";

export const strip_packing = {
  family: "strip_packing",
  goal: "minimize",
  sizes: [
    { name: "strip_packing_9", seed: 91, rectangles: 9, width: 16 },
    { name: "strip_packing_16", seed: 92, rectangles: 16, width: 24 },
  ],
  data({ seed, rectangles, width }) {
    const random = randomFrom(seed);
    const wide = times(rectangles, () => random.int(3, Math.floor(width / 2)));
    const high = times(rectangles, () => random.int(2, 9));
    return { rectangles, width, wide, high, height_max: sum(high) };
  },
  minizinc: `include "diffn.mzn";
include "cumulative.mzn";
int: rectangles;
int: width;
int: height_max;
array[1..rectangles] of int: wide;
array[1..rectangles] of int: high;
array[1..rectangles] of var 0..width: x;
array[1..rectangles] of var 0..height_max: y;
var 0..height_max: height;
constraint forall(r in 1..rectangles)(x[r] + wide[r] <= width /\\ y[r] + high[r] <= height);
constraint diffn(x, y, wide, high);
% Implied: no line through the strip cuts more than fits.
constraint cumulative(y, high, wide, width);
constraint height * width >= sum(r in 1..rectangles)(wide[r] * high[r]);
solve minimize height;
`,
};
