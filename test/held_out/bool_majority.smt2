; answers: unsat
; If two of three say yes, then two of three don't say no.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(define-fun two ((x Bool) (y Bool) (z Bool)) Bool (or (and x y) (and y z) (and x z)))
(assert (not (= (two a b c) (not (two (not a) (not b) (not c))))))
(set-info :status unsat)
(check-sat)
