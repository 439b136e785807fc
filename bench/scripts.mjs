// Twelve scripts of medium size, each some tens to hundreds of milliseconds on a native Z3.

const range = (n) => Array.from({ length: n }, (_, i) => i);
const pairs = (n) => range(n).flatMap((i) => range(i).map((j) => [j, i]));
const lines = (...parts) => `${parts.flat(Infinity).join("\n")}\n(check-sat)\n`;

/** A small generator of numbers that are the same on every run (Park and Miller, 1988). */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

const lia_queens = (n) =>
  lines(
    range(n).map((i) => `(declare-const q${i} Int) (assert (<= 1 q${i} ${n}))`),
    `(assert (distinct ${range(n)
      .map((i) => `q${i}`)
      .join(" ")}))`,
    pairs(n).map(([i, j]) => `(assert (and (distinct (- q${j} q${i}) ${j - i}) (distinct (- q${i} q${j}) ${j - i})))`),
  );

const bv_sudoku = (clues) => {
  const cell = (r, c) => `c${r}${c}`;
  const all = range(9).flatMap((r) => range(9).map((c) => [r, c]));
  const group = (cells) => `(assert (distinct ${cells.map(([r, c]) => cell(r, c)).join(" ")}))`;
  return lines(
    all.map(
      ([r, c]) =>
        `(declare-const ${cell(r, c)} (_ BitVec 4)) (assert (and (bvule #x1 ${cell(r, c)}) (bvule ${cell(r, c)} #x9)))`,
    ),
    range(9).map((i) => [group(all.filter(([r]) => r === i)), group(all.filter(([, c]) => c === i))]),
    range(9).map((b) => group(all.filter(([r, c]) => Math.floor(r / 3) * 3 + Math.floor(c / 3) === b))),
    [...clues].map((digit, i) => (digit === "." ? "" : `(assert (= ${cell(Math.floor(i / 9), i % 9)} #x${digit}))`)),
  );
};

const bv_factor = (product) =>
  lines(
    "(declare-const a (_ BitVec 24)) (declare-const b (_ BitVec 24))",
    "(assert (and (bvult #x000001 a) (bvule a b) (bvult b #x001000)))",
    `(assert (= (bvmul a b) (_ bv${product} 24)))`,
  );

const bv_popcount = () => {
  const naive = range(24).reduce(
    (sum, i) => `(bvadd ${sum} ((_ zero_extend 23) ((_ extract ${i} ${i}) x)))`,
    "#x000000",
  );
  const masks = [
    ["#x555555", 1],
    ["#x333333", 2],
    ["#x0f0f0f", 4],
  ];
  const folded = masks.reduce(
    (y, [mask, shift]) => `(bvadd (bvand ${y} ${mask}) (bvand (bvlshr ${y} (_ bv${shift} 24)) ${mask}))`,
    "x",
  );
  const total = `(let ((y ${folded})) (bvand (bvadd y (bvadd (bvlshr y #x000008) (bvlshr y #x000010))) #x00003f))`;
  return lines("(declare-const x (_ BitVec 24))", `(assert (distinct ${naive} ${total}))`);
};

const nia_squares = (n) =>
  lines(
    "(declare-const a Int) (declare-const b Int) (declare-const c Int) (declare-const d Int)",
    `(assert (and (< 0 a) (< a b) (< b c) (< c d) (< d ${n})))`,
    "(assert (= (+ (* a a) (* b b) (* c c)) (* d d)))",
    "(assert (> a 11)) (assert (= (mod (+ a b c) 7) 3))",
  );

const nia_no_product = (n) =>
  lines(
    "(declare-const x Int) (declare-const y Int)",
    `(assert (and (< 1 x) (<= x y) (< y ${n})))`,
    `(assert (= (* x y) ${n}))`,
  );

const idl_job_shop = (jobs, machines, horizon) => {
  const next = numbers(7);
  const start = (j, k) => `s${j}_${k}`;
  const tasks = range(jobs).map((j) =>
    range(machines).map((k) => ({ machine: (j * 3 + k * 5) % machines, time: 1 + next(9), j, k })),
  );
  const flat = tasks.flat();
  const rivals = flat.flatMap((a) => flat.filter((b) => b.machine === a.machine && b.j > a.j).map((b) => [a, b]));
  return lines(
    flat.map(
      ({ j, k, time }) =>
        `(declare-const ${start(j, k)} Int) (assert (and (>= ${start(j, k)} 0) (<= ${start(j, k)} ${horizon - time})))`,
    ),
    flat
      .filter(({ k }) => k > 0)
      .map(({ j, k }) => `(assert (>= (- ${start(j, k)} ${start(j, k - 1)}) ${tasks[j][k - 1].time}))`),
    rivals.map(
      ([a, b]) =>
        `(assert (or (>= (- ${start(b.j, b.k)} ${start(a.j, a.k)}) ${a.time}) (>= (- ${start(a.j, a.k)} ${start(b.j, b.k)}) ${b.time})))`,
    ),
  );
};

const strings_palindrome = (n) =>
  lines(
    "(declare-const s String) (declare-const t String)",
    `(assert (= (str.len s) ${n}))`,
    range(n / 2).map((i) => `(assert (= (str.at s ${i}) (str.at s ${n - 1 - i})))`),
    '(assert (str.in_re s (re.+ (re.union (str.to_re "ab") (str.to_re "ba") (re.range "c" "f")))))',
    '(assert (str.contains s "abba")) (assert (= t (str.substr s 2 5))) (assert (not (str.prefixof "c" t)))',
  );

const strings_words = () =>
  lines(
    "(declare-const x String) (declare-const y String) (declare-const z String)",
    '(assert (= (str.++ x "b" y) (str.++ "a" y "b" z)))',
    "(assert (and (> (str.len x) 3) (> (str.len y) 4) (< (str.len z) 9)))",
    '(assert (= (str.indexof z "ba" 0) 2)) (assert (str.contains y "aab"))',
  );

const opt_knapsack = (n) => {
  const next = numbers(11);
  const items = range(n).map((i) => ({ name: `k${i}`, weight: 3 + next(40), value: 5 + next(60) }));
  const sum = (key) => `(+ ${items.map((item) => `(ite ${item.name} ${item[key]} 0)`).join(" ")})`;
  return lines(
    items.map(({ name }) => `(declare-const ${name} Bool)`),
    `(assert (<= ${sum("weight")} ${n * 9}))`,
    `(maximize ${sum("value")})`,
  );
};

const opt_soft = (n, clauses) => {
  const next = numbers(5);
  const literal = () => (next(2) === 0 ? `p${next(n)}` : `(not p${next(n)})`);
  return lines(
    range(n).map((i) => `(declare-const p${i} Bool)`),
    range(clauses).map(() => `(assert (or ${literal()} ${literal()} ${literal()}))`),
    range(clauses).map(() => `(assert-soft (or ${literal()} ${literal()}) :weight ${1 + next(5)} :id cost)`),
  );
};

const uf_lattice = () =>
  lines(
    "(declare-sort P 0) (declare-fun le (P P) Bool) (declare-fun meet (P P) P)",
    "(assert (forall ((x P)) (le x x)))",
    "(assert (forall ((x P) (y P) (z P)) (=> (and (le x y) (le y z)) (le x z))))",
    "(assert (forall ((x P) (y P)) (=> (and (le x y) (le y x)) (= x y))))",
    "(assert (forall ((x P) (y P)) (and (le (meet x y) x) (le (meet x y) y))))",
    "(assert (forall ((x P) (y P) (z P)) (=> (and (le z x) (le z y)) (le z (meet x y)))))",
    "(declare-const a P) (declare-const b P) (declare-const c P)",
    "(assert (not (= (meet a (meet b c)) (meet (meet a b) c))))",
  );

export const scripts = {
  lia_queens: lia_queens(9),
  bv_sudoku: bv_sudoku("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."),
  bv_factor: bv_factor(3989 * 2003),
  bv_popcount: bv_popcount(),
  nia_squares: nia_squares(120),
  nia_no_product: nia_no_product(401),
  idl_job_shop: idl_job_shop(9, 6, 62),
  strings_palindrome: strings_palindrome(24),
  strings_words: strings_words(),
  opt_knapsack: opt_knapsack(26),
  opt_soft: opt_soft(50, 120),
  uf_lattice: uf_lattice(),
};

export const trivial = "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";

export const hopeless = `(declare-const x Int) (declare-const y Int) (declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))
(check-sat)
`;
