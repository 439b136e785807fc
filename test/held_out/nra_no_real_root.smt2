; answers: unsat
(set-logic QF_NRA)
(declare-const x Real)
(assert (= (+ (* x x) (* 2.0 x) 1.5) 0.0))
(set-info :status unsat)
(check-sat)
