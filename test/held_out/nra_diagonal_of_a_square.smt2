; answers: sat unsat
; The positive root of two lies between 1.41 and 1.42.
(set-logic QF_NRA)
(declare-const d Real)
(assert (= (* d d) 2.0))
(assert (> d 0.0))
(set-info :status sat)
(check-sat)
(assert (not (< 1.41 d 1.42)))
(set-info :status unsat)
(check-sat)
