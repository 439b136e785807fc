; answers: unsat
; The square of a sum is never below four times the product.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (< (* (+ x y) (+ x y)) (* 4.0 x y)))
(set-info :status unsat)
(check-sat)
