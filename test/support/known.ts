/** Formulas that no model satisfies, one a theory; each declares what it needs. */
export const contradictions: Readonly<Record<string, string>> = {
  order: "(declare-const x Int)(declare-const y Int)(assert (> x (* 2 y)))(assert (< x (+ y y)))",
  parity: "(declare-const x Int)(declare-const y Int)(assert (= (* 2 x) (+ 1 (* 2 y))))",
  reals: "(declare-const x Real)(assert (> (* 2.0 x) 3.0))(assert (< x 1.5))",
  squares: "(declare-const x Int)(assert (= (* x x) 3))(assert (< 0 x 9))",
  bits: "(declare-const x (_ BitVec 4))(assert (bvugt x #x3))(assert (bvult x #x3))",
  arrays: `(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)
(assert (distinct a b))(assert (= (store a i 1) (store b i 1)))(assert (= (select a i) (select b i)))`,
  extensionality: `(declare-const a (Array Bool Bool))(declare-const b (Array Bool Bool))(assert (distinct a b))
(assert (= (select a true) (select b true)))(assert (= (select a false) (select b false)))`,
  prefixes: '(declare-const s String)(assert (str.prefixof "ab" s))(assert (str.prefixof "b" s))',
  lengths: '(declare-const s String)(declare-const t String)(assert (= (str.len s) 3))(assert (= (str.++ s t) "ab"))',
  colours: `(declare-datatypes ((Colour 0)) (((red) (green))))
(declare-const a Colour)(declare-const b Colour)(declare-const c Colour)(assert (distinct a b c))`,
  cycles: "(declare-datatypes ((T 0)) (((leaf) (node (sub T)))))(declare-const t T)(assert (= t (node t)))",
  floats: "(declare-const f (_ FloatingPoint 3 3))(assert (fp.lt f f))",
  functions:
    "(declare-sort U 0)(declare-fun f (U) U)(declare-const k U)(declare-const m U)(assert (= k m))(assert (distinct (f k) (f m)))",
  quantifiers:
    "(declare-sort U 0)(declare-fun p (U) Bool)(declare-const k U)(assert (forall ((x U)) (p x)))(assert (not (p k)))",
  remainders: "(declare-const x Int)(assert (= (mod x 3) 5))",
};

/** Formulas that have a model. */
export const satisfiable: Readonly<Record<string, string>> = {
  order: "(declare-const x Int)(assert (> x 3))(assert (< (* x x) 90))",
  arrays: "(declare-const a (Array Int Int))(assert (= (select a 1) 2))",
  strings: '(declare-const s String)(assert (= (str.len s) 3))(assert (str.contains s "b"))',
  bits: "(declare-const x (_ BitVec 4))(assert (bvugt x #x3))",
  roots: "(declare-const x Real)(assert (= (* x x) 2.0))",
  trees: "(declare-datatypes ((T 0)) (((leaf) (node (sub T)))))(declare-const t T)(assert (distinct t leaf))",
};
