; answers: unsat
; core: floor ceiling
(declare-const x Int)
(assert (! (> x 10) :named floor))
(assert (! (< x 9) :named ceiling))
(assert (! (> x (- 5)) :named ground))
(maximize x)
(set-info :status unsat)
(check-sat)
