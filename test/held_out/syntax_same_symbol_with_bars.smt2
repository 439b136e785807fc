; answers: unsat
; Bars are no part of a name.
(declare-const |x| Int)
(assert (> x 0))
(assert (< |x| 0))
(set-info :status unsat)
(check-sat)
