; answers: unsat
; core: broken
(declare-const x Int)
(assert (! (>= (* x x) 0) :named fine))
(assert (! (= (+ x 1) x) :named broken))
(set-info :status unsat)
(check-sat)
