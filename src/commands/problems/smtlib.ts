import type { Problem } from "./problem.ts";

/** Problems for `solve_smtlib`, each with a different kind of answer. */
export const smtlibProblems: readonly Problem[] = [
  {
    title: "Find numbers: SEND + MORE = MONEY, each letter a different digit",
    kind: "script",
    args: {
      smtlib: `(declare-fun S () Int)(declare-fun E () Int)(declare-fun N () Int)(declare-fun D () Int)
(declare-fun M () Int)(declare-fun O () Int)(declare-fun R () Int)(declare-fun Y () Int)
(assert (and (<= 1 S 9) (<= 0 E 9) (<= 0 N 9) (<= 0 D 9) (<= 1 M 9) (<= 0 O 9) (<= 0 R 9) (<= 0 Y 9)))
(assert (distinct S E N D M O R Y))
(define-fun send () Int (+ (* 1000 S) (* 100 E) (* 10 N) D))
(define-fun more () Int (+ (* 1000 M) (* 100 O) (* 10 R) E))
(assert (= (+ send more) (+ (* 10000 M) (* 1000 O) (* 100 N) (* 10 E) Y)))
(check-sat)
(get-value (send more (+ send more)))`,
    },
  },
  {
    title: "Prove: x & (x - 1) = 0 exactly for 0 and the 32 powers of two (unsat = no counterexample)",
    kind: "script",
    args: {
      smtlib: `(declare-const x (_ BitVec 32))
(define-fun tested () Bool (= (bvand x (bvsub x #x00000001)) #x00000000))
(assert (xor tested (or (= x #x00000000) (exists ((k (_ BitVec 32))) (and (bvult k #x00000020) (= x (bvshl #x00000001 k)))))))
(check-sat)`,
    },
  },
  {
    title: "Explain: why can't this week be planned? (no names given; the core is minimal)",
    kind: "script",
    args: {
      explain_unsat: true,
      smtlib: `(declare-const ann Int) (declare-const bob Int) (declare-const eve Int)
(assert (and (<= 1 ann 5) (<= 1 bob 5) (<= 1 eve 5)))
(assert (distinct ann bob eve))
(assert (> ann bob))
(assert (>= bob 4))
(assert (or (= eve 1) (= eve 5)))
(assert (not (= ann 5)))
(check-sat)`,
    },
  },
  {
    title: "Optimise: the best mix of two products, as lexicographic objectives",
    kind: "script",
    args: {
      smtlib: `(declare-const chairs Int) (declare-const tables Int)
(assert (and (>= chairs 0) (>= tables 0)))
(assert (<= (+ (* 2 chairs) (* 5 tables)) 60))
(assert (<= (+ (* 3 chairs) (* 2 tables)) 45))
(maximize (+ (* 20 chairs) (* 35 tables)))
(minimize tables)
(check-sat)`,
    },
  },
  {
    title: "A typical mistake of a language model: the answer says where it is and how to correct it",
    kind: "script",
    args: { smtlib: "(declare-const total Int)\n(assert (> totl 10))\n(check-sat)" },
  },
  {
    title: "A hopeless question, with a limit of one second: it stays undecided, and is not reported as unsat",
    kind: "script",
    args: {
      timeout_ms: 1000,
      smtlib: `(declare-const x Int) (declare-const y Int) (declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))
(check-sat)`,
    },
  },
];
