; answers: unsat
; core: below left_edge slope
; The first three lines leave no room; the others don't matter.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (! (<= y 1.0) :named below))
(assert (! (>= x 2.0) :named left_edge))
(assert (! (>= y x) :named slope))
(assert (! (<= x 100.0) :named right_edge))
(assert (! (>= y (- 50.0)) :named floor))
(set-info :status unsat)
(check-sat)
