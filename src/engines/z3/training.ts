/**
 * Problems that the embedded Z3 solves once while its code is made: small ones, of the kinds that calls are about. What
 * they run is in optimised code afterwards.
 */
export const training: readonly string[] = [
  // Linear integers, a model, a core, scopes.
  `(set-option :produce-unsat-cores true)
(declare-const a Int)(declare-const b Int)(declare-const c Int)(declare-const d Int)(declare-const e Int)
(assert (! (= (+ (* 3 a) (* 5 b) (* 7 c)) 101) :named sum))(assert (and (> a 0) (> b 0) (> c 0) (< d 40) (> e 1)))
(assert (distinct a b c d e))(assert (=> (> a b) (< c d)))(assert (or (= d (+ a b)) (= d (- c b)) (= d (* 2 e))))
(check-sat)(get-model)(get-value (a b (+ c d)))(push)(assert (! (> a 30) :named big))(assert (! (> c 10) :named more))
(check-sat)(get-unsat-core)(pop)(assert (= (mod (+ a d) 5) 3))(assert (> (div e 3) 1))(check-sat)(get-model)`,
  // Differences: five jobs on two machines.
  `(declare-const m Int)${[0, 1, 2, 3, 4].map((j) => `(declare-const s${j} Int)(declare-const t${j} Int)(assert (and (>= s${j} 0) (>= t${j} (+ s${j} ${2 + (j % 3)})) (<= (+ t${j} ${1 + (j % 4)}) m)))`).join("")}
${[0, 1, 2, 3, 4].flatMap((j) => [0, 1, 2, 3, 4].slice(j + 1).map((k) => `(assert (or (>= s${k} (+ s${j} ${2 + (j % 3)})) (>= s${j} (+ s${k} ${2 + (k % 3)}))))(assert (or (>= t${k} (+ t${j} ${1 + (j % 4)})) (>= t${j} (+ t${k} ${1 + (k % 4)}))))`)).join("\n")}
(push)(assert (<= m 17))(check-sat)(pop)(push)(assert (<= m 13))(check-sat)(pop)(minimize m)(check-sat)(get-objectives)`,
  // Bit-vectors.
  `(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))(declare-const z (_ BitVec 16))
(assert (= (bvmul x y) #x3a2f))(assert (bvult #x0001 x))(assert (bvult x y))(assert (= z (bvxor (bvshl x #x0002) (bvlshr y #x0001))))
(assert (bvslt (bvsub z x) y))(check-sat)(get-model)(push)(assert (= (bvurem x #x0003) #x0000))(assert (= (bvudiv y #x0005) x))(check-sat)(pop)
(assert (not (= (bvand x (bvnot x)) #x0000)))(check-sat)`,
  // Strings and regular expressions.
  `(declare-const s String)(declare-const t String)(declare-const u String)
(assert (= (str.++ s "-" t) u))(assert (str.in_re s (re.+ (re.range "a" "d"))))(assert (str.in_re t ((_ re.loop 2 5) (re.union (str.to_re "xy") (re.range "0" "9")))))
(assert (> (str.len u) 7))(assert (str.contains s "ca"))(assert (not (str.prefixof "x" t)))(assert (= (str.indexof u "-" 0) 4))
(check-sat)(get-model)(push)(assert (= (str.to_int t) 407))(check-sat)(pop)`,
  // Products of integers and of reals.
  `(declare-const p Int)(declare-const q Int)(declare-const r Int)(assert (and (< 2 p) (< p q) (< q r) (< r 40)))
(assert (= (+ (* p p) (* q q)) (* r r)))(check-sat)(get-model)(push)(assert (= (mod (* p q) 7) 5))(check-sat)(pop)
(push)(assert (= (* p q r) 1001))(check-sat)(pop)
(declare-const f Real)(declare-const g Real)(assert (and (= (+ (* f f) (* g g)) 4.0) (> (* f g) 1.0) (< f g)))(check-sat)(get-model)`,
  // The best choice: sums of Booleans, and soft wishes.
  `${Array.from({ length: 16 }, (_, i) => `(declare-const k${i} Bool)`).join("")}
(assert (<= (+ ${Array.from({ length: 16 }, (_, i) => `(ite k${i} ${3 + ((i * 7) % 11)} 0)`).join(" ")}) 50))
${Array.from({ length: 16 }, (_, i) => `(assert-soft (or k${i} (not k${(i * 5 + 3) % 16})) :weight ${1 + (i % 3)} :id wish)(assert-soft k${i} :weight ${1 + ((i * 3) % 5)} :id wish)`).join("")}
(maximize (+ ${Array.from({ length: 16 }, (_, i) => `(ite k${i} ${4 + ((i * 5) % 13)} 0)`).join(" ")}))(check-sat)(get-objectives)(get-model)`,
  // Arrays, functions, data types, quantifiers.
  `(declare-const h (Array Int Int))(declare-const i Int)(declare-const j Int)(declare-fun f (Int) Int)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))(declare-const t Tree)
(assert (= (select (store h i 5) j) 7))(assert (= (f (f i)) j))(assert (> (f i) (f j)))(assert ((_ is node) t))(assert (= (key t) (select h i)))
(check-sat)(get-model)(declare-sort E 0)(declare-fun le (E E) Bool)(declare-const a E)(declare-const b E)(declare-const c E)
(assert (forall ((x E) (y E) (z E)) (=> (and (le x y) (le y z)) (le x z))))(assert (forall ((x E)) (le x x)))
(assert (and (le a b) (le b c)))(push)(assert (not (le a c)))(check-sat)(pop)(assert (exists ((x E)) (not (le x a))))(check-sat)`,
  // Linear reals, and clauses.
  `(declare-const x Real)(declare-const y Real)(declare-const z Real)(assert (and (>= x 0.0) (>= y 0.0) (<= (+ x y z) 10.5) (>= (+ (* 2.0 x) z) 3.25)))
(maximize (+ (* 3.0 x) (* 2.0 y) z))(check-sat)(get-objectives)
${Array.from({ length: 20 }, (_, i) => `(declare-const v${i} Bool)`).join("")}
${Array.from({ length: 80 }, (_, i) => `(assert (or ${[7, 11, 13].map((step, n) => (((i * step + n) >> 2) % 2 === 0 ? `v${(i * step + n) % 20}` : `(not v${(i * step + n) % 20})`)).join(" ")}))`).join("")}(check-sat)`,
];

/** Ends a problem that takes Z3 longer than half a second, in Z3's own unit, which is the same on all machines. */
export const training_rlimit = 2_000_000;
