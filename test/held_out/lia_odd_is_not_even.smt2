; answers: unsat
(set-logic QF_LIA)
(declare-const m Int)
(declare-const n Int)
(assert (= (* 6 m) (+ (* 4 n) 3)))
(set-info :status unsat)
(check-sat)
