; answers: sat unsat
; Every line of this file ends as on Windows. (assert false)
(declare-const n Int) ; a number
(assert (> n 0))
(set-info :status sat)
(check-sat)
(assert (! (< n 1) :named |and
below|))
(set-info :status unsat)
(check-sat)
