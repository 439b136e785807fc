// Generated scripts in twelve logics, from easy to hard, the same on every run.

const range = (n, from = 0) => Array.from({ length: n }, (_, i) => i + from);
const check = (...parts) => `${parts.flat(Infinity).join("\n")}\n(check-sat)\n`;

/** Numbers that are the same on every run (Park and Miller, 1988). */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

const bv = (bits) => `(_ BitVec ${bits})`;

/** A product of two numbers of half the width. */
const factors = (bits, seed) => {
  const next = numbers(seed);
  const odd = () => next(2 ** (bits / 2 - 1)) * 2 + 1;
  const product = BigInt(odd()) * BigInt(odd());
  const half = bits / 2;
  return check(
    `(declare-const x ${bv(half)})(declare-const y ${bv(half)})`,
    `(assert (= (bvmul ((_ zero_extend ${half}) x) ((_ zero_extend ${half}) y)) (_ bv${product} ${bits})))`,
    `(assert (bvugt x (_ bv1 ${half})))(assert (bvule x y))`,
  );
};

/** Distribution over products: holds, and is hard to show bit by bit. */
const distribution = (bits) =>
  check(
    range(3).map((i) => `(declare-const x${i} ${bv(bits)})`),
    "(assert (distinct (bvmul x0 (bvadd x1 x2)) (bvadd (bvmul x0 x1) (bvmul x0 x2))))",
  );

const f32 = "(_ FloatingPoint 8 24)";
const floats = (n) => [
  check(
    range(n).map((i) => `(declare-const x${i} ${f32})`),
    range(n - 1).map(
      (i) => `(assert (fp.lt (fp.mul RNE x${i} x${i}) (fp.add RNE x${i + 1} ((_ to_fp 8 24) #x3f800000))))`,
    ),
    `(assert (fp.gt x0 ((_ to_fp 8 24) #x40000000)))(assert (fp.lt x${n - 1} ((_ to_fp 8 24) #x7f000000)))`,
  ),
  check(
    range(n).map((i) => `(declare-const x${i} ${f32})`),
    range(n - 1).map((i) => `(assert (fp.leq x${i} x${i + 1}))`),
    `(assert (not (fp.leq (fp.add RNE x0 x0) (fp.add RNE x${n - 1} x${n - 1}))))`,
  ),
];

/** Writing n cells in two orders gives one array. */
const stores = (n, index, element) => {
  const write = (order) => order.reduce((array, i) => `(store ${array} i${i} e${i})`, "a");
  return check(
    `(declare-const a (Array ${index} ${element}))`,
    range(n).map((i) => `(declare-const i${i} ${index})(declare-const e${i} ${element})`),
    `(assert (distinct ${range(n)
      .map((i) => `i${i}`)
      .join(" ")}))`,
    `(assert (distinct ${write(range(n))} ${write(range(n).toReversed())}))`,
  );
};

const queens = (n) =>
  check(
    range(n).map((i) => `(declare-const q${i} Int)(assert (<= 1 q${i} ${n}))`),
    `(assert (distinct ${range(n)
      .map((i) => `q${i}`)
      .join(" ")}))`,
    range(n).flatMap((j) =>
      range(j).map((i) => `(assert (distinct (- q${j} q${i}) ${j - i}))(assert (distinct (- q${i} q${j}) ${j - i}))`),
    ),
  );

/** A subset of the weights with this sum. */
const subset = (n, seed) => {
  const next = numbers(seed);
  const weights = range(n).map(() => 1000 + next(9000));
  const sum = weights.filter((_, i) => i % 3 === 0).reduce((a, b) => a + b, seed % 2);
  return check(
    range(n).map((i) => `(declare-const x${i} Int)(assert (<= 0 x${i} 1))`),
    `(assert (= ${sum} (+ ${weights.map((weight, i) => `(* ${weight} x${i})`).join(" ")})))`,
  );
};

const linear = (n, seed) => {
  const next = numbers(seed);
  return check(
    range(n).map((i) => `(declare-const x${i} Real)(assert (<= 0 x${i} 100))`),
    range(2 * n).map(
      () =>
        `(assert (or (< (+ ${range(n)
          .map((i) => `(* ${next(19) + 1}.0 x${i})`)
          .join(" ")}) ${next(400) + 20}.0) (> x${next(n)} (+ x${next(n)} ${next(60)}.5))))`,
    ),
  );
};

/** Pell's equation, whose smallest solution may be large. */
const pell = (d) =>
  check(
    "(declare-const x Int)(declare-const y Int)(assert (> x 1))(assert (> y 0))",
    `(assert (= (* x x) (+ 1 (* ${d} y y))))`,
  );
const pythagoras = (n) =>
  check(
    "(declare-const x Int)(declare-const y Int)(declare-const z Int)",
    `(assert (and (< ${n} x) (< x y) (< y z) (= (+ (* x x) (* y y)) (* z z))))`,
  );

const means = (n) => [
  check(
    range(n).map((i) => `(declare-const x${i} Real)(assert (> x${i} 0.0))`),
    `(assert (< (+ ${range(n)
      .map((i) => `(* x${i} x${i})`)
      .join(" ")}) (+ ${range(n)
      .map((i) => `(* x${i} x${(i + 1) % n})`)
      .join(" ")})))`,
  ),
  check(
    range(n).map((i) => `(declare-const x${i} Real)`),
    range(n - 1).map((i) => `(assert (= (* x${i} x${i + 1}) ${i + 2}.0))`),
    `(assert (> (* x0 x0 x0) (+ 1.0 x${n - 1})))`,
  ),
];

const jobs = (n, machines, horizon, seed) => {
  const next = numbers(seed);
  const times = range(n).map(() => range(machines).map(() => 1 + next(9)));
  return check(
    range(n).map((j) => range(machines).map((m) => `(declare-const s${j}_${m} Int)(assert (>= s${j}_${m} 0))`)),
    range(n).map((j) => range(machines - 1).map((m) => `(assert (>= (- s${j}_${m + 1} s${j}_${m}) ${times[j][m]}))`)),
    range(n).map((j) => `(assert (<= s${j}_${machines - 1} ${horizon}))`),
    range(machines).map((m) =>
      range(n).flatMap((j) =>
        range(j).map(
          (k) =>
            `(assert (or (>= (- s${j}_${m} s${k}_${m}) ${times[k][m]}) (>= (- s${k}_${m} s${j}_${m}) ${times[j][m]})))`,
        ),
      ),
    ),
  );
};

const strings = (n) => [
  check("(declare-const s String)", `(assert (= (str.to_int (str.replace_all s "a" "1")) ${10 ** n + 2}))`),
  check(
    "(declare-const s String)(declare-const t String)",
    `(assert (= (str.len s) ${2 * n}))(assert (= (str.replace_all s "ab" "b") t))(assert (= (str.len t) ${n}))`,
  ),
  check(
    "(declare-const s String)(declare-const t String)",
    `(assert (str.in_re s ((_ re.loop ${n} ${2 * n}) (re.union (str.to_re "ab") (str.to_re "ba")))))(assert (= (str.++ s t) (str.++ t s)))(assert (> (str.len t) ${n}))(assert (not (str.contains t "aa")))`,
  ),
  check(
    "(declare-const s String)(declare-const i Int)",
    `(assert (= (str.++ "0" (str.from_int i)) (str.replace_all s "a" "1")))(assert (> i ${10 ** n}))`,
  ),
];

/** More pigeons than holes, by equality alone. */
const pigeons = (n) =>
  check(
    "(declare-sort S 0)",
    range(n).map((i) => `(declare-const h${i} S)`),
    range(n + 1).map(
      (i) =>
        `(declare-const p${i} S)(assert (or ${range(n)
          .map((h) => `(= p${i} h${h})`)
          .join(" ")}))`,
    ),
    `(assert (distinct ${range(n + 1)
      .map((i) => `p${i}`)
      .join(" ")}))`,
  );

const quantified = (n) => [
  check(
    "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f (+ x 1)) (f x))))",
    `(assert (< (f ${n}) (+ (f 0) ${n})))`,
  ),
  check(
    "(declare-sort S 0)(declare-fun r (S S) Bool)(assert (forall ((x S)) (not (r x x))))",
    "(assert (forall ((x S) (y S) (z S)) (=> (and (r x y) (r y z)) (r x z))))",
    range(n).map((i) => `(declare-const c${i} S)`),
    range(n - 1).map((i) => `(assert (r c${i} c${i + 1}))`),
    `(assert (r c${n - 1} c0))`,
  ),
];

const trees = (n) =>
  check(
    "(declare-datatypes ((T 0)) (((leaf (value Int)) (node (left T) (right T)))))",
    range(n).map((i) => `(declare-const t${i} T)(assert (or ((_ is node) t${i}) (> (value t${i}) ${i})))`),
    range(n - 1).map((i) => `(assert (= t${i} (node t${i + 1} (leaf ${i}))))`),
    n % 2 === 0 ? `(assert (= t${n - 1} t0))` : `(assert (= t${n - 1} (leaf ${2 * n})))`,
  );

/** Seventeen scripts for each logic. */
export function families() {
  const some = (list) => list.flat().slice(0, 17);
  return [
    { logic: "QF_BV", texts: some([range(9).map((i) => factors(24 + 2 * i, 7 + i)), range(8, 4).map(distribution)]) },
    { logic: "QF_FP", texts: some(range(9, 2).map(floats)) },
    { logic: "QF_ABV", texts: some(range(17, 2).map((n) => stores(Math.ceil(n / 2) + 1, bv(8 + (n % 2) * 8), bv(8)))) },
    { logic: "QF_LIA", texts: some([range(9, 5).map(queens), range(8).map((i) => subset(10 + 2 * i, 3 + i))]) },
    { logic: "QF_LRA", texts: some(range(17).map((i) => linear(4 + i, 11 + i))) },
    {
      logic: "QF_NIA",
      texts: some([
        [2, 3, 5, 7, 13, 29, 31, 46, 53].map(pell),
        range(8).map((i) => pythagoras(10 ** (1 + (i % 4)) + i)),
      ]),
    },
    { logic: "QF_NRA", texts: some(range(9, 2).map(means)) },
    {
      logic: "QF_IDL",
      texts: some(range(17).map((i) => jobs(4 + (i % 6), 3 + Math.floor(i / 6), 24 + 3 * (i % 6), 5 + i))),
    },
    { logic: "QF_SLIA", texts: some(range(5, 2).map(strings)) },
    { logic: "QF_UF", texts: some(range(17, 3).map((n) => pigeons(3 + Math.floor(n / 3)))) },
    { logic: "UFLIA", texts: some(range(9, 3).map((n) => quantified(3 * n))) },
    { logic: "QF_DTLIA", texts: some(range(17, 3).map((n) => trees(3 * n))) },
  ];
}
