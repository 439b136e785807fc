/** Repeatable random numbers (mulberry32): the same seed gives the same data on every machine. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low, high) => low + Math.floor(next() * (high - low + 1));
  const chance = (share) => next() < share;
  const shuffled = (values) => {
    const left = [...values];
    return values.map(() => left.splice(int(0, left.length - 1), 1)[0]);
  };
  return { int, chance, shuffled };
}

/** `count` values of `make(index)`. */
export const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** Rounded distances between points of a square, as a matrix. */
export function distances(random, count, side = 100) {
  const points = times(count, () => [random.int(0, side), random.int(0, side)]);
  return points.map(([x, y]) => points.map(([p, q]) => Math.round(Math.hypot(x - p, y - q))));
}

export const sum = (values) => values.reduce((total, value) => total + value, 0);
